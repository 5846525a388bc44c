import type { AccountId } from '../../../domain/ids/ids.ts'
import { emojiKey, type ReactionEmoji } from '../../../domain/messages/reactions.ts'
import { viewerOf, type Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { deletedAccount } from '../../wire-objects/identity/deleted-account.ts'
import { needsThreadAccess } from '../../wire-objects/conversations/message-objects.ts'
import { partialUserObject, type PartialUserObject } from '../../wire-objects/identity/user-objects.ts'
import { requireReadable } from '../messages/rules/readable-message.ts'
import { requireReactionPlace, type ReactedMessage, type ReactionNeeds } from './reaction-places.ts'

/** The wanted page of accounts that reacted with an emoji. */
export interface ReactorsPage extends ReactedMessage {
  readonly emoji: ReactionEmoji
  readonly after: AccountId | undefined
  readonly limit: number
}

export interface Reactors {
  readonly items: readonly PartialUserObject[]
  /** The last account of the page if more follow; null if none do. */
  readonly next: AccountId | null
}

/**
 * The accounts that reacted to a message with an emoji, by their ids. Refuses as `requireTextChannel` does, whatever the
 * caller's age, then with 403 MISSING_PERMISSIONS or 404 UNKNOWN_MESSAGE as for reading it. See rules/messages#reactions.
 */
export function listReactors(ports: ReactionNeeds) {
  return async (caller: Caller, { channelId, messageId, emoji, after, limit }: ReactorsPage): Promise<Reactors> => {
    const place = await requireReactionPlace(ports, caller, channelId)
    const message = await requireReadable(ports, place, messageId)
    if (needsThreadAccess(message) && !viewerOf(caller).threadAccess) return reject('UNKNOWN_MESSAGE')
    const found = await ports.reactions.accountsOf({ channelId, messageId, emoji: emojiKey(emoji) }, after, limit + 1)
    const page = found.slice(0, limit)
    const records = new Map((await ports.queries.accounts.findMany(page)).map((record) => [record.id, record]))
    return {
      items: page.map((id) => partialUserObject(records.get(id) ?? deletedAccount(id))),
      next: found.length > limit ? (page.at(-1) ?? null) : null,
    }
  }
}
