import type { MessageAudience } from '../../../application/ports/messages.ts'
import type { ReactionNotice } from '../../../application/ports/notices.ts'
import type { HeldReaction, ReactionChange, ReactionOutcome, Reactions } from '../../../application/ports/reactions.ts'
import { compareSnowflakes } from '../../../domain/ids/snowflake.ts'
import type { MessageId } from '../../../domain/ids/ids.ts'
import type { MessageType } from '../../../domain/messages/message-types.ts'
import { emojiKey, type ReactionEmoji, type ReactionGroup } from '../../../domain/messages/reactions.ts'

export interface ReactedMessages {
  readonly find: (id: MessageId) => { readonly channelId: string; readonly type: MessageType } | undefined
  readonly tell: (audience: MessageAudience, notice: ReactionNotice) => void
}

export interface MemoryReactions {
  readonly reactions: Reactions
  /** The groups of a message, as its member `reactions`. */
  readonly groupsOf: (id: MessageId) => { readonly reactions?: readonly ReactionGroup[] }
  /** The message is deleted. */
  readonly forget: (id: MessageId) => void
}

type Group = ReactionEmoji & { readonly accounts: Set<string> }

/** Reactions in memory, beside messages in memory. They pass the same contract tests as those in Postgres. */
export function memoryReactions({ find, tell }: ReactedMessages): MemoryReactions {
  const byMessage = new Map<MessageId, Group[]>()
  const groups = (id: MessageId): Group[] => (find(id) ? (byMessage.get(id) ?? []) : [])
  const drop = (id: MessageId, key: string): void =>
    void byMessage.set(
      id,
      groups(id).filter((group) => emojiKey(group) !== key),
    )
  const change = async (wanted: ReactionChange): Promise<ReactionOutcome> => {
    const { messageId, audience } = wanted
    const message = find(messageId)
    if (message?.channelId !== audience.channelId || wanted.without.includes(message.type)) return 'unknown'
    if (wanted.kind === 'remove_all') {
      byMessage.delete(messageId)
      tell(audience, { kind: 'reactions_removed', messageId })
      return 'removed'
    }
    const { emoji } = wanted
    const still = { ...emoji, animated: false }
    const group = groups(messageId).find((each) => emojiKey(each) === emojiKey(emoji))
    if (wanted.kind === 'remove_emoji') {
      drop(messageId, emojiKey(emoji))
      tell(audience, { kind: 'reactions_of_emoji_removed', messageId, emoji: still })
      return 'removed'
    }
    const { accountId, sessionId } = wanted
    if (wanted.kind === 'remove') {
      group?.accounts.delete(accountId)
      if (group?.accounts.size === 0) drop(messageId, emojiKey(emoji))
      tell(audience, { kind: 'reaction_removed', messageId, accountId, emoji: still, sessionId })
      return 'removed'
    }
    if (group?.accounts.has(accountId)) return 'present'
    if (!group && !wanted.mayBeFirst) return 'new'
    if ((group?.accounts.size ?? 0) >= wanted.users_max) return 'full'
    if (!group && groups(messageId).length >= wanted.emojis_max) return 'full'
    if (group) group.accounts.add(accountId)
    else byMessage.set(messageId, [...groups(messageId), { ...emoji, accounts: new Set([accountId]) }])
    const shown = group ? { id: group.id, name: group.name, animated: false } : emoji
    tell(audience, { kind: 'reaction_added', messageId, accountId, emoji: shown, sessionId })
    return 'added'
  }
  const all = (): readonly HeldReaction[] =>
    [...byMessage.keys()].flatMap((messageId) =>
      groups(messageId).flatMap((group) =>
        [...group.accounts].map((accountId) => {
          const channelId = find(messageId)?.channelId
          return { channelId, messageId, accountId, emoji: emojiKey(group) } as HeldReaction
        }),
      ),
    )
  return {
    forget: (id) => void byMessage.delete(id),
    groupsOf(id) {
      const held = groups(id).map(({ accounts, ...emoji }) => ({ ...emoji, count: accounts.size }))
      return held.length === 0 ? {} : { reactions: held }
    },
    reactions: {
      change,
      of: async (accounts, messages) =>
        all().filter(
          ({ accountId, messageId }) =>
            accounts.includes(accountId) && messages.some((wanted) => wanted.messageId === messageId),
        ),
      accountsOf: async ({ messageId, emoji }, after, limit) =>
        all()
          .filter((each) => each.messageId === messageId && each.emoji === emoji)
          .map(({ accountId }) => accountId)
          .toSorted(compareSnowflakes)
          .filter((id) => after === undefined || compareSnowflakes(id, after) > 0)
          .slice(0, limit),
      ofAccount: async (account, after, limit) =>
        all()
          .filter(({ accountId }) => accountId === account)
          .toSorted(byPlace)
          .filter((each) => after === undefined || byPlace(each, after) > 0)
          .slice(0, limit),
      async removeAllOf(account) {
        for (const [id, held] of byMessage) {
          for (const { accounts } of held) accounts.delete(account)
          byMessage.set(
            id,
            held.filter(({ accounts }) => accounts.size > 0),
          )
        }
      },
    },
  }
}

type Place = Pick<HeldReaction, 'channelId' | 'messageId' | 'emoji'>

function byPlace(one: Place, other: Place): number {
  return (
    compareSnowflakes(one.channelId, other.channelId) ||
    compareSnowflakes(one.messageId, other.messageId) ||
    Buffer.compare(Buffer.from(one.emoji), Buffer.from(other.emoji))
  )
}
