import { instanceSecrets, policiesOverSettings } from '../application/administration/instance/policies-over-settings.ts'
import type { Aggregates } from '../application/ports.ts'
import type { InstancePolicies } from '../application/ports/instance-policy.ts'
import { sealedBox } from '../application/secrets/sealed-box.ts'
import type { InstancePolicy } from '../domain/instance/policy.ts'

/** The instance's policies over the operator's settings, with their secrets sealed by the key of personal data. */
export function instancePoliciesOver(
  aggregates: Pick<Aggregates, 'instance'>,
  settings: InstancePolicy,
  personalDataKey: Uint8Array,
): InstancePolicies {
  return policiesOverSettings({ aggregates, settings, secrets: sealedBox(personalDataKey, instanceSecrets) })
}
