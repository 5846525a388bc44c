import type { AccountId, MessageId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { ReactionEmoji } from '../../domain/messages/reactions.ts'

/** The notice of a change to the reactions of a message. `animated` is only set for the first one with an emoji. */
export type ReactionNotice = { readonly messageId: MessageId } & (
  | {
      readonly kind: 'reaction_added' | 'reaction_removed'
      /** Who reacted. */
      readonly accountId: AccountId
      readonly emoji: ReactionEmoji
      /** The Gateway session that the request named. */
      readonly sessionId: string | null
    }
  | { readonly kind: 'reactions_of_emoji_removed'; readonly emoji: ReactionEmoji }
  | { readonly kind: 'reactions_removed' }
)

/** The notice of a change that concerns one account alone, the only recipient. Its place is the account's notes, but for the channel. */
export type AccountNotice =
  | {
      readonly kind: 'acknowledged'
      readonly messageId: MessageId
      readonly mentionCount: number
      /** Null where several channels were acknowledged together. */
      readonly isManual: boolean | null
    }
  /** What it noted about an account, or that it did not any more. */
  | { readonly kind: 'note_changed'; readonly about: AccountId }
  | { readonly kind: 'mention_removed' | 'saved' | 'unsaved'; readonly messageId: MessageId }
  | { readonly kind: 'pins_acknowledged'; readonly pinnedAt: Timestamp }
