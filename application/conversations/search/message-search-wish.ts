import type { ChannelId, GuildId } from '../../../domain/ids/ids.ts'
import type { Excluded, MessageSearchQuery, Sought } from '../../ports/message-search.ts'

/** Which channels a search goes through. */
export const searchScopes = ['current', 'open_dms', 'all_dms', 'all_guilds', 'all', 'open_dms_and_all_guilds'] as const
export type SearchScope = (typeof searchScopes)[number]

/** The parsed body of Search messages. */
export interface MessageSearchWish extends Pick<
  MessageSearchQuery,
  'mentionsEveryone' | 'pinned' | 'after' | 'before' | 'sort' | 'oldestFirst'
> {
  readonly scope: SearchScope
  readonly guildId: GuildId | null
  readonly channelId: ChannelId | null
  /** Only these; without any, all of the scope. */
  readonly channelIds: readonly ChannelId[]
  readonly excludedChannels: readonly ChannelId[]
  /** Whether to search age-restricted channels too, if the caller may read them. */
  readonly includesNsfw: boolean
  /** Null if not given. */
  readonly content: string | null
  readonly contents: readonly string[]
  readonly sought: Omit<Sought, 'words' | 'anyWords'>
  readonly excluded: Excluded
  /** 1-25. */
  readonly hitsPerPage: number
  /** From 1. */
  readonly page: number
}
