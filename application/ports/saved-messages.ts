import type { AccountId, MessageId } from '../../domain/ids/ids.ts'
import type { MessageReference } from './messages.ts'

/** Where a saved message is. */
export type SavedPlace = Pick<MessageReference, 'channelId' | 'messageId'>

/**
 * The messages that accounts have saved for themselves. They go with their message. Rejects with a subclass of Unavailable if Postgres
 * can't be reached.
 */
export interface SavedMessages {
  count(account: AccountId): Promise<number>
  /** Saves a message that exists, and notifies the sessions of the account, also if it was saved before. */
  save(account: AccountId, place: SavedPlace): Promise<void>
  /** The newest messages first. */
  page(account: AccountId, after: MessageId | undefined, limit: number): Promise<readonly SavedPlace[]>
  /** Notifies the sessions of the account, also if the message was not saved. */
  remove(account: AccountId, message: MessageId): Promise<void>
  /** Forgets all of them. Nobody is notified. Safe to repeat. */
  removeAllOf(account: AccountId): Promise<void>
}
