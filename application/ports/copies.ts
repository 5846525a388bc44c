import type { MessageId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { MessageReference } from './messages.ts'

/** A message by its place. */
export type MessagePlace = Pick<MessageReference, 'channelId' | 'messageId'>

/**
 * A published message that was changed or deleted. `changedAt` tells one change from a later one; `isRemoved`: an administrator or a
 * shred removed it.
 */
export interface ChangedSource extends MessagePlace {
  readonly changedAt: string
  readonly isRemoved: boolean
}

/** A message whose copies are still to be made, and when it was published. */
export interface Publication extends MessagePlace {
  readonly publishedAt: Timestamp
}

/**
 * Which messages were published, which copies they have, and which of them changed since. Whatever publishes a message, or changes or
 * deletes a published one, writes it down with the change. Rejects with a subclass of Unavailable if Postgres can't be reached.
 */
export interface Copies {
  /** The publication of a message whose copies are not all made; undefined once they are, and while it is put off. */
  publication(source: MessageId): Promise<Publication | undefined>
  /** Those whose copies are not all made and that are not put off, the longest due first, at most `limit`. */
  publications(limit: number): Promise<readonly Publication[]>
  /** Puts off the copies that could not be made: 10, 30, 60, 120, 300, 600, 1200 and 2400 s. Then they are given up. */
  putOff(source: MessageId): Promise<void>
  /** Says that all copies are made. Safe to repeat. */
  delivered(source: MessageId): Promise<void>
  /** Safe to repeat. */
  note(source: MessageId, copy: MessagePlace): Promise<void>
  /** After a copy, by channel and message, at most `limit`; from the first one without it. */
  of(
    source: MessageId,
    page: { readonly after?: MessagePlace | undefined; readonly limit: number },
  ): Promise<readonly MessagePlace[]>
  /** Those that changed and are not put off, the longest due first, at most `limit`. */
  changed(limit: number): Promise<readonly ChangedSource[]>
  /** The same as `putOff` for copies that could not follow, unless there was a later change. */
  putOffChange(change: ChangedSource): Promise<void>
  /** Drops a change whose copies followed, unless there was a later one. */
  followed(change: ChangedSource): Promise<void>
}
