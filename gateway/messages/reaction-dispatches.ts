import type { MessageNotice } from '../../application/ports/messages.ts'
import type { ReactionNotice } from '../../application/ports/notices.ts'
import { memberObject } from '../../application/wire-objects/communities/member-objects.ts'
import { needsThreadAccess } from '../../application/wire-objects/conversations/message-objects.ts'
import { reactionEmojiObject } from '../../application/wire-objects/conversations/reaction-objects.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { same, type Audience, type Dispatch } from '../dispatches/dispatch.ts'
import type { World } from '../visibility/world.ts'
import { audienceOf, isThread } from './message-audience.ts'
import type { FoundMessages } from './found-messages.ts'

export type ReactionNoticed = MessageNotice & ReactionNotice

/** The notices about single reactions. */
export type OneReaction = Extract<ReactionNoticed, { readonly kind: 'reaction_added' | 'reaction_removed' }>

/** Whether a notice is about reactions. */
export function isOfReactions(notice: MessageNotice): notice is ReactionNoticed {
  return isOfOneReaction(notice) || notice.kind === 'reactions_removed' || notice.kind === 'reactions_of_emoji_removed'
}

/** Whether a notice is about one reaction of an account. */
export function isOfOneReaction(notice: MessageNotice): notice is OneReaction {
  return notice.kind === 'reaction_added' || notice.kind === 'reaction_removed'
}

/**
 * The dispatch for a change of reactions, to those who may read the message (rules/messages#reactions). Skips deleted
 * messages: a deletion notice follows.
 */
export function reactionDispatches(
  notice: ReactionNoticed,
  found: FoundMessages,
  world: World,
  now: Timestamp,
): readonly Dispatch[] {
  const message = found.message(notice)
  if (!message) return []
  const { guildId, channelId, messageId } = notice
  const dispatch = {
    guildId,
    threadAccessOnly: isThread(notice) || needsThreadAccess(message),
    audience: audienceOf(notice, world, now, { readable: messageId }),
  }
  const place = { channel_id: channelId, message_id: messageId, ...(guildId === null ? {} : { guild_id: guildId }) }
  switch (notice.kind) {
    case 'reaction_added':
    case 'reaction_removed':
      return [
        {
          ...dispatch,
          t: notice.kind === 'reaction_added' ? 'MESSAGE_REACTION_ADD' : 'MESSAGE_REACTION_REMOVE',
          audience: withoutActor(dispatch.audience, notice),
          body: same({ ...place, ...reactionPart(notice, found, now) }),
        },
      ]
    case 'reactions_removed':
      return [{ ...dispatch, t: 'MESSAGE_REACTION_REMOVE_ALL', body: same(place) }]
    case 'reactions_of_emoji_removed': {
      const emoji = reactionEmojiObject(notice.emoji)
      return [{ ...dispatch, t: 'MESSAGE_REACTION_REMOVE_EMOJI', body: same({ ...place, emoji }) }]
    }
  }
}

/** In a guild with the member, in a private channel with the session that the request named. */
function reactionPart({ guildId, accountId, emoji, sessionId }: OneReaction, found: FoundMessages, now: Timestamp) {
  const member = guildId === null ? undefined : found.member({ guildId, authorId: accountId })
  return {
    user_id: accountId,
    emoji: reactionEmojiObject(emoji),
    ...(guildId === null && sessionId !== null ? { session_id: sessionId } : {}),
    ...(member ? { member: memberObject(member, found.account(accountId), now) } : {}),
  }
}

/** In a guild, the session that reacted knows of it already. */
function withoutActor(audience: Audience, { sessionId }: OneReaction): Audience {
  if (audience.kind !== 'guild' || sessionId === null) return audience
  const { admits = () => true } = audience
  return { ...audience, admits: (link) => link.session.id !== sessionId && admits(link) }
}
