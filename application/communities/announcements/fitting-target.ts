import { isAgeRestricted, type Channel } from '../../../domain/guild/channel.ts'
import type { Guild } from '../../../domain/guild/state.ts'
import type { ErrorCode } from '../../../domain/kernel/error-codes.ts'

/** A channel in its guild. */
export interface ChannelInGuild {
  readonly guild: Guild
  readonly channel: Channel
}

/** Why a channel may not follow another; undefined if it may. What not everybody may see is copied only to where the same is said. */
export function misfitOf(source: ChannelInGuild, target: ChannelInGuild): ErrorCode | undefined {
  const isRestricted = isAgeRestricted(target.channel, target.guild)
  if (isAgeRestricted(source.channel, source.guild) && !isRestricted) return 'FOLLOW_TARGET_NOT_AGE_RESTRICTED'
  if (isWarned(source) && !isWarned(target) && !isRestricted) return 'FOLLOW_TARGET_CONTENT_WARNING_REQUIRED'
  return undefined
}

function isWarned({ guild, channel }: ChannelInGuild): boolean {
  return channel.contentWarningLevel !== 0 || guild.settings.contentWarningLevel !== 0
}
