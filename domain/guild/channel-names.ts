import { isBlank } from '../text/normalise.ts'
import { has, type Channel, type ChannelType } from './channel.ts'
import type { GuildFeature } from './features.ts'

/** ASCII punctuation and control characters. Hyphens and underscores stay, as do letters, numbers and emoji of all scripts. */
const disallowed = /[!-,./:-@[-^`{-~]|\p{Cc}|\p{Cs}/gu

/** The maximum length of a name: some letters become two in lower case, so the name may have grown. */
const longest = /^.{0,100}/su

/** A name in the form of text channels: trimmed, in lower case, with hyphens for whitespace; `''` if nothing visible is left. */
export function textChannelName(name: string): string {
  const kept = name.trim().toLowerCase().replace(/\s+/g, '-').replace(disallowed, '')
  return isBlank(kept) ? '' : (longest.exec(kept)?.[0] ?? '')
}

/**
 * The name that a channel of a type gets in a guild with these features: as sent with TEXT_CHANNEL_FLEXIBLE_NAMES, else
 * in the plain form of text channels (rules/channels#names).
 */
export function channelName(type: ChannelType, name: string, features: readonly GuildFeature[]): string {
  return has(type, 'textName') && !features.includes('TEXT_CHANNEL_FLEXIBLE_NAMES') ? textChannelName(name) : name
}

export interface ChannelName {
  readonly channelId: Channel['id']
  readonly name: string
}

/**
 * The names that change when a guild loses flexible names: those of text and announcement channels; forum and media
 * channels keep theirs. A name that would become empty stays too.
 */
export function namesWithoutFlexibility(channels: readonly Channel[]): readonly ChannelName[] {
  return channels.flatMap(({ id: channelId, type, name: before }) => {
    const name = textChannelName(before)
    return has(type, 'messages') && name !== before && name !== '' ? [{ channelId, name }] : []
  })
}
