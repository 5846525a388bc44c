import type { AccountId, ChannelId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { Membership } from '../../domain/membership/state.ts'
import type { FileAddress } from '../../application/wire-objects/conversations/attachment-objects.ts'
import type { ThreadObject } from '../../application/wire-objects/conversations/thread-objects.ts'
import type { Message, MessageNotice } from '../../application/ports/messages.ts'
import type { AccountRecord } from '../../application/ports/queries/account-queries.ts'

/** The data looked up for some notices. */
export interface FoundMessages {
  /** A message with its nonce; undefined for a deleted one. */
  readonly message: (place: { readonly channelId: string; readonly messageId: string }) => FoundMessage | undefined
  readonly account: (id: AccountId) => AccountRecord
  /** The reactions of an account with sessions here to changed messages, as message and emoji; undefined for none. */
  readonly reactedTo: (account: AccountId) => ReadonlySet<string> | undefined
  /** The address of a file now. */
  readonly fileAddress: FileAddress
  /** The membership of an author, or of who reacted; undefined if it has ended. */
  readonly member: (message: Pick<Message, 'guildId' | 'authorId'>) => Membership | undefined
  /** The object of the thread started from a message. */
  readonly thread: (message: Message) => ThreadObject | undefined
  /** When a message was last pinned in a channel; null for never. */
  readonly lastPin: (channel: ChannelId) => Timestamp | null
  /** Whether a channel that somebody read is a thread; false where only sessions with thread access are told. */
  readonly isThread: (channel: ChannelId) => boolean
  /** What an account noted about another by now; undefined for nothing. */
  readonly note: (changed: ChangedNote) => string | undefined
  /** The recipients' nicknames in a group. */
  readonly nicks: (channel: string) => Readonly<Record<string, string>>
}

/** The notice of a note: who noted something, and about whom. */
export type ChangedNote = Pick<MessageNotice, 'recipients'> & { readonly about: AccountId }

export type FoundMessage = Message & { readonly nonce: string | null }
