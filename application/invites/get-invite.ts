import type { InviteCode } from '../../domain/ids/ids.js'
import type { Caller, Requester } from '../caller.js'
import { reject } from '../commands/refused.js'
import { inviteObject, type InviteObject } from '../objects/invite-objects.js'
import type { Ports } from '../ports.js'
import { findWithinGuesses } from './invite-guesses.js'
import { invitePartsIn } from './invite-parts.js'

type Needs = Pick<Ports, 'queries' | 'presence' | 'allowances'>

/**
 * An invite as anybody sees it, the same for every caller. Refuses with RATE_LIMITED after too many codes that are no
 * invite's, UNKNOWN_INVITE, UNKNOWN_GUILD where its guild is gone, UNKNOWN_CHANNEL where its channel is. Contract: part 1, Get
 * invite.
 */
export function getInvite(ports: Needs) {
  return async (requester: Requester & Partial<Pick<Caller, 'account'>>, code: InviteCode): Promise<InviteObject> => {
    const { invites, guilds, members } = ports.queries
    const invite = await findWithinGuesses(ports, requester, () => invites.find(code, requester.context.now))
    if (!invite) return reject('UNKNOWN_INVITE')
    const [guild, memberCount] = await Promise.all([guilds.find(invite.guildId), members.countOf(invite.guildId)])
    if (!guild) return reject('UNKNOWN_GUILD')
    const channel = guild.channels.find(({ id }) => id === invite.channelId)
    if (!channel) return reject('UNKNOWN_CHANNEL')
    return inviteObject(await invitePartsIn(ports, { guild, channel, memberCount }, invite))
  }
}
