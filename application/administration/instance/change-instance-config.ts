import {
  policyWith,
  type InstancePolicy,
  type PolicyChanges,
  type SingleSignOnPolicy,
} from '../../../domain/instance/policy.ts'
import { mayByAcl } from '../acls/acl-bound.ts'
import { inAclQueue } from '../../access/acl-queue.ts'
import { requireGrantable } from '../acls/require-grantable.ts'
import { sessionOf } from '../../access/by-session.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { planGuild, type GuildPlan } from '../../communities/guilds/create-guild.ts'
import type { InstanceConfigObject } from '../../wire-objects/administration/instance-config-schema.ts'
import type { Ports } from '../../ports.ts'
import { readInstanceConfig } from './read-instance-config.ts'

/** The parsed body of Update instance configuration. */
export interface InstanceConfigWishes {
  readonly changes: PolicyChanges
  /** The name of the one community, if it has to be founded, 1-100 characters; null for the name of the product. */
  readonly communityName: string | null
}

type Needs = Pick<
  Ports,
  'aggregates' | 'instance' | 'instancePolicies' | 'locks' | 'mail' | 'queries' | 'readModels' | 'reservations'
>

/**
 * Changes the configuration of the instance: all of it, or nothing if one part is refused. Turning single community on
 * adopts the designated guild, or founds a new one for the caller. The session that finishes the setup is granted `*`.
 * Refuses with INSTANCE_POLICY_TRANSITION_NOT_ALLOWED, also for starting the setup again, with MISSING_PERMISSIONS for
 * callers admitted by the setup alone, once it is over, and as `requireEveryAcl`. See
 * rules/administration#instance-configuration.
 */
export function changeInstanceConfig(ports: Needs) {
  return async (caller: Caller, wishes: InstanceConfigWishes): Promise<InstanceConfigObject> => {
    const { setup, singleSignOn } = await ports.instancePolicies.current()
    const { configured } = wishes.changes.setup ?? {}
    if (configured === false && setup.configured) reject('INSTANCE_POLICY_TRANSITION_NOT_ALLOWED')
    const finishesSetup = configured === true && !setup.configured
    const duringSetup = finishesSetup || !mayByAcl(caller, 'instance:config:update')
    if (setup.configured && choosesProvider(singleSignOn, wishes.changes)) await requireEveryAcl(ports, caller)
    if (wishes.changes.community?.singleCommunity === true) await toOneCommunity(ports, caller, wishes, duringSetup)
    else await ports.instancePolicies.change(wishes.changes, caller.context, { duringSetup })
    if (finishesSetup && sessionOf(caller) !== undefined) await grantAll(ports, caller)
    return readInstanceConfig(ports)(caller)
  }
}

/** What decides whom the instance takes a person for. */
const trusted = [
  'issuer',
  'authorizationUrl',
  'tokenUrl',
  'userinfoUrl',
  'jwksUrl',
  'clientId',
  'clientSecret',
] as const

const choosesProvider = (known: SingleSignOnPolicy, { singleSignOn = {} }: PolicyChanges): boolean =>
  trusted.some((part) => singleSignOn[part] !== undefined && singleSignOn[part] !== known[part])

/**
 * Whoever chooses the OpenID provider can sign in to every account whose address it vouches for, so that takes every
 * ACL. Refuses with MISSING_ACL without `*`, and as `requireGrantable`. Decision 86.
 */
async function requireEveryAcl(ports: Needs, caller: Caller): Promise<void> {
  if (caller.credential.kind === 'bot' || caller.credential.kind === 'command_line') return
  await inAclQueue(ports, () => requireGrantable(ports, caller, ['*'], 'instance:config:update'))
}

/** If several callers do this at once, in any processes, one founds a guild and the others adopt it. */
async function toOneCommunity(
  ports: Needs,
  caller: Caller,
  { changes, communityName }: InstanceConfigWishes,
  duringSetup: boolean,
): Promise<void> {
  const done = await ports.locks.holding('the one community', async () => {
    const policy = await ports.instancePolicies.current()
    const { branding } = policyWith(policy, changes)
    const name = communityName ?? branding.productName ?? ports.instance.serviceName
    const plan = await guildToFound(ports, caller, policy, name)
    const community = { ...changes.community, ...(plan && { guildId: plan.guildId }) }
    // Comes before the guild is founded, since this may be refused. If the process dies between the two, the next try founds a
    // guild.
    await ports.instancePolicies.change({ ...changes, community }, caller.context, { duringSetup })
    await plan?.found()
  })
  if (done === undefined) reject('SERVICE_UNAVAILABLE')
}

/** Founds none if the designated guild still exists. After the setup, a guild must have been designated. */
async function guildToFound(
  ports: Needs,
  caller: Caller,
  { community, setup }: InstancePolicy,
  name: string,
): Promise<GuildPlan | undefined> {
  const { guildId } = community
  if (guildId === null && setup.configured) reject('INSTANCE_POLICY_TRANSITION_NOT_ALLOWED')
  const found = guildId === null ? undefined : (await ports.aggregates.guild.load(guildId)).state
  if (found?.status === 'active') return undefined
  return planGuild(ports, caller, name)
}

async function grantAll(ports: Pick<Needs, 'aggregates' | 'locks'>, { account, context }: Caller): Promise<void> {
  const grant = { type: 'GrantAcls', accountId: account.id, acls: ['*'] } as const
  await inAclQueue(ports, () => ports.aggregates.account.execute(account.id, grant, context))
}
