import { visible } from '../text/normalise.js'
import { has, type Channel, type ChannelType } from './channel.js'
import type { GuildFeature } from './features.js'

/** ASCII punctuation and controls; hyphens and underscores stay, and so do letters, numbers and emoji of all scripts. */
const disallowed = /[!-,./:-@[-^`{-~]|\p{Cc}|\p{Cs}/gu

/** The characters that a name may have at most: some letters are two in lower case, so that it may have grown. */
const longest = /^.{0,100}/su

/**
 * A name as text channels have it: trimmed, in lower case, with hyphens for whitespace; `''` where nothing is left that anybody
 * sees.
 */
export function textChannelName(name: string): string {
  const kept = name.trim().toLowerCase().replace(/\s+/g, '-').replace(disallowed, '')
  return visible(kept) === '' ? '' : (longest.exec(kept)?.[0] ?? '')
}

/** The name that a channel of a type gets in a guild with these features (contract part 1, TEXT_CHANNEL_FLEXIBLE_NAMES). */
export function channelName(type: ChannelType, name: string, features: readonly GuildFeature[]): string {
  return has(type, 'textName') && !features.includes('TEXT_CHANNEL_FLEXIBLE_NAMES') ? textChannelName(name) : name
}

export interface ChannelName {
  readonly channelId: Channel['id']
  readonly name: string
}

/**
 * The names that change once the guild takes no flexible ones any more: those of text and announcement channels, forum and
 * media ones keep theirs (contract part 1, Modify guild). A name of which nothing would be left stays too.
 */
export function namesWithoutFlexibility(channels: readonly Channel[]): readonly ChannelName[] {
  return channels.flatMap(({ id: channelId, type, name: before }) => {
    const name = textChannelName(before)
    return has(type, 'messages') && name !== before && name !== '' ? [{ channelId, name }] : []
  })
}
