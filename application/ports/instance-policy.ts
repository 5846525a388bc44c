import type { InstancePolicy, PolicyChanges } from '../../domain/instance/policy.ts'
import type { CommandContext } from '../commands/command-context.ts'

/** The current policy, and whether the identity of accounts is fixed. */
export interface PolicyInForce {
  readonly policy: InstancePolicy
  readonly identityIsFixed: boolean
}

/** The current policy: the operator's settings, with later changes laid over them. */
export interface InstancePolicies {
  /** What the policy is with these changes, as they are stored: their secret is opened. */
  readonly over: (changes: PolicyChanges) => InstancePolicy
  /** Reads the instance's own stream, so changes by any process count at once. */
  readonly current: () => Promise<InstancePolicy>
  readonly standing: () => Promise<PolicyInForce>
  /**
   * Lays changes over the settings. The secret among them is sealed before it is stored. Refuses with
   * INSTANCE_POLICY_TRANSITION_NOT_ALLOWED, and with MISSING_PERMISSIONS for setup-only changes once the setup is over.
   */
  readonly change: (
    changes: PolicyChanges,
    context: CommandContext,
    options?: { readonly duringSetup?: boolean },
  ) => Promise<void>
  /** Fixes the identity of accounts once there are any accounts. */
  readonly fixAccountIdentity: (context: CommandContext) => Promise<void>
}
