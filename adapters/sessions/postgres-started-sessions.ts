import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { sql } from '../../application/sql/sql.ts'
import type { StartedSessions } from '../../application/ports/started-sessions.ts'
import { accountId, type AccountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { growsTo } from '../../domain/kernel/grows-to.ts'
import type { PostgresDatabase } from '../postgres/database.ts'

/** The most accounts that a process remembers to have started a session. That fact never changes back. */
const remembered_max = 100_000

const nothing = z.object({})
const foundRow = z.object({ found: z.boolean() })
const accountRow = z.object({ account_id: z.string().transform((id) => accountId(snowflake(id))) })

/** The accounts that have started a session, in the schema `started_sessions`. */
export function openStartedSessions(database: Pick<PostgresDatabase, 'any' | 'one' | 'pool'>): StartedSessions {
  const known = new LRUCache<AccountId, true>(growsTo(remembered_max))
  return {
    async note(account) {
      if (known.has(account)) return
      await database.any(sql.type(nothing)`
        insert into started_sessions.accounts (account_id) values (${account}::int8) on conflict do nothing`)
      known.set(account, true)
    },
    async has(account) {
      if (known.has(account)) return true
      const { found } = await database.one(sql.type(foundRow)`
        select exists (select from started_sessions.accounts where account_id = ${account}::int8) as found`)
      if (found) known.set(account, true)
      return found
    },
    async withoutFlag(count_max) {
      const rows = await database.any(sql.type(accountRow)`
        select account_id from started_sessions.accounts where awaits_flag order by account_id limit ${count_max}`)
      return rows.map(({ account_id: account }) => account)
    },
    async flagged(accounts) {
      await database.any(sql.type(nothing)`
        update started_sessions.accounts set awaits_flag = false
        where account_id = any(${sql.array([...accounts], 'int8')})`)
    },
  }
}
