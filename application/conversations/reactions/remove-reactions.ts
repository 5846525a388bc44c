import type { ReactionEmoji } from '../../../domain/messages/reactions.ts'
import { lacking } from '../../../domain/permissions/authority.ts'
import { requirePermission } from '../../access/guild-access.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Message } from '../../ports/messages.ts'
import { isReadable, requireAnyHistory } from '../messages/rules/readable-message.ts'
import type { TextPlace } from '../messages/text-places.ts'
import {
  changeReactions,
  requireReactionPlace,
  requireReactionsEnabled,
  type OtherReaction,
  type OwnReaction,
  type ReactedMessage,
  type ReactionNeeds,
} from './reaction-places.ts'

/**
 * Takes back the caller's own reaction, and tells of it even if it was not there. Does nothing for a message that the caller
 * cannot find. Refuses as `requireTextChannel` does, whatever the caller's age, then with 403 FEATURE_TEMPORARILY_DISABLED, and
 * MISSING_PERMISSIONS for a message whose reader can read no history. See rules/messages#remove-reactions.
 */
export function removeOwnReaction(ports: ReactionNeeds) {
  return async (caller: Caller, { channelId, messageId, emoji, sessionId }: OwnReaction): Promise<void> => {
    const place = await placeOf(ports, caller, channelId)
    const message = await ports.messages.find(channelId, messageId)
    if (!message) return
    requireAnyHistory(place)
    if (!isReadable(place, message)) return
    const removal = { kind: 'remove', emoji, accountId: caller.account.id, sessionId } as const
    await changeReactions(ports, caller, place, messageId, removal)
  }
}

/**
 * Removes another account's reaction. The same as above for the caller's own; else it refuses as `requireMayClear` does.
 */
export function removeReaction(ports: ReactionNeeds) {
  const removeOwn = removeOwnReaction(ports)
  return async (caller: Caller, { accountId, ...reaction }: OtherReaction): Promise<void> => {
    if (accountId === caller.account.id) return removeOwn(caller, reaction)
    const { emoji, sessionId } = reaction
    await clear(ports, caller, reaction, { kind: 'remove', emoji, accountId, sessionId })
  }
}

/** Removes all reactions with an emoji. Refuses as `requireMayClear` does. */
export function removeReactionsOfEmoji(ports: ReactionNeeds) {
  return (caller: Caller, message: ReactedMessage & { readonly emoji: ReactionEmoji }): Promise<void> =>
    clear(ports, caller, message, { kind: 'remove_emoji', emoji: message.emoji })
}

/** Removes all reactions to a message. Refuses as `requireMayClear` does. */
export function removeAllReactions(ports: ReactionNeeds) {
  return (caller: Caller, message: ReactedMessage): Promise<void> =>
    clear(ports, caller, message, { kind: 'remove_all' })
}

async function clear(
  ports: ReactionNeeds,
  caller: Caller,
  { channelId, messageId }: ReactedMessage,
  removal: Parameters<typeof changeReactions>[4],
): Promise<void> {
  const place = await placeOf(ports, caller, channelId)
  const message = await ports.messages.find(channelId, messageId)
  if (!message || !mayClear(caller, place, message)) return
  await changeReactions(ports, caller, place, messageId, removal)
}

async function placeOf(
  ports: ReactionNeeds,
  caller: Caller,
  channelId: ReactedMessage['channelId'],
): Promise<TextPlace> {
  const place = await requireReactionPlace(ports, caller, channelId)
  requireReactionsEnabled(place)
  return place
}

/**
 * Whether the caller may remove what others reacted with: the author of the message, and in a guild holders of MANAGE_MESSAGES
 * (elevated) who can find the message. Refuses all others with 403 MISSING_PERMISSIONS, 400 TWO_FACTOR_REQUIRED.
 */
function mayClear(caller: Caller, place: TextPlace, message: Message): boolean {
  if (message.authorId === caller.account.id) return true
  if (place.kind === 'private') return reject(lacking('MANAGE_MESSAGES'))
  requirePermission(place.access, 'MANAGE_MESSAGES')
  requireAnyHistory(place)
  return isReadable(place, message)
}
