import { noDiscriminator } from '../../../domain/handle/state.js'
import type { AccountId } from '../../../domain/ids/ids.js'
import { normalised } from '../../../domain/text/normalise.js'
import type { Ports } from '../../ports.js'
import type { ClaimedTag } from './claim-identity.js'

/** How long the text of a tag may be that somebody signs in with: the longest one, and some space around it. */
export const tagTextLength = { min: 1, max: 64 }

/** Nobody can have it, so it stands for what is no tag. */
const nobodysTag: ClaimedTag = { username: 'everyone', discriminator: noDiscriminator }

/**
 * The tag that somebody means, with the username in lower case: `Ada#1815`, or the username alone where those are unique alone.
 * What can't be a tag is one that nobody has.
 */
export function tagMeant(text: string): ClaimedTag {
  const parts = /^(?<username>[A-Za-z0-9_]{1,32})(?:#(?<discriminator>\d{1,4}))?$/.exec(normalised(text))?.groups
  if (!parts) return nobodysTag
  const { username = '', discriminator } = parts
  return {
    username: username.toLowerCase(),
    discriminator: discriminator === undefined ? noDiscriminator : Number(discriminator),
  }
}

/** The same text for all texts that mean one tag. */
export function tagKey({ username, discriminator }: ClaimedTag): string {
  return `${username}#${discriminator}`
}

/** Who has a tag; undefined for nobody. */
export async function holderOfTag(
  { aggregates }: Pick<Ports, 'aggregates'>,
  { username, discriminator }: ClaimedTag,
): Promise<AccountId | undefined> {
  const { state } = await aggregates.handle.load(username)
  const held = state.status === 'claimed' ? state.held : []
  return held.find(([taken]) => taken === discriminator)?.[1]
}
