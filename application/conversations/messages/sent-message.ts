import type { SentFile } from '../../ports/attachments.ts'
import type { SentAttachment } from '../attachments/sent-attachment.ts'
import type { Embed } from '../../../domain/messages/embeds.ts'
import type { ForwardChoice } from '../../../domain/messages/forwards.ts'
import type { AllowedMentions } from '../../../domain/messages/mentions.ts'
import type { ChannelId, GuildId, MessageId, StickerId } from '../../../domain/ids/ids.ts'

/** The parsed body of Create message. */
export interface SentMessage {
  /** Normalised; `''` for none. */
  readonly content: string
  readonly nonce: string | null
  readonly flags: number
  readonly tts: boolean
  /** Those that show anything. */
  readonly embeds: readonly Embed[]
  /** What it says of its files. */
  readonly attachments: readonly SentAttachment[]
  /** At most three. */
  readonly stickerIds: readonly StickerId[]
  /** Those of its form; absent for a body without files. */
  readonly files?: readonly SentFile[]
  /** Null if not given. */
  readonly allowedMentions: AllowedMentions | null
  /** The message replied to, or forwarded; null for none. */
  readonly reference: SentReference | null
}

export interface SentReference {
  /** Of a reply: in the channel of the new message. */
  readonly messageId: MessageId
  /** Null if left out. */
  readonly guildId: GuildId | null
  /** Where the message that is forwarded stands, and what of it; null for a reply. */
  readonly forwarded: { readonly channelId: ChannelId; readonly choice: ForwardChoice } | null
}

/** The parsed body of Modify message; undefined for members that stay as they are. */
export interface EditedMessage {
  readonly content: string | undefined
  readonly flags: number | undefined
  /** Replace those that are there. */
  readonly embeds: readonly Embed[] | undefined
  /** Replace those that are there, and name those that stay. */
  readonly attachments: readonly SentAttachment[] | undefined
  /** Those of its form, which are added; absent for a body without files. */
  readonly files?: readonly SentFile[]
  readonly allowedMentions: AllowedMentions | null
  /** Whether it would change what a forward shows. */
  readonly hasSnapshots: boolean
}
