import fc from 'fast-check'
import { freshPolicy } from '../../instance/fresh-policy.ts'
import type { InstanceCommand } from '../../instance/commands.ts'
import type { PolicyChanges } from '../../instance/policy.ts'
import type { LimitConfig } from '../../limits/limit-config.ts'
import { limitKeys } from '../../limits/limit-keys.ts'
import { instants, oneOf, record } from '../drawing.ts'
import { ada, grace } from '../people.ts'

export const instanceCommands: fc.Arbitrary<InstanceCommand> = fc.oneof(
  record({
    type: oneOf('ChangeInstancePolicy'),
    changes: policyChanges(),
    settings: fc.constant(freshPolicy),
    duringSetup: fc.boolean(),
    now: instants,
  }),
  record({ type: oneOf('TakeLifetimeNumber'), accountId: oneOf(ada, grace), now: instants }),
  record({ type: oneOf('ChangeLimitConfig'), config: limitConfigs(), now: instants }),
  record({
    type: oneOf('FixAccountIdentity'),
    accountIdentity: record({ signIn: oneOf('email', 'username'), tagStyle: oneOf('discriminator', 'none') }),
    now: instants,
  }),
)

export function limitConfigs(): fc.Arbitrary<LimitConfig> {
  const rule = record({
    id: oneOf('default', 'premium', 'patrons', 'large', 'both'),
    filters: record({
      traits: fc.subarray(['premium', 'patron']),
      guildFeatures: fc.subarray(['VERY_LARGE_GUILD', 'VERIFIED']),
    }),
    limits: fc.dictionary(oneOf(...limitKeys), fc.nat(3_000_000), { maxKeys: 5, noNullPrototype: true }),
  })
  const rules = fc.uniqueArray(rule, { selector: ({ id }) => id, maxLength: 5 })
  return record({ traitDefinitions: fc.subarray(['patron']), rules })
}

function policyChanges(): fc.Arbitrary<PolicyChanges> {
  return fc.record(
    {
      registration: fc.record(
        { mode: oneOf('open', 'approval', 'closed'), urlsEnabled: fc.boolean() },
        { requiredKeys: [], noNullPrototype: true },
      ),
      accountIdentity: fc.record({ signIn: oneOf('email', 'username') }, { requiredKeys: [], noNullPrototype: true }),
      ipAuthorization: fc.boolean(),
      community: fc.record(
        { directMessagesDisabled: fc.boolean(), directMessagesLocked: oneOf(false) },
        { requiredKeys: [], noNullPrototype: true },
      ),
      branding: fc.record({ icon: oneOf(null, 'a_1', '2') }, { requiredKeys: [], noNullPrototype: true }),
      setup: fc.record({ configured: fc.boolean() }, { requiredKeys: [], noNullPrototype: true }),
      singleSignOn: fc.record(
        {
          enabled: fc.boolean(),
          issuer: oneOf(null, 'https://id.example'),
          allowedDomains: fc.array(oneOf('example.org')),
        },
        { requiredKeys: [], noNullPrototype: true },
      ),
    },
    { requiredKeys: [], noNullPrototype: true },
  )
}
