import { isAdult } from '../../domain/account/is-adult.js'
import { isAgeRestricted, type Channel } from '../../domain/guild/channel.js'
import type { Guild } from '../../domain/guild/state.js'
import type { Caller } from '../caller.js'
import { reject } from '../commands/refused.js'

/** Demands an age-verified account in an age-restricted channel: 403 NSFW_CONTENT_AGE_RESTRICTED. */
export function requireAge(guild: Guild, channel: Channel, caller: Caller): void {
  if (isAgeRestricted(channel, guild) && !isAdult(caller.account, caller.context.now))
    reject('NSFW_CONTENT_AGE_RESTRICTED')
}
