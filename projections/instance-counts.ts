import type { Queries } from '../application/ports/database.ts'
import { rowOf } from '../application/sql/row-of.ts'
import { sql } from '../application/sql/sql.ts'

/** How large the instance is. */
export interface InstanceCounts {
  /** Without deleted accounts, and without anonymous authors of messages. */
  readonly accounts: number
  readonly guilds: number
  /** Sign-ins that live. */
  readonly sessions: number
}

const countsRow = rowOf(({ accounts, guilds, sessions }: InstanceCounts): InstanceCounts => ({
  accounts,
  guilds,
  sessions,
}))

/** Counts the rows of the read models. It reads whole tables: ask rarely. */
export function instanceCounts(database: Queries): Promise<InstanceCounts> {
  return database.one(sql.type(countsRow)`
    select (select count(*)::int4 from accounts.accounts where not is_deleted and not is_erased) as accounts,
      (select count(*)::int4 from guilds.guilds) as guilds,
      (select count(*)::int4 from accounts.sessions) as sessions`)
}
