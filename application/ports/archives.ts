import type { AccountId, ArchiveId, ChannelId, GuildId, MessageId } from '../../domain/ids/ids.ts'
import type { Snowflake } from '../../domain/ids/snowflake.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { MessageFilter } from './message-filter.ts'
import type { Message } from './messages.ts'

/** What an archive is of: an account or a guild. */
export type ArchiveSubject =
  | { readonly type: 'user'; readonly id: AccountId }
  | { readonly type: 'guild'; readonly id: GuildId }

export type ArchiveSubjectType = ArchiveSubject['type']

/** An archive of an account or a guild to build. */
export interface NewArchive {
  readonly archiveId: ArchiveId
  readonly subject: ArchiveSubject
  /** Holders see the archives that they asked for, administrators those of administrators. */
  readonly origin: 'holder' | 'admin'
  readonly requestedBy: AccountId
  readonly includesAttachments: boolean
  /** Null for all messages. */
  readonly filter: MessageFilter | null
  readonly requestedAt: Timestamp
  /** When it is removed. Null: seven days after it is complete. */
  readonly expiresAt: Timestamp | null
}

export interface ArchiveRecord extends Omit<NewArchive, 'filter'> {
  readonly startedAt: Timestamp | null
  readonly completedAt: Timestamp | null
  readonly failedAt: Timestamp | null
  readonly size_bytes: number | null
  /** 0-100. */
  readonly percent: number
  readonly step: string
  readonly errorMessage: string | null
  /** Seven days after it was complete; null until then. */
  readonly downloadableUntil: Timestamp | null
}

/** A ZIP to send. */
export interface OpenedArchive {
  readonly size_bytes: number
  readonly bytes: AsyncIterable<Uint8Array>
}

/** The archives of administrators to list, newest first. */
export interface ArchiveSearch {
  /** At least one. */
  readonly types: readonly ArchiveSubjectType[]
  /** Null for all subjects of these types. */
  readonly subjectId: Snowflake | null
  readonly requestedBy: AccountId | null
  /** Leaves out those that have expired by this time; null leaves out none. */
  readonly unexpiredAt: Timestamp | null
  readonly limit: number
}

/** The archives of accounts and guilds. They are not history: those of an account go with it. */
export interface Archives {
  /** Resolves once it is stored; a worker begins it within seconds. Adding the same id again does nothing. */
  add(archive: NewArchive): Promise<void>
  find(archiveId: ArchiveId): Promise<ArchiveRecord | undefined>
  /** The newest archive that an account's holder asked for. */
  latestOf(account: AccountId): Promise<ArchiveRecord | undefined>
  list(search: ArchiveSearch): Promise<readonly ArchiveRecord[]>
  /** The bytes of a complete archive; undefined if they are gone. */
  open(archiveId: ArchiveId): Promise<OpenedArchive | undefined>
  /** Removes the archives of an account, with their bytes. Safe to repeat. */
  removeAllOf(account: AccountId): Promise<void>
}

/** A turn of a worker at an archive. Only the newest turn of an archive may change it. */
export interface ArchiveTurn {
  readonly archiveId: ArchiveId
  readonly subject: ArchiveSubject
  /** 1 for the first. */
  readonly turn: number
}

/** An archive that a worker has taken. */
export interface BegunArchive extends ArchiveTurn {
  /** Whether it has the files of messages. */
  readonly includesAttachments: boolean
  readonly filter: MessageFilter | null
  readonly requestedAt: Timestamp
}

/** The written bytes of an archive. */
export interface WrittenArchive {
  readonly size_bytes: number
  readonly parts_count: number
}

/** What workers do with archives: one at a time works on an archive. */
export interface ArchiveWork {
  /**
   * Takes the archive that has waited longest; undefined if none is due. The worker has to report progress within
   * `archiveLease_s`, or it counts as dead and another one begins the archive again. Archives that were begun too often fail.
   */
  begin(): Promise<BegunArchive | undefined>
  /** Reports progress. False if the archive is gone, or another worker has it: then this one must stop. */
  progress(turn: ArchiveTurn, percent: number, step: string): Promise<boolean>
  /** Completes the archive. False as for `progress`. */
  complete(turn: ArchiveTurn, written: WrittenArchive): Promise<boolean>
  /** Leaves the archive to another worker at once. That does not count as an attempt. */
  release(turn: ArchiveTurn): Promise<void>
  /** Records a failed attempt: the archive is begun again later, or fails. With `forGood` it fails at once. */
  fail(turn: ArchiveTurn, options?: { readonly forGood: boolean }): Promise<void>
  /** Removes the bytes of archives whose time is over, and records that nobody can ask for any more. */
  sweep(): Promise<void>
}

/**
 * The bytes of archives, sealed with the keys of their accounts; those of guilds with a key of the instance. Without the key
 * nothing of them can be read.
 */
export interface ArchiveFiles {
  /** Stores the bytes in parts. Rejects if the account's key is destroyed. */
  write(turn: ArchiveTurn, bytes: AsyncIterable<Uint8Array>): Promise<WrittenArchive>
  /** The bytes, part after part. Throws if the key is destroyed, or a part is missing. */
  read(turn: ArchiveTurn, parts_count: number): AsyncIterable<Uint8Array>
  /** Removes what a turn has written. */
  removeTurn(turn: ArchiveTurn): Promise<void>
  /** Removes what all turns have written. */
  remove(archive: Pick<ArchiveTurn, 'archiveId' | 'subject'>): Promise<void>
  removeAllOf(account: AccountId): Promise<void>
}

/** One file of an archive. */
export interface ArchiveEntry {
  readonly path: string
  readonly content: AsyncIterable<Uint8Array>
}

/** Writes the files as one ZIP, as its bytes are read. */
export type PackArchive = (entries: AsyncIterable<ArchiveEntry>, modifiedAt: Timestamp) => AsyncIterable<Uint8Array>

/** A channel in which an account has written. */
export interface WrittenChannel {
  readonly channelId: ChannelId
  /** Null for a private channel. */
  readonly guildId: GuildId | null
}

/** The messages of an account, in every kind of channel. */
export interface AuthoredMessages {
  /** The channels with messages of an author, by ascending id, after `after`; at most `limit`. */
  channelsOf(author: AccountId, after: ChannelId | undefined, limit: number): Promise<readonly WrittenChannel[]>
  /** An author's messages in a channel, oldest first, within a span of ids; at most `limit`. */
  page(
    author: AccountId,
    channel: ChannelId,
    span: { readonly after: MessageId | undefined; readonly from: Timestamp | null; readonly until: Timestamp | null },
    limit: number,
  ): Promise<readonly Message[]>
}
