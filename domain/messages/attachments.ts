import type { AttachmentId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'

/** A file of a message, as the message stores it. Its address follows from the ids and the name (rules/messages#addresses-of-files). */
export interface Attachment {
  /** Holds the time at which the file was stored. */
  readonly id: AttachmentId
  /** The name under which it is served, at most 255 bytes. */
  readonly filename: string
  readonly title: string | null
  readonly description: string | null
  readonly contentType: string
  /** SHA-256 of the content in hexadecimal; null where it is not known. */
  readonly contentHash: string | null
  readonly size_bytes: number
  /** 8 spoiler, 16 explicit, 32 animated. */
  readonly flags: number
  /** Pixels; absent for what has none. */
  readonly width?: number
  readonly height?: number
  /** The ThumbHash of an image in base64. */
  readonly placeholder?: string
  /** Of sound and video. */
  readonly duration_s?: number
  /** Of a voice message, in base64. */
  readonly waveform?: string
  /** When the file is no longer served; absent for never. */
  readonly expiresAt?: Timestamp
}
