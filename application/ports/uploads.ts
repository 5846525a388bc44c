import type { AccountId, AttachmentId, ChannelId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { ReceivedFile, SeenPicture } from './attachments.ts'

/** Who may spend an upload. */
export interface UploadHolder {
  readonly channelId: ChannelId
  readonly accountId: AccountId
  /** The credential, as `holderOf` names it. */
  readonly holder: string
}

/** A file that is uploaded before its message. */
export interface Upload extends UploadHolder {
  readonly id: AttachmentId
  /** As `filenameOf` gives it. */
  readonly filename: string
  /** How many bytes are to come. */
  readonly size_bytes: number
  /** How large its parts are, but for the last one; null if it comes in one piece. */
  readonly part_bytes: number | null
}

/** An upload that is whole: it is kept as the file of an attachment, and goes unless a message takes it. */
export interface UploadedFile {
  /** Of the attachment. */
  readonly id: AttachmentId
  readonly size_bytes: number
  /** SHA-256 of its bytes, in hex. */
  readonly hash: string
  /** Absent for what is no picture. */
  readonly seen?: SeenPicture
}

export interface FoundUpload extends Upload {
  /** Null until it is whole. */
  readonly file: UploadedFile | null
}

/**
 * Files that are uploaded before their message. An upload is gone, with its parts, within an hour of the last byte that came, whether
 * a message has spent it or not. Rejects with a subclass of Unavailable if Postgres or the store can't be reached.
 */
export interface Uploads {
  /** Safe to repeat. */
  add(uploads: readonly Upload[]): Promise<void>
  /** Undefined for one that is gone, or spent by another command than `by`. */
  find(id: AttachmentId, by?: string): Promise<FoundUpload | undefined>
  /** Keeps a part, from 1, which is gone from the disk of this process then. `gone` if the upload is, or is whole. */
  keepPart(upload: Upload, part: number, file: ReceivedFile): Promise<'kept' | 'gone'>
  /** The parts in their order, one after another; undefined if one is missing. */
  readParts(upload: Upload): Promise<AsyncIterable<Uint8Array> | undefined>
  /**
   * Says that the upload has become a kept file; one that it had become before is to be removed. `gone` if the upload is, or is
   * spent: then this file is to be removed.
   */
  finish(id: AttachmentId, file: UploadedFile): Promise<'finished' | 'gone'>
  /** Drops an upload that is not whole. */
  drop(id: AttachmentId): Promise<void>
  /**
   * Spends uploads for the message of one command, which has the files to itself from then on. False if one is gone, is spent by
   * another command, is another's, or has become another file. Safe to repeat.
   */
  spend(spent: readonly SpentUpload[], holder: UploadHolder, by: string): Promise<boolean>
  /** Gives back what a command spent whose message was not written. */
  giveBack(by: string): Promise<void>
  /** Drops every upload of an account, whole or not. Safe to repeat. */
  forget(account: AccountId): Promise<void>
}

export interface SpentUpload {
  readonly id: AttachmentId
  readonly file: Pick<UploadedFile, 'id'>
}

/** What an address takes: one piece of an upload, of exactly this length. */
export interface UploadPiece {
  readonly id: AttachmentId
  /** From 1; null of an upload in one piece. */
  readonly part: number | null
  readonly size_bytes: number
}

/** What became of asking for the piece of an address. `mismatch`: it was signed for another address. */
export type OpenedPiece = UploadPiece | 'invalid' | 'mismatch'

/** The signed addresses to which pieces of uploads are sent. An address is the credential. */
export interface UploadAddresses {
  /** Good for 15 minutes. */
  addressOf(piece: UploadPiece, now: Timestamp): string
  /** `key` and `token` as they stand in an address; `invalid` once it has expired, too. */
  open(key: string, token: string, now: Timestamp): OpenedPiece
}
