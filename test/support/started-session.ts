import { z } from 'zod'
import { sql } from '../../application/sql/sql.ts'
import type { Guildhall } from '../../process/guildhall-server.ts'

/**
 * Lets an account count as one that has started a Gateway session, without which nobody can send messages. No flag follows, so
 * that no event comes while a test looks at the account's flags or counts its events.
 */
export async function countAsStarted({ store }: Pick<Guildhall, 'store'>, account: string): Promise<void> {
  await store.database.any(sql.type(z.object({}))`
    insert into started_sessions.accounts (account_id, awaits_flag) values (${account}::int8, false)
    on conflict do nothing`)
}
