import { z } from 'zod'
import { sql, type Queries } from '../../application/ports/database.js'
import {
  endedSessions_max,
  listedSessions_max,
  type EndedSession,
  type SessionQueries,
  type SessionRecord,
} from '../../application/ports/queries/session-queries.js'
import { instantColumn } from '../columns.js'

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

const addressRow = z.object({ ip: z.string() })

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
        order by started_at desc, token_hash limit ${endedSessions_max}`),
    lastAddressOf: async (account) => {
      const found = await database.maybeOne(sql.type(addressRow)`
        select ip from accounts.last_addresses where account_id = ${account}`)
      return found?.ip ?? null
    },
  }
}
