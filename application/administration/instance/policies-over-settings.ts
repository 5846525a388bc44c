import { policyWith, type InstancePolicy, type PolicyChanges } from '../../../domain/instance/policy.ts'
import { theInstance } from '../../../domain/instance/state.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import type { Aggregates } from '../../ports.ts'
import type { InstancePolicies } from '../../ports/instance-policy.ts'
import type { SealedBox } from '../../secrets/sealed-box.ts'

interface Parts {
  readonly aggregates: Pick<Aggregates, 'instance'>
  /** The policy in the operator's settings. */
  readonly settings: InstancePolicy
  /** Seals secrets that are changed while the instance runs. */
  readonly secrets: SealedBox
}

/** The purpose of the sealed box for the instance's secrets. */
export const instanceSecrets = 'instance policy'

const secretContext = ['single sign-on', 'client secret'] as const

/** The policy of the instance: the operator's settings, with changes made at run time laid over them. */
export function policiesOverSettings({ aggregates, settings, secrets }: Parts): InstancePolicies {
  const opened = (changes: PolicyChanges): PolicyChanges =>
    withSecret(changes, (sealed) => secrets.open(secretContext, Buffer.from(sealed, 'base64')))
  const sealed = (changes: PolicyChanges): PolicyChanges =>
    withSecret(changes, (text) => secrets.seal(secretContext, text).toString('base64'))
  const standing = async () => {
    const { state } = await aggregates.instance.load(theInstance)
    const policy = policyWith(settings, opened(state.changes))
    return state.status === 'uninhabited'
      ? { policy, identityIsFixed: false }
      : { policy: { ...policy, accountIdentity: state.accountIdentity }, identityIsFixed: true }
  }
  return {
    over: (changes) => policyWith(settings, opened(changes)),
    current: async () => (await standing()).policy,
    standing,
    change: async (changes, context, { duringSetup = false } = {}) => {
      const { now } = context
      const command = { type: 'ChangeInstancePolicy', changes: sealed(changes), settings, duringSetup, now } as const
      await aggregates.instance.execute(theInstance, command, context)
    },
    fixAccountIdentity: (context) => fixAccountIdentity(aggregates, standing, context),
  }
}

async function fixAccountIdentity(
  { instance }: Parts['aggregates'],
  standing: InstancePolicies['standing'],
  context: CommandContext,
): Promise<void> {
  const { policy, identityIsFixed } = await standing()
  if (identityIsFixed) return
  const { accountIdentity } = policy
  await instance.execute(theInstance, { type: 'FixAccountIdentity', accountIdentity, now: context.now }, context)
}

function withSecret(changes: PolicyChanges, turn: (secret: string) => string): PolicyChanges {
  const { singleSignOn } = changes
  const secret = singleSignOn?.clientSecret
  if (secret === undefined || secret === null) return changes
  return { ...changes, singleSignOn: { ...singleSignOn, clientSecret: turn(secret) } }
}
