import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type { Relationship, RelationshipQueries } from '../../application/ports/queries/relationship-queries.ts'
import type { RelationshipType } from '../../domain/relationship/relationship-types.ts'
import { accountIdColumn, countRow, instantColumn } from '../columns.ts'

/** Reads the result of `relationshipColumns`. */
export const relationshipRow = z
  .object({
    owner_id: accountIdColumn,
    other_id: accountIdColumn,
    type: z.custom<RelationshipType>(Number.isInteger),
    since: instantColumn,
    nickname: z.string().nullable(),
  })
  .transform((row): Relationship => ({
    ownerId: row.owner_id,
    otherId: row.other_id,
    type: row.type,
    since: row.since,
    nickname: row.nickname,
  }))

/** The relationships of the account in accounts.accounts a, oldest first, as a JSON array `relationship_list`. */
export const relationshipsList = sql.fragment`
  select coalesce(json_agg(json_build_object(
    'owner_id', s.owner_id::text, 'other_id', s.other_id::text, 'type', s.type, 'nickname', s.nickname,
    'since', to_char(s.since at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  ) order by s.since, s.other_id), '[]') as relationship_list
  from relationships.relationships s where s.owner_id = a.id`

const idRow = z.object({ id: accountIdColumn }).transform(({ id }) => id)
const existsRow = z.object({ found: z.boolean() }).transform(({ found }) => found)

/** For relationships.relationships r. */
const relationshipColumns = sql.fragment`r.owner_id, r.other_id, r.type, r.since, r.nickname`

/** Queries over the relationships read model. */
export function relationshipQueries(database: Queries): RelationshipQueries {
  return {
    find: (owner, other) =>
      database.maybeOne(sql.type(relationshipRow)`
        select ${relationshipColumns} from relationships.relationships r
        where r.owner_id = ${owner} and r.other_id = ${other}`),
    among: (owner, others) => {
      const ids = sql.array([...others], 'int8')
      return database.any(sql.type(relationshipRow)`
        select ${relationshipColumns} from relationships.relationships r
        where r.owner_id = ${owner} and r.other_id = any(${ids})
        union
        select ${relationshipColumns} from relationships.relationships r
        where r.other_id = ${owner} and r.owner_id = any(${ids})`)
    },
    ofAccount: (owner) =>
      database.any(sql.type(relationshipRow)`
        select ${relationshipColumns} from relationships.relationships r
        where r.owner_id = ${owner} order by r.since, r.other_id`),
    countOf: (owner) =>
      database.one(sql.type(countRow)`
        select count(*)::int4 as count from relationships.relationships r where r.owner_id = ${owner}`),
    haveMutualFriend: (one, other) =>
      database.one(sql.type(existsRow)`
        select exists (
          select from relationships.relationships r
          join relationships.relationships o on o.other_id = r.other_id and o.owner_id = ${other} and o.type = 1
          where r.owner_id = ${one} and r.type = 1
        ) as found`),
    mutualFriends: (one, other, count_max) =>
      database.any(sql.type(idRow)`
        select r.other_id as id from relationships.relationships r
        join relationships.relationships o on o.other_id = r.other_id and o.owner_id = ${other} and o.type = 1
        where r.owner_id = ${one} and r.type = 1 order by r.other_id desc limit ${count_max}`),
    ownersWith: (other, after, count_max) =>
      database.any(sql.type(idRow)`
        select r.owner_id as id from relationships.relationships r
        where r.other_id = ${other} and r.owner_id > ${after ?? '0'} order by r.owner_id limit ${count_max}`),
  }
}
