import type { Guild } from '../../../domain/guild/state.ts'
import type { InviteCode } from '../../../domain/ids/ids.ts'
import { requireUnlimited } from '../../access/account-standing.ts'
import { admitByCustomUrl, admitByInvite } from '../admission/admit-by-invite.ts'
import { withinAccountsAndGuild } from '../admission/within-members.ts'
import { newcomerOf, requireAdmissible } from '../admission/require-admissible.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { inviteObject, type InviteObject } from '../../wire-objects/communities/invite-objects.ts'
import type { GuildWithNewcomer } from '../../ports/queries/guild-queries.ts'
import type { Ports } from '../../ports.ts'
import { acceptGroupInvite } from './accept-group-invite.ts'
import { channelIn, findInviteToAccept, type GuildInvite } from './find-invite.ts'
import { findWithinGuesses } from './invite-guesses.ts'
import { invitePartsIn } from './invite-parts.ts'

type Needs = Pick<
  Ports,
  'aggregates' | 'locks' | 'queries' | 'readModels' | 'reservations' | 'limits' | 'presence' | 'allowances' | 'messages'
>

/**
 * Adds the caller to the guild or group of an invite. A caller who is in it already changes nothing and takes no use. Refuses, in
 * this order: RATE_LIMITED after too many unknown codes, ACCOUNT_LIMITED, UNKNOWN_INVITE; for a guild UNKNOWN_GUILD,
 * MISSING_ACCESS, USER_BANNED_FROM_GUILD, USER_IP_BANNED_FROM_GUILD, INVITES_DISABLED, FEATURE_TEMPORARILY_DISABLED, MAX_GUILDS,
 * MAX_GUILD_MEMBERS, TEMPORARY_INVITE_REQUIRES_PRESENCE, UNKNOWN_INVITE if somebody else took the last use meanwhile, and
 * UNKNOWN_CHANNEL, once the caller is a member, if the channel was deleted. Why in this order: rules/invites#accept.
 */
export function acceptInvite(ports: Needs) {
  return async (caller: Caller, code: InviteCode): Promise<InviteObject> => {
    const found = await findWithinGuesses(ports, caller, code, () => findInviteToAccept(ports, code, caller.context))
    if (!found) {
      requireUnlimited(caller)
      return reject('UNKNOWN_INVITE')
    }
    return found.kind === 'group' ? acceptGroupInvite(ports, caller, found.invite) : enterGuild(ports, caller, found)
  }
}

async function enterGuild(ports: Needs, caller: Caller, invite: GuildInvite): Promise<InviteObject> {
  const { queries } = ports
  const found = await queries.guilds.findForNewcomer(invite.guildId, newcomerOf(caller), caller.context.now)
  if (!found?.member) requireUnlimited(caller)
  if (!found) return reject('UNKNOWN_GUILD')
  // A custom invite URL without a channel to lead to admits nobody. An invite whose channel was deleted still admits.
  if (invite.kind === 'custom') channelIn(found.guild, invite)
  const memberCount = found.member ? found.memberCount : await admit(ports, caller, invite, found)
  return render(ports, invite, found.guild, memberCount ?? (await queries.members.countOf(found.guild.id)))
}

/** Refuses with UNKNOWN_CHANNEL if the channel was deleted: the account has joined nevertheless. */
async function render(ports: Needs, found: GuildInvite, guild: Guild, memberCount: number): Promise<InviteObject> {
  const channel = channelIn(guild, found)
  return inviteObject(await invitePartsIn(ports, { guild, channel, memberCount }, found.invite))
}

/** Gives how many members the guild has after it; undefined if another request of the account came first. */
async function admit(
  ports: Needs,
  caller: Caller,
  invite: GuildInvite,
  found: GuildWithNewcomer,
): Promise<number | undefined> {
  requireAdmissible(caller, found)
  const { account, context } = caller
  const admitted = await withinAccountsAndGuild(ports, account, found.guild, async () => {
    await checkPresent(ports, caller, invite)
    const newcomer = newcomerOf(caller)
    return invite.kind === 'guild'
      ? admitByInvite(ports, invite.invite, newcomer, context)
      : admitByCustomUrl(ports, invite.guildId, newcomer, context)
  })
  return admitted === 'member_already' ? undefined : admitted.memberCount
}

async function checkPresent({ presence }: Needs, { account }: Caller, { invite }: GuildInvite): Promise<void> {
  if (invite.temporary && !(await presence.isPresent(account.id))) reject('TEMPORARY_INVITE_REQUIRES_PRESENCE')
}
