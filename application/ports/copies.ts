import type { MessageId } from '../../domain/ids/ids.ts'
import type { MessageReference } from './messages.ts'

/** A message by its place. */
export type MessagePlace = Pick<MessageReference, 'channelId' | 'messageId'>

/** A published message that was changed or deleted. `changedAt` tells one change from a later one. */
export interface ChangedSource extends MessagePlace {
  readonly changedAt: string
}

/**
 * Which copies published messages have, and which published messages changed since. Whatever changes or deletes a published message
 * writes it down with the change. Rejects with a subclass of Unavailable if Postgres can't be reached.
 */
export interface Copies {
  /** Safe to repeat. */
  note(source: MessageId, copy: MessagePlace): Promise<void>
  /** After a copy, by channel and message, at most `limit`; from the first one without it. */
  of(
    source: MessageId,
    page: { readonly after?: MessagePlace | undefined; readonly limit: number },
  ): Promise<readonly MessagePlace[]>
  /** Those that changed, the longest ago first, at most `limit`. */
  changed(limit: number): Promise<readonly ChangedSource[]>
  /** Drops a change whose copies followed, unless there was a later one. */
  followed(change: ChangedSource): Promise<void>
}
