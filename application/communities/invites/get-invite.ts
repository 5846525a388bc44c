import type { InviteCode } from '../../../domain/ids/ids.ts'
import type { Caller, Requester } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { groupInviteObject, inviteObject, type InviteObject } from '../../wire-objects/communities/invite-objects.ts'
import type { GroupInviteRecord } from '../../ports/queries/invite-queries.ts'
import type { Ports } from '../../ports.ts'
import { channelIn, findInvite, type GuildInvite } from './find-invite.ts'
import { findWithinGuesses } from './invite-guesses.ts'
import { groupInvitePartsIn, invitePartsIn } from './invite-parts.ts'

type Needs = Pick<Ports, 'queries' | 'presence' | 'allowances'>

/**
 * The public view of an invite, the same for every caller. Refuses with RATE_LIMITED after too many unknown codes,
 * UNKNOWN_INVITE, UNKNOWN_GUILD if its guild was deleted, UNKNOWN_CHANNEL if its channel was deleted (rules/invites#get).
 */
export function getInvite(ports: Needs) {
  return async (requester: Requester & Partial<Pick<Caller, 'account'>>, code: InviteCode): Promise<InviteObject> => {
    const found = await findWithinGuesses(ports, requester, code, () => findInvite(ports, code, requester.context))
    if (!found) return reject('UNKNOWN_INVITE')
    return found.kind === 'group' ? toPrivateChannel(ports, found.invite) : toGuild(ports, found)
  }
}

async function toGuild(ports: Needs, found: GuildInvite): Promise<InviteObject> {
  const { guilds, members } = ports.queries
  const [guild, memberCount] = await Promise.all([guilds.find(found.guildId), members.countOf(found.guildId)])
  if (!guild) return reject('UNKNOWN_GUILD')
  const channel = channelIn(guild, found)
  return inviteObject(await invitePartsIn(ports, { guild, channel, memberCount }, found.invite))
}

async function toPrivateChannel(ports: Needs, invite: GroupInviteRecord): Promise<InviteObject> {
  const channel = await ports.queries.privateChannels.find(invite.channelId)
  if (!channel) return reject('UNKNOWN_CHANNEL')
  return groupInviteObject((await groupInvitePartsIn(ports, channel, invite)) ?? reject('UNKNOWN_INVITE'))
}
