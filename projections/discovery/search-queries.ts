import { plannedForItsValues, rowOf, sql, type Piece, type Queries } from '../../application/ports/database.js'
import type { OffsetPage } from '../../application/ports/queries/account-search-queries.js'
import type {
  DirectorySearch,
  DirectorySearchQueries,
  FoundListings,
  PublicListing,
} from '../../application/ports/queries/directory-search-queries.js'
import type { DirectoryLanguage } from '../../domain/discovery-application/listing.js'
import { countColumn } from '../members/member-rows.js'
import { summaryColumns, type CountColumns, type SummaryColumns } from '../guilds/guild-rows.js'
import { isWholeOf } from './whole-streams.js'

interface ListingColumns extends SummaryColumns, CountColumns {
  readonly verification_level: number
  readonly description: string
  readonly category_type: number
  readonly primary_language: DirectoryLanguage
  readonly custom_tags: readonly string[]
}

const foundRow = rowOf((row: FoundListings): FoundListings => row)
const listingRow = rowOf(listingOf)

/** Queries over what the discovery read model keeps for search. */
export function directorySearchQueries(database: Queries): DirectorySearchQueries {
  return {
    search: (wanted, page) => database.one(plannedForItsValues(searchStatement(wanted, page))),
    listings: (ids) =>
      database.any(sql.type(listingRow)`
        select ${summaryColumns}, ${countColumn}, g.verification_level, a.description, a.category_type, a.primary_language,
          a.custom_tags
        from discovery.applications a join guilds.guilds g on g.id = a.guild_id
        left join members.member_counts n on n.guild_id = a.guild_id
        where a.guild_id = any(${sql.array(ids, 'int8')}) and a.status = 'approved'`),
  }
}

/** One statement, so that the page and the counts are of one moment. */
function searchStatement(wanted: DirectorySearch, { limit, offset }: OffsetPage) {
  const { categoryType, byMembers } = wanted
  const ofCategory = categoryType === undefined ? sql.fragment`true` : sql.fragment`f.category_type = ${categoryType}`
  const order = byMembers ? sql.fragment`` : sql.fragment`f.tier,`
  return sql.type(foundRow)`
    with found as materialized (
      select s.guild_id, s.category_type, ${tierOf(wanted)} as tier, ${countColumn}
      from discovery.searched s left join members.member_counts n on n.guild_id = s.guild_id
      where s.is_listed and ${matches(wanted)} and ${isWholeOf(sql.fragment`s.guild_id`)})
    select
      coalesce((select json_agg(json_build_object('categoryType', c.category_type, 'count', c.count) order by c.category_type)
        from (select f.category_type, count(*)::int4 as count from found f group by f.category_type) c), '[]') as counts,
      array(select f.guild_id::text from found f where ${ofCategory}
        order by ${order} f.member_count desc, f.guild_id limit ${limit} offset ${offset}) as ids`
}

function matches({ words, language, tag }: DirectorySearch): Piece {
  const all = sql.fragment`true`
  const byWords =
    words === undefined
      ? all
      : sql.fragment`(s.name_words || s.tag_words || s.description_words) @> ${textArray(words)}`
  const byLanguage = language === undefined ? all : sql.fragment`s.primary_language = ${language}`
  const byTag = tag === undefined ? all : sql.fragment`s.custom_tags @> ${textArray([tag])}`
  return sql.fragment`${byWords} and ${byLanguage} and ${byTag}`
}

function tierOf({ words, byMembers }: DirectorySearch): Piece {
  if (words === undefined || byMembers) return sql.fragment`0`
  const wanted = textArray(words)
  return sql.fragment`case when s.name_words @> ${wanted} then 0 when (s.name_words || s.tag_words) @> ${wanted} then 1 else 2 end`
}

function textArray(texts: readonly string[]): Piece {
  return sql.fragment`${sql.array(texts, 'text')}`
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
