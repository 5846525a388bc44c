import type { Piece, Queries } from '../../application/ports/database.ts'
import { plannedForItsValues } from '../../application/sql/planned-for-its-values.ts'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type { OffsetPage } from '../../application/ports/queries/account-search-queries.ts'
import type {
  FoundGuilds,
  GuildSearchQueries,
  SearchedGuildText,
} from '../../application/ports/queries/guild-search-queries.ts'
import { lengthOf } from '../../domain/text/normalise.ts'
import { likeText, partOfText_characters_min } from '../like-pattern.ts'
import { totalsId } from './projector.ts'

const indexRow = rowOf(({ is_there }: { readonly is_there: boolean }) => is_there)
const foundRow = rowOf(({ ids, total }: FoundGuilds): FoundGuilds => ({ ids, total }))

/** Queries over the guild_search read model. */
export function guildSearchQueries(database: Queries): GuildSearchQueries {
  return {
    canSearch: () =>
      database.one(sql.type(indexRow)`select to_regclass('guild_search.guilds_by_part') is not null as is_there`),
    oldest: (page) => database.one(plannedForItsValues(oldestStatement(page))),
    matching: (searched, page) => database.one(plannedForItsValues(matchingStatement(searched, page))),
  }
}

function oldestStatement({ limit, offset }: OffsetPage) {
  return sql.type(foundRow)`
    select coalesce((select t.guilds::int4 from guild_search.totals t where t.id = ${totalsId}), 0) as total,
      array(select g.id::text from guild_search.guilds g order by g.id limit ${limit} offset ${offset}) as ids`
}

function matchingStatement({ text, except }: SearchedGuildText, { limit, offset }: OffsetPage) {
  const condition = except === undefined ? matches(text) : sql.fragment`${matches(text)} and g.id <> ${except}`
  return sql.type(foundRow)`
    select (select count(*)::int4 from guild_search.guilds g where ${condition}) as total,
      array(select g.id::text from guild_search.guilds g where ${condition}
        order by g.id limit ${limit} offset ${offset}) as ids`
}

function matches(text: string): Piece {
  const beginning = `${likeText(text)}%`
  if (lengthOf(text) < partOfText_characters_min)
    return sql.fragment`(g.name like ${beginning} or g.vanity_code like ${beginning})`
  const part = `%${beginning}`
  return sql.fragment`
    (g.name like ${part} or g.vanity_code like ${part} or g.description like ${part} or g.tags like ${part})`
}
