import { mayByAcl } from '../acls/acl-bound.ts'
import type { Caller } from '../../caller.ts'
import {
  instanceConfigObject,
  type ListedRegistrations,
} from '../../wire-objects/administration/instance-config-object.ts'
import type { InstanceConfigObject } from '../../wire-objects/administration/instance-config-schema.ts'
import type { Ports } from '../../ports.ts'
import { listPendingRegistrations } from '../../identity/registrations/pending-registrations.ts'
import { listRegistrationUrls } from '../../identity/registrations/registration-urls.ts'

export type ConfigNeeds = Pick<Ports, 'instance' | 'instancePolicies' | 'mail' | 'queries'>

/**
 * The instance's configuration without its secrets. Callers admitted by the setup alone, as any session is until it is
 * over, see neither the registrations that wait for approval nor the registration URLs.
 */
export function readInstanceConfig(ports: ConfigNeeds) {
  return async (caller: Caller): Promise<InstanceConfigObject> => {
    const { instance, instancePolicies, mail } = ports
    const { policy, identityIsFixed } = await instancePolicies.standing()
    const { hosted, serviceName, publicUrl } = instance
    const isAdmin = policy.setup.configured || mayByAcl(caller, 'instance:config:view', 'instance:config:update')
    const registrations = isAdmin ? await listed(ports) : { urls: [], pending: [] }
    return instanceConfigObject(policy, {
      identityIsFixed,
      hosted,
      serviceName,
      publicUrl,
      canSendMail: mail.canSend,
      registrations,
    })
  }
}

async function listed(ports: ConfigNeeds): Promise<ListedRegistrations> {
  const [urls, pending] = await Promise.all([listRegistrationUrls(ports)(), listPendingRegistrations(ports)()])
  return { urls, pending }
}
