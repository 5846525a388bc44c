import type { AttachmentId, ChannelId } from '../../domain/ids/ids.ts'
import type { Asker } from './asker.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'

/** What names the file of an attachment. Its id holds the time at which it was attached. */
export interface AttachmentName {
  readonly channelId: ChannelId
  readonly id: AttachmentId
  /** As `filenameOf` gives it. */
  readonly filename: string
}

/** A file that was received, and is on the disk of this process until it is kept or discarded. */
export interface ReceivedFile {
  readonly path: string
  readonly size_bytes: number
  /** SHA-256 of its bytes, in hex. */
  readonly hash: string
}

/** A file that somebody sent with a message. */
export interface SentFile {
  /** Which of the files of its form it is. */
  readonly index: number
  /** As `filenameOf` gives it. */
  readonly filename: string
  readonly file: ReceivedFile
}

/** How many files a message may have, and how large each may be. */
export interface FileBounds {
  readonly files_max: number
  readonly file_bytes_max: number
}

/** What a picture looks like. */
export interface SeenPicture {
  /** In pixels, as it is shown. */
  readonly width: number
  readonly height: number
  readonly animated: boolean
  /** A ThumbHash, in base64: what clients show until the picture is there. Null if it can't be decoded. */
  readonly placeholder: string | null
}

/** The files of messages, from their first byte to their last day. */
export interface AttachmentFiles {
  /**
   * Receives a file of at most `bytes_max`, without what cameras and editors wrote into JPEG, PNG and WebP pictures. It is never whole
   * in memory. If it is larger, or its bytes reject, nothing of it stays.
   */
  receive(bytes: AsyncIterable<Uint8Array>, bytes_max: number): Promise<ReceivedFile | 'too large'>
  /** The same for a part of a file, whose bytes stay as they are until the file is whole. */
  receivePart(bytes: AsyncIterable<Uint8Array>, bytes_max: number): Promise<ReceivedFile | 'too large'>
  /** Looks at a received picture; undefined for any other file, and where there is no time for it. */
  look(file: ReceivedFile, asker: Asker): Promise<SeenPicture | undefined>
  /**
   * Asks the scanner of the operator whether a received file is malware; without one, every file is clean. Rejects with Unavailable if
   * it does not say.
   */
  scan(file: ReceivedFile): Promise<'clean' | 'infected'>
  /**
   * Keeps a received file as that of an attachment. It goes within an hour unless a message takes it. Rejects with Unavailable if the
   * store can't be reached.
   */
  keep(name: Pick<AttachmentName, 'channelId' | 'id'>, file: ReceivedFile): Promise<void>
  /**
   * Keeps the file of an attachment as that of another one too, as `keep` does. False if it is gone. Rejects with Unavailable if the
   * store can't be reached.
   */
  copy(from: Pick<AttachmentName, 'channelId' | 'id'>, to: Pick<AttachmentName, 'channelId' | 'id'>): Promise<boolean>
  /** Which attachments of a channel still have their files. */
  present(channelId: ChannelId, ids: readonly AttachmentId[]): Promise<ReadonlySet<AttachmentId>>
  /** Removes a received file. Does nothing once it is kept. */
  discard(file: ReceivedFile): Promise<void>
}

/** The signed addresses at which attachments are read. An address is the credential. */
export interface AttachmentAddresses {
  /**
   * The address of an attachment: good for 12 to 24 hours, and the same for half a day, so that clients find it in their caches.
   * See rules/messages#addresses-of-files.
   */
  addressOf(name: AttachmentName, now: Timestamp): string
  /**
   * A new address for what an address of this instance names, good or not. Undefined for any other address. Whether the
   * attachment exists is not looked up.
   */
  renewed(address: string, now: Timestamp): string | undefined
}
