import type { Queries } from '../../application/ports/database.ts'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type {
  DirectorySearch,
  DirectorySearchQueries,
  PublicListing,
} from '../../application/ports/queries/directory-search-queries.ts'
import type { DirectoryLanguage } from '../../domain/discovery-application/listing.ts'
import { countColumn } from '../members/member-rows.ts'
import { summaryColumns, type CountColumns, type SummaryColumns } from '../guilds/guild-rows.ts'
import { followedIndex } from './search/followed-index.ts'

interface ListingColumns extends SummaryColumns, CountColumns {
  readonly verification_level: number
  readonly description: string
  readonly category_type: number
  readonly primary_language: DirectoryLanguage
  readonly custom_tags: readonly string[]
}

const everything: DirectorySearch = {
  words: undefined,
  categoryType: undefined,
  language: undefined,
  tag: undefined,
  byMembers: true,
}
const listingRow = rowOf(listingOf)

/** Queries over what the discovery read model keeps for search. */
export function directorySearchQueries(database: Queries): DirectorySearchQueries {
  const search = followedIndex(database)
  return {
    search: (wanted, page, onSpent) => search({ wanted, page, onSpent }),
    async prepare() {
      await search({ wanted: everything, page: { limit: 0, offset: 0 }, onSpent: undefined })
    },
    listings: (ids) =>
      database.any(sql.type(listingRow)`
        select ${summaryColumns}, ${countColumn}, g.verification_level, a.description, a.category_type, a.primary_language,
          a.custom_tags
        from discovery.applications a join guilds.guilds g on g.id = a.guild_id
        left join members.member_counts n on n.guild_id = a.guild_id
        where a.guild_id = any(${sql.array(ids, 'int8')}) and a.status = 'approved'`),
  }
}

function listingOf(row: ListingColumns): PublicListing {
  return {
    id: row.guild_id,
    name: row.name,
    icon: row.icon,
    banner: row.banner,
    features: row.features,
    verificationLevel: row.verification_level,
    memberCount: row.member_count,
    listing: {
      description: row.description,
      categoryType: row.category_type,
      primaryLanguage: row.primary_language,
      customTags: row.custom_tags,
    },
  }
}
