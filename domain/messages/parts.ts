import type { AccountId, RoleId, StickerId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { Attachment } from './attachments.ts'
import type { Embed } from './embeds.ts'
import type { MessageType } from './message-types.ts'

/** What a message has beside its text. */
export interface MessageParts {
  /** As they were written, also while the message hides them. */
  readonly embeds: readonly Embed[]
  /** Without the files that embeds show. */
  readonly attachments: readonly Attachment[]
  /** As they were when the message was sent. */
  readonly stickers: readonly StickerItem[]
  /** What a forward shows of its source; empty for any other message. */
  readonly snapshots: readonly MessageSnapshot[]
  /** Null if it is not pinned. */
  readonly pinnedAt: Timestamp | null
  /** How the webhook that posted it is shown; absent for a message of an account. */
  readonly webhook?: WebhookAuthor
}

/** What a webhook is called in a message, for good: its own name and image, or those of the message alone. */
export interface WebhookAuthor {
  readonly name: string
  /** The hash of its image; null for none. */
  readonly avatar: string | null
}

/** A sticker as a message shows it. It stays when the sticker is deleted. */
export interface StickerItem {
  readonly id: StickerId
  readonly name: string
  /** Whether its image moves. */
  readonly animated: boolean
}

/** A message as it was when somebody forwarded it. Readers see neither its author nor its place. */
export interface MessageSnapshot {
  /** Whose files and name go from it with the account; absent once that is erased. */
  readonly authorId?: AccountId
  readonly type: MessageType
  readonly flags: number
  readonly content: string
  readonly sentAt: Timestamp
  readonly editedAt: Timestamp | null
  readonly mentions: readonly AccountId[]
  readonly mentionRoles: readonly RoleId[]
  readonly embeds: readonly Embed[]
  readonly attachments: readonly Attachment[]
  /** Absent for none. */
  readonly stickers?: readonly StickerItem[]
}

/** Of a message that is text alone. */
export const noParts: MessageParts = { embeds: [], attachments: [], stickers: [], snapshots: [], pinnedAt: null }
