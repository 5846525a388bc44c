import { cachedQueries, type CachedQueries } from '../../../application/caches/cached-queries.ts'
import type { Queries, Query } from '../../../application/ports/database.ts'
import type { AllQueries } from '../../../application/ports.ts'
import { guildsAtPosition } from '../../../projections/guilds/queries.ts'
import { openQueries, readModels } from '../../../projections/read-models.ts'
import { world, type AnyEvent, type TestProjector, type World } from '../../projections/support/world.ts'

/** A world whose queries are answered from memory where that is possible. */
export interface CachedWorld {
  readonly the: World
  readonly projector: TestProjector
  readonly held: CachedQueries
  /** The same queries, each sent to Postgres. Those are not in `asked`. */
  readonly direct: AllQueries
  /** The texts of the statements that were sent since `askedAnew`. */
  readonly asked: readonly string[]
  askedAnew(): void
  /** The next statement reads, and then waits until the returned function is called. */
  holdNext(): () => void
  /** Makes events happen, and waits until the read models have them. */
  reach(...events: readonly AnyEvent[]): Promise<void>
}

/** Opens one; close its `the` in the end. */
export async function cachedWorld(): Promise<CachedWorld> {
  const the = await world()
  const { database } = the
  const asked: string[] = []
  let hold: Promise<void> | undefined
  async function holding<Row>(query: Query<Row>, run: (query: Query<Row>) => Promise<Row>): Promise<Row> {
    asked.push(query.sql)
    const waitFor = hold
    hold = undefined
    const found = await run(query)
    await waitFor
    return found
  }
  const counted: Queries = {
    any: (query) => holding(query as never, (given) => database.any(given) as never) as never,
    maybeOne: (query) => holding(query as never, (given) => database.maybeOne(given) as never) as never,
    one: (query) => holding(query, (given) => database.one(given)),
  }
  let instanceReads = 0
  const held = cachedQueries({
    queries: openQueries(counted),
    guildsAtPosition: guildsAtPosition(counted),
    published: () => projector.position,
    instance: { changes: async () => (instanceReads += 1) },
    now_ms: () => 0,
  })
  const projector: TestProjector = await the.projector(readModels, {
    onCommitted: async (events) => {
      for (const event of events) held.forget(event)
    },
  })
  held.begin()
  return {
    the,
    projector,
    held,
    direct: openQueries(database),
    asked,
    askedAnew: () => void asked.splice(0),
    holdNext() {
      let goOn = (): void => undefined
      hold = new Promise((resolve) => (goOn = resolve))
      return () => goOn()
    },
    reach: async (...events) => projector.reached(await the.happens(...events)),
  }
}
