import type { AllowedMentions } from '../../../domain/messages/mentions.js'
import type { ChannelId, GuildId, MessageId } from '../../../domain/ids/ids.js'

/** What Create message reads of its body. */
export interface SentMessage {
  /** Normalised; `''` where there is none. */
  readonly content: string
  readonly nonce: string | null
  readonly flags: number
  readonly tts: boolean
  /** Null where nothing is said. */
  readonly allowedMentions: AllowedMentions | null
  /** The message that it replies to; null for none. */
  readonly reference: SentReference | null
}

export interface SentReference {
  readonly messageId: MessageId
  /** Null where it is left out: the channel that the message is sent to. */
  readonly channelId: ChannelId | null
  readonly guildId: GuildId | null
}

/** What Modify message reads of its body; undefined for what stays. */
export interface EditedMessage {
  readonly content: string | undefined
  readonly flags: number | undefined
  readonly allowedMentions: AllowedMentions | null
}
