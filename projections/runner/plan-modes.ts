import type { ClientBase } from 'pg'

/**
 * Has a connection plan each statement once, as a nested loop over indexes. For live batches: they are small, come many times a
 * second, and planning each of their statements for its values takes Postgres longer than carrying it out. A plan for any values
 * would otherwise be made while a table is empty, and read the whole table when it no longer is.
 */
export const planOnce = (client: ClientBase): Promise<unknown> => set(client, 'force_generic_plan', 'off')

/** Has a connection plan each statement for its values. For the large batches of a rebuild. */
export const planEachTime = (client: ClientBase): Promise<unknown> => set(client, 'force_custom_plan', 'on')

const set = (client: ClientBase, mode: string, otherPlans: 'on' | 'off'): Promise<unknown> =>
  client.query(
    `select set_config('plan_cache_mode', $1, false), set_config('enable_seqscan', $2, false),
       set_config('enable_hashjoin', $2, false), set_config('enable_mergejoin', $2, false)`,
    [mode, otherPlans],
  )
