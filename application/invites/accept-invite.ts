import { disabledOperationBits, isUnavailable, type Guild } from '../../domain/guild/state.js'
import { membershipId, type InviteCode } from '../../domain/ids/ids.js'
import { isBanned } from '../../domain/membership/membership.js'
import { requireUnlimited } from '../access/account-standing.js'
import { admitByInvite } from '../admission/admit-by-invite.js'
import { withinAccountsGuilds, withinGuildsMembers } from '../admission/member-room.js'
import type { Caller } from '../caller.js'
import { reject } from '../commands/refused.js'
import { inviteObject, type InviteObject } from '../objects/invite-objects.js'
import { isStaff } from '../objects/user-objects.js'
import type { InviteRecord } from '../ports/queries/invite-queries.js'
import type { Ports } from '../ports.js'
import { findInviteToAccept } from './find-invite.js'
import { findWithinGuesses } from './invite-guesses.js'
import { invitePartsIn } from './invite-parts.js'

type Needs = Pick<Ports, 'aggregates' | 'queries' | 'readModels' | 'room' | 'limits' | 'presence' | 'allowances'>

/**
 * Lets the caller into the guild of an invite. For a member already nothing happens, no use is taken. Refuses, in this
 * order: RATE_LIMITED after too many codes that are no invite's, ACCOUNT_LIMITED, UNKNOWN_INVITE, UNKNOWN_GUILD,
 * MISSING_ACCESS, USER_BANNED_FROM_GUILD, INVITES_DISABLED, FEATURE_TEMPORARILY_DISABLED, MAX_GUILDS, MAX_GUILD_MEMBERS,
 * TEMPORARY_INVITE_REQUIRES_PRESENCE, and UNKNOWN_INVITE where the last use went to somebody else meanwhile. Contract: part
 * 1, Accept invite; supplement, order of checks.
 */
export function acceptInvite(ports: Needs) {
  return async (caller: Caller, code: InviteCode): Promise<InviteObject> => {
    const { queries } = ports
    const invite = await findWithinGuesses(ports, caller, () => findInviteToAccept(ports, code, caller.context))
    const found = invite && (await queries.guilds.findFor(invite.guildId, caller.account.id))
    if (!found?.member) requireUnlimited(caller)
    if (!invite) return reject('UNKNOWN_INVITE')
    if (!found) return reject('UNKNOWN_GUILD')
    if (!found.member) await admit(ports, caller, invite, found.guild)
    const memberCount = found.member ? found.memberCount : await queries.members.countOf(found.guild.id)
    return render(ports, invite, found.guild, memberCount)
  }
}

/** The channel may be gone: the account has joined nevertheless (contract part 1, Accept invite). */
async function render(ports: Needs, invite: InviteRecord, guild: Guild, memberCount: number): Promise<InviteObject> {
  const channel = guild.channels.find(({ id }) => id === invite.channelId)
  if (!channel) return reject('UNKNOWN_CHANNEL')
  return inviteObject(await invitePartsIn(ports, { guild, channel, memberCount }, invite))
}

async function admit(ports: Needs, caller: Caller, invite: InviteRecord, guild: Guild): Promise<void> {
  await checkAdmissible(ports, caller, guild)
  await withinAccountsGuilds(ports, caller.account, () =>
    withinGuildsMembers(ports, guild, async () => {
      await checkPresent(ports, caller, invite)
      await admitByInvite(ports, invite, caller.account.id, caller.context)
      return 'admitted'
    }),
  )
}

async function checkAdmissible({ aggregates }: Needs, { account, context }: Caller, guild: Guild): Promise<void> {
  if (isUnavailable(guild, isStaff(account))) reject('MISSING_ACCESS')
  const { state } = await aggregates.membership.load(membershipId(guild.id, account.id))
  if (isBanned(state, context.now)) reject('USER_BANNED_FROM_GUILD')
  const { features, settings } = guild
  if (features.includes('INVITES_DISABLED') || features.includes('RAID_DETECTED')) reject('INVITES_DISABLED')
  if (settings.disabledOperations & disabledOperationBits.INSTANT_INVITES) reject('FEATURE_TEMPORARILY_DISABLED')
}

async function checkPresent({ presence }: Needs, { account }: Caller, { temporary }: InviteRecord): Promise<void> {
  if (temporary && !(await presence.isPresent(account.id))) reject('TEMPORARY_INVITE_REQUIRES_PRESENCE')
}
