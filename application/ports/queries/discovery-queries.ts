import type { GuildFacts } from '../../../domain/discovery-application/events.ts'
import type { DiscoveryApplication, DiscoveryStatus } from '../../../domain/discovery-application/state.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import type { GuildSummary } from './guild-queries.ts'

/** A guild's application to the directory. */
export interface DiscoveryRecord extends DiscoveryApplication {
  readonly status: DiscoveryStatus
}

/** An application with its guild; undefined if the guild is gone or cannot be read. */
export interface DiscoveryWithGuild {
  readonly application: DiscoveryRecord
  readonly guild: GuildSummary | undefined
}

export interface CategoryPage {
  /** 1-100. */
  readonly limit: number
  /** 0-10000. */
  readonly offset: number
}

/** Applications of guilds to the directory. Those of streams that cannot be read are in none of the lists. */
export interface DiscoveryQueries {
  find(guild: GuildId): Promise<DiscoveryRecord | undefined>
  /** All applications of a status, in no order. */
  ofStatus(status: DiscoveryStatus): Promise<readonly DiscoveryWithGuild[]>
  /** The approved ones of a category: most members first, then by id. A guild that cannot be read counts 0 members. */
  ofCategory(categoryType: number, page: CategoryPage): Promise<readonly DiscoveryWithGuild[]>
  /** How many approved ones there are, in a category if one is given. */
  countOf(categoryType?: number): Promise<number>
  /** What a guild looks like now; undefined if it is gone or cannot be read. */
  guildFacts(guild: GuildId): Promise<GuildFacts | undefined>
}
