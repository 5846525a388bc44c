import { describe, expect, it } from 'vitest'
import { freshPolicy } from '../../../domain/instance/fresh-policy.ts'
import type { InstanceEvent } from '../../../domain/instance/events.ts'
import { instance } from '../../../domain/instance/instance.ts'
import type { PolicyChanges } from '../../../domain/instance/policy.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { instanceCommands } from '../../../domain/testing/commands/instance-commands.ts'
import { start } from '../../../domain/testing/people.ts'
import { laws } from '../../support/laws.ts'

laws('instance', instanceCommands)

const change = (changes: PolicyChanges, duringSetup = false) =>
  ({ type: 'ChangeInstancePolicy', changes, settings: freshPolicy, duringSetup, now: start }) as const
const changed = (changes: PolicyChanges): InstanceEvent => ({
  type: 'InstancePolicyChanged',
  data: { changes, changedAt: start },
})
const byEmail = { signIn: 'email', tagStyle: 'discriminator' } as const
const fix = { type: 'FixAccountIdentity', accountIdentity: byEmail, now: start } as const
const fixed: InstanceEvent = { type: 'AccountIdentityFixed', data: { ...byEmail, fixedAt: start } }

describe('changing the policy of the instance', () => {
  it('records the members that change, and only those', () => {
    given(instance, [changed({ registration: { mode: 'closed' } })])
      .when(change({ registration: { mode: 'closed', urlsEnabled: true }, ipAuthorization: true }))
      .then(changed({ registration: { urlsEnabled: true }, ipAuthorization: true }))
  })

  it('records nothing where nothing changes', () => {
    const domains = { singleSignOn: { allowedDomains: ['example.org'] } }
    given(instance, []).when(change({})).changesNothing()
    given(instance, [])
      .when(change({ registration: {} }))
      .changesNothing()
    given(instance, [changed(domains)])
      .when(change(domains))
      .changesNothing()
  })

  it('may change how accounts are identified while there are none', () => {
    const usernames = { accountIdentity: { signIn: 'username', tagStyle: 'none' } } as const
    given(instance, []).when(change(usernames)).then(changed(usernames))
  })

  it('keeps how accounts are identified once there are some', () => {
    const code = 'INSTANCE_POLICY_TRANSITION_NOT_ALLOWED'
    given(instance, [fixed])
      .when(change({ accountIdentity: { signIn: 'username' } }))
      .refuses(code)
    given(instance, [fixed])
      .when(change({ accountIdentity: { tagStyle: 'none' } }))
      .refuses(code)
    given(instance, [fixed])
      .when(change({ accountIdentity: { signIn: 'email' }, ipAuthorization: true }))
      .then(changed({ accountIdentity: { signIn: 'email' }, ipAuthorization: true }))
  })
})

describe('private messages', () => {
  const messages = (community: NonNullable<PolicyChanges['community']>) => ({ community })
  const disabled = changed({ community: { directMessagesDisabled: true } })
  const locked = changed({ community: { directMessagesDisabled: false, directMessagesLocked: true } })

  it('can be turned off, and are locked if they are turned on again', () => {
    given(instance, [])
      .when(change(messages({ directMessagesDisabled: true })))
      .then(disabled)
    given(instance, [disabled])
      .when(change(messages({ directMessagesDisabled: false })))
      .then(locked)
  })

  it('stay as they are while they are locked', () => {
    given(instance, [disabled, locked])
      .when(change(messages({ directMessagesDisabled: true })))
      .refuses('INSTANCE_POLICY_TRANSITION_NOT_ALLOWED')
    given(instance, [disabled, locked])
      .when(change(messages({ directMessagesDisabled: false })))
      .changesNothing()
    given(instance, [disabled, locked])
      .when(change(messages({ directMessagesDisabled: true, directMessagesLocked: false })))
      .then(changed({ community: { directMessagesDisabled: true, directMessagesLocked: false } }))
  })
})

describe('the setup', () => {
  const configured = (value: boolean) => changed({ setup: { configured: value } })

  it('is over for good for who is there by it alone', () => {
    given(instance, [configured(false)])
      .when(change({ setup: { configured: true } }, true))
      .then(configured(true))
    given(instance, [configured(false), configured(true)])
      .when(change({ setup: { configured: true } }, true))
      .refuses('MISSING_PERMISSIONS')
    given(instance, [])
      .when(change({ ipAuthorization: true }, true))
      .refuses('MISSING_PERMISSIONS')
  })
})

describe('the rules of limits', () => {
  const rules = [
    { id: 'mine', filters: { traits: [], guildFeatures: [] }, limits: { max_guilds: 5, max_bookmarks: 6 } },
  ]
  const config = { traitDefinitions: ['patron'], rules }
  const replace = { type: 'ChangeLimitConfig', config, now: start } as const
  const replaced: InstanceEvent = { type: 'LimitConfigChanged', data: { ...config, changedAt: start } }

  it('are replaced as a whole', () => {
    given(instance, []).when(replace).then(replaced)
    given(instance, [replaced])
      .when({ ...replace, config: { traitDefinitions: [], rules: [] } })
      .then({ type: 'LimitConfigChanged', data: { traitDefinitions: [], rules: [], changedAt: start } })
  })

  it('are recorded only where they change', () => {
    const [mine] = rules
    const limits = { max_bookmarks: 6, max_guilds: 5 }
    given(instance, [replaced]).when(replace).changesNothing()
    given(instance, [replaced])
      .when({ ...replace, config: { ...config, rules: mine ? [{ ...mine, limits }] : [] } })
      .changesNothing()
  })
})

describe('how accounts are identified', () => {
  it('is fixed once', () => {
    given(instance, []).when(fix).then(fixed)
    given(instance, [fixed])
      .when({ ...fix, accountIdentity: { signIn: 'username', tagStyle: 'none' } })
      .changesNothing()
  })

  property('never becomes another one', histories(instance, instanceCommands), ({ events }) => {
    const first = events.findIndex(({ type }) => type === 'AccountIdentityFixed')
    const { accountIdentity } = { accountIdentity: null, ...fold(instance, events.slice(0, first + 1)) }
    expect({ accountIdentity: null, ...fold(instance, events) }.accountIdentity).toStrictEqual(accountIdentity)
    expect(events.filter(({ type }) => type === 'AccountIdentityFixed').length).toBeLessThanOrEqual(1)
  })
})
