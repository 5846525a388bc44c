import type { AccountId, RegistrationUrlId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { joinOneCommunity, type CommunityNeeds } from '../../communities/guilds/one-community.ts'
import { readInstanceConfig, type ConfigNeeds } from '../instance/read-instance-config.ts'
import { actOnAccount, type ActNeeds } from '../acls/act-on-account.ts'
import type { InstanceConfigObject } from '../../wire-objects/administration/instance-config-schema.ts'
import type { Ports } from '../../ports.ts'
import { decideRegistration, type RegistrationDecision } from '../../identity/registrations/pending-registrations.ts'
import {
  createRegistrationUrl,
  revokeRegistrationUrl,
  type NewRegistrationUrl,
  type RegistrationUrlWishes,
} from '../../identity/registrations/registration-urls.ts'

type Needs = ConfigNeeds & Pick<Ports, 'aggregates' | 'readModels'>

/** Creates a registration URL in the name of an administrator. */
export function createRegistrationUrlAsAdmin(ports: Pick<Ports, 'aggregates' | 'instance'>) {
  const create = createRegistrationUrl(ports)
  return ({ context }: Caller, wishes: RegistrationUrlWishes): Promise<NewRegistrationUrl> => create(context, wishes)
}

/** Revokes a registration URL, and gives the new configuration. */
export function revokeRegistrationUrlAsAdmin(ports: Needs) {
  const revoke = revokeRegistrationUrl(ports)
  return async (caller: Caller, id: RegistrationUrlId): Promise<InstanceConfigObject> => {
    await revoke(caller.context, id)
    return configThen(ports, caller)
  }
}

/**
 * Approves or rejects a waiting registration, and gives the new configuration. An approved account joins the one
 * community, if there is one; an account that was approved before does not join again. Refuses as `decideRegistration`,
 * and to reject as `requireMayAct`. See rules/administration#registrations.
 */
export function decideRegistrationAsAdmin(ports: ActNeeds & Needs & CommunityNeeds) {
  const decide = decideRegistration(ports)
  return async (caller: Caller, id: AccountId, decision: RegistrationDecision): Promise<InstanceConfigObject> => {
    const act = { act: 'Update pending registration', closes: () => true } as const
    const decided = await (decision === 'approved'
      ? decide(caller.context, id, decision)
      : actOnAccount(ports, caller, id, act, (guard) => decide(caller.context, id, decision, guard)))
    if (decision === 'approved' && decided === 'decided')
      await joinOneCommunity(ports, { accountId: id, ip: null }, caller.context)
    return configThen(ports, caller)
  }
}

async function configThen(ports: Needs, caller: Caller): Promise<InstanceConfigObject> {
  await ports.readModels.reached(caller.context.written)
  return readInstanceConfig(ports)(caller)
}
