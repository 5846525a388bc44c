import type { Queries } from '../../application/ports/database.ts'
import { rowOf } from '../../application/sql/row-of.ts'
import { sql } from '../../application/sql/sql.ts'
import type { HeldPositions } from '../../application/ports/read-models.ts'

/**
 * What the read models hold that processes cache, as `low` and `high`. While one of them is projected apart from the others, in an
 * upgrade, these differ.
 */
export const cachedPositionColumns = sql.fragment`
  select min(c.position)::text as low, max(c.position)::text as high from read_models.checkpoints c
  where c.schema = c.name and c.name in ('accounts', 'guilds', 'members', 'blocklists', 'network_bans')`

const row = rowOf((read: { readonly low: string | null; readonly high: string | null }) => read)

/** The same, asked by itself. Undefined before the read models exist. */
export async function cachedPositions(database: Queries): Promise<HeldPositions | undefined> {
  const { low, high } = await database.one(sql.type(row)`${cachedPositionColumns}`)
  return low === null || high === null ? undefined : { low: BigInt(low), high: BigInt(high) }
}
