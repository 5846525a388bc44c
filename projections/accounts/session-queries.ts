import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { plannedForItsValues } from '../../application/sql/planned-for-its-values.ts'
import { sql } from '../../application/sql/sql.ts'
import type {
  EndedSession,
  HeldSession,
  SessionQueries,
  SessionRecord,
} from '../../application/ports/queries/session-queries.ts'
import { accountIdColumn, foundAccountsRow, instantColumn } from '../columns.ts'

/** `ofAccount` gives this many at most, the newest: an account may have any number. */
const listedSessions_max = 1000
/** The read model keeps this many sessions of an account that have ended: those that ended last. */
export const keptEndedSessions_max = 1000
/**
 * `recentOf` gives this many sessions of an account at most. Uses that a process has noted and not written yet can change which
 * session was used last, but hardly beyond this many.
 */
const recentSessions_max = 5

const sessionShape = z.object({
  token_hash: z.string(),
  started_at: instantColumn,
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
})

const sessionRow = sessionShape.transform(recordOf)

const endedSessionRow = sessionShape
  .extend({ ended_at: instantColumn })
  .transform((row): EndedSession => ({ ...recordOf(row), endedAt: row.ended_at }))

function recordOf(row: z.output<typeof sessionShape>): SessionRecord {
  return { tokenHash: row.token_hash, startedAt: row.started_at, ip: row.ip, userAgent: row.user_agent }
}

const lastAddressRow = z
  .object({ account_id: accountIdColumn, ip: z.string() })
  .transform((row) => [row.account_id, row.ip] as const)

const heldSessionRow = z
  .object({ account_id: accountIdColumn, token_hash: z.string(), started_at: instantColumn })
  .transform((row): HeldSession => ({
    accountId: row.account_id,
    tokenHash: row.token_hash,
    startedAt: row.started_at,
  }))

/** Queries over the sessions in the accounts read model. */
export function sessionQueries(database: Queries): SessionQueries {
  return {
    ofAccount: (account) =>
      database.any(sql.type(sessionRow)`
        select token_hash, started_at, ip, user_agent from accounts.sessions
        where account_id = ${account} order by started_at desc, token_hash limit ${listedSessions_max}`),
    endedOf: (account) =>
      database.any(sql.type(endedSessionRow)`
        select token_hash, started_at, ip, user_agent, ended_at from accounts.session_log
        where account_id = ${account} and ended_at is not null
        order by started_at desc, token_hash limit ${keptEndedSessions_max}`),
    async lastAddressesOf(accounts) {
      const rows = await database.any(sql.type(lastAddressRow)`
        select account_id, ip from accounts.last_addresses
        where account_id = any(${sql.array([...accounts], 'int8')})`)
      return new Map(rows)
    },
    // When a session was used stands beside history (adapters/sessions): joined here, because an account may have 2000 sessions.
    recentOf: (accounts) =>
      database.any(sql.type(heldSessionRow)`
        select a.id as account_id, s.token_hash, s.started_at
        from unnest(${sql.array([...accounts], 'int8')}) as a (id) cross join lateral (
          select l.token_hash, l.started_at
          from accounts.session_log l left join session_activity.sessions u on u.token_hash = l.token_hash
          where l.account_id = a.id
          order by greatest(l.started_at, u.last_used_at) desc, l.token_hash limit ${recentSessions_max}) s`),
    withLastAddress: (ip, { limit, offset }) =>
      database.one(
        plannedForItsValues(sql.type(foundAccountsRow)`
          select (select count(*)::int4 from accounts.last_addresses where ip = ${ip}) as total,
            array(select account_id::text from accounts.last_addresses
              where ip = ${ip} order by account_id desc limit ${limit} offset ${offset}) as ids`),
      ),
  }
}
