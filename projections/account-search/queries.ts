import { z } from 'zod'
import type { Piece, Queries } from '../../application/ports/database.ts'
import { plannedForItsValues } from '../../application/sql/planned-for-its-values.ts'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type {
  AccountSearchQueries,
  OffsetPage,
  SearchedText,
} from '../../application/ports/queries/account-search-queries.ts'
import { lengthOf } from '../../domain/text/normalise.ts'
import { accountIdColumn, foundAccountsRow } from '../columns.ts'
import { likeText, partOfText_characters_min } from '../like-pattern.ts'
import { totalsId } from './projector.ts'

const indexRow = rowOf(({ is_there }: { readonly is_there: boolean }) => is_there)
const idRow = z.object({ id: accountIdColumn }).transform(({ id }) => id)

/** Queries over the account_search read model. */
export function accountSearchQueries(database: Queries): AccountSearchQueries {
  return {
    canSearch: () =>
      database.one(sql.type(indexRow)`select to_regclass('account_search.accounts_by_part') is not null as is_there`),
    newest: (page) => database.one(plannedForItsValues(newestStatement(page))),
    matching: (searched, page) => database.one(plannedForItsValues(matchingStatement(searched, page))),
    withAddress: (email) =>
      database.any(sql.type(idRow)`
        select id from account_search.accounts where email = ${email} order by id limit 2`),
  }
}

function newestStatement({ limit, offset }: OffsetPage) {
  return sql.type(foundAccountsRow)`
    select coalesce((select t.accounts::int4 from account_search.totals t where t.id = ${totalsId}), 0) as total,
      array(select a.id::text from account_search.accounts a order by a.id desc limit ${limit} offset ${offset}) as ids`
}

function matchingStatement({ text, inAddresses, except }: SearchedText, { limit, offset }: OffsetPage) {
  const wanted = inAddresses
    ? sql.fragment`(${nameMatches(text)} or a.email like ${`${likeText(text)}%`})`
    : nameMatches(text)
  const condition = except === undefined ? wanted : sql.fragment`${wanted} and a.id <> ${except}`
  return sql.type(foundAccountsRow)`
    select (select count(*)::int4 from account_search.accounts a where ${condition}) as total,
      array(select a.id::text from account_search.accounts a where ${condition}
        order by a.id desc limit ${limit} offset ${offset}) as ids`
}

function nameMatches(text: string): Piece {
  const beginning = `${likeText(text)}%`
  return lengthOf(text) < partOfText_characters_min
    ? sql.fragment`a.username like ${beginning}`
    : sql.fragment`a.username like ${`%${beginning}`}`
}
