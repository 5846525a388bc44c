import { noDiscriminator } from '../../../domain/handle/state.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { normalised } from '../../../domain/text/normalise.ts'
import type { Ports } from '../../ports.ts'
import type { ClaimedTag } from './claim-identity.ts'

/** The allowed length of a tag's text at sign-in: the longest tag, with some space around it. */
export const tagTextLength = { min: 1, max: 64 }

/** Stands for text that is not a tag: nobody can have this one. */
const nobodysTag: ClaimedTag = { username: 'everyone', discriminator: noDiscriminator }

/**
 * The tag that a text means, with the username in lower case: `Ada#1815`, or the username alone where usernames alone are unique.
 * Text that cannot be a tag gives a tag that nobody has.
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

/** The same key for all texts that mean the same tag. */
export function tagKey({ username, discriminator }: ClaimedTag): string {
  return `${username}#${discriminator}`
}

/** The account that has a tag; undefined if nobody does. */
export async function holderOfTag(
  { aggregates }: Pick<Ports, 'aggregates'>,
  { username, discriminator }: ClaimedTag,
): Promise<AccountId | undefined> {
  const { state } = await aggregates.handle.load(username)
  const held = state.status === 'claimed' ? state.held : []
  return held.find(([taken]) => taken === discriminator)?.[1]
}
