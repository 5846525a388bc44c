import type { AccountId, ChannelId, GuildId } from '../../domain/ids/ids.ts'
import type { Snowflake } from '../../domain/ids/snowflake.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { MessageType } from '../../domain/messages/message-types.ts'
import type { SoughtEmbedType, SoughtKind } from '../../domain/messages/search-terms.ts'
import type { Message } from './messages.ts'

/** Where to search. */
export interface SearchPlace {
  readonly channelId: ChannelId
  /** Only messages from this time on; null for all. */
  readonly from: Timestamp | null
}

/** What kinds of authors there are. The server's messages are those of the account that they are about. */
export type AuthorType = 'user' | 'bot' | 'webhook'

/** What a message must have all of, and what it must have none of. */
export interface Sought {
  /** Each is a list of words: all of the first list, and of the second all words of one at least. */
  readonly words: readonly string[]
  readonly anyWords: readonly (readonly string[])[]
  /** Texts that must all stand in the message or in its embeds, whatever their case. */
  readonly phrases: readonly string[]
  /** One of these. */
  readonly authors: readonly AccountId[]
  readonly authorTypes: readonly AuthorType[]
  readonly mentions: readonly AccountId[]
  readonly has: readonly SoughtKind[]
  /** One of each list; an empty list asks for nothing. */
  readonly embedTypes: readonly SoughtEmbedType[]
  readonly embedProviders: readonly string[]
  readonly linkHosts: readonly string[]
  readonly filenames: readonly string[]
  readonly extensions: readonly string[]
}

export type Excluded = Omit<Sought, 'words' | 'anyWords' | 'phrases'>

export interface MessageSearchQuery {
  readonly places: readonly SearchPlace[]
  /** The guild that all of the places are in; null for none. */
  readonly guildId: GuildId | null
  readonly sought: Sought
  /** Nothing of these. */
  readonly excluded: Excluded
  readonly excludedChannels: readonly ChannelId[]
  readonly withoutTypes: readonly MessageType[]
  readonly mentionsEveryone: boolean | null
  readonly pinned: boolean | null
  /** Both exclusive. */
  readonly after: Snowflake | null
  readonly before: Snowflake | null
  readonly sort: 'timestamp' | 'relevance'
  readonly oldestFirst: boolean
  readonly offset: number
  readonly limit: number
}

export interface FoundMessages {
  readonly messages: readonly Message[]
  /** How many there are in all; counted up to `countedMatches_max`. */
  readonly total_count: number
}

/** Finds messages by an index over their words. Rejects with a subclass of Unavailable if Postgres can't be reached. */
export interface MessageSearch {
  /** `indexing` while many messages of the places are not in the index yet. */
  search(query: MessageSearchQuery): Promise<FoundMessages | 'indexing'>
}
