import type { InstancePolicy, PolicyChanges } from '../../domain/instance/policy.js'
import type { CommandContext } from '../commands/command-context.js'

/** The policy as it stands, and whether what accounts are known by can still become another. */
export interface StandingPolicy {
  readonly policy: InstancePolicy
  readonly identityIsFixed: boolean
}

/** The policy as it stands: the operator's settings, and over them what was changed since. */
export interface InstancePolicies {
  /** Read from the instance's own stream: what any process has changed counts at once. */
  readonly current: () => Promise<InstancePolicy>
  readonly standing: () => Promise<StandingPolicy>
  /**
   * Lays changes over the settings; the secret among them is sealed before it is kept. Refuses with
   * INSTANCE_POLICY_TRANSITION_NOT_ALLOWED, and with MISSING_PERMISSIONS what is for the time of the setup alone, once it is
   * over.
   */
  readonly change: (
    changes: PolicyChanges,
    context: CommandContext,
    options?: { readonly duringSetup?: boolean },
  ) => Promise<void>
  /** Keeps what accounts are known by as it is, once there are any. */
  readonly fixAccountIdentity: (context: CommandContext) => Promise<void>
}
