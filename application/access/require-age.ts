import { isAdult } from '../../domain/account/is-adult.ts'
import { isAgeRestricted, type Channel } from '../../domain/guild/channel.ts'
import type { Guild } from '../../domain/guild/state.ts'
import type { Caller } from '../caller.ts'
import { reject } from '../commands/refused.ts'

/** Demands an age-verified account in an age-restricted channel: 403 NSFW_CONTENT_AGE_RESTRICTED. */
export function requireAge(guild: Guild, channel: Channel, caller: Caller): void {
  if (isAgeRestricted(channel, guild) && !isAdult(caller.account, caller.context.now))
    reject('NSFW_CONTENT_AGE_RESTRICTED')
}
