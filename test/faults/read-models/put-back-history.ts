import { randomUUID } from 'node:crypto'
import { startEventStoreDouble, type EventStoreDouble } from '../../support/eventstoredb-double/double.ts'
import type { Proposed, Recorded } from '../../support/eventstoredb-double/log.ts'
import type { TestDatabase } from '../../support/test-database.ts'

/** Which events of a history are there, and whether they are the original ones. */
export type Change =
  /** Only the events up to a position, as in a backup taken then. */
  | { readonly kind: 'older'; readonly upTo: bigint }
  /** The events up to a position, followed by other events than before. */
  | { readonly kind: 'gone another way'; readonly after: bigint }
  /** Other events at the places of the original ones. */
  | { readonly kind: 'another' }

/** A history that can be put back, in the store that the product uses. */
export interface PutBackHistory {
  /** The address of the store; undefined for the Postgres that holds everything else. */
  readonly eventStoreUrl: string | undefined
  /** Changes the history, starting from its content at the first call. Call it while no server runs on it. */
  change(change: Change): Promise<void>
  close(): Promise<void>
}

export async function historyInPostgres({ database: { pool } }: TestDatabase): Promise<PutBackHistory> {
  const columns = 'position, stream, revision, event_id, type, data, metadata'
  const run = (statement: string): Promise<unknown> => pool.query(statement)
  return {
    eventStoreUrl: undefined,
    async change(change) {
      await run('create schema if not exists kept')
      await run('create table if not exists kept.events as select * from event_store.events')
      await run('truncate event_store.events')
      await run(
        `insert into event_store.events (${columns}) overriding system value select ${columns} from kept.events`,
      )
      if (change.kind === 'older')
        return void (await run(`delete from event_store.events where position > ${change.upTo}`))
      const after = change.kind === 'another' ? -1n : change.after
      await run(`update event_store.events set event_id = gen_random_uuid() where position > ${after}`)
    },
    close: () => Promise.resolve(),
  }
}

export async function historyInDouble(): Promise<PutBackHistory> {
  const first = await startEventStoreDouble()
  let serving = first
  return {
    get eventStoreUrl() {
      return serving.url
    },
    async change(change) {
      if (serving !== first) await serving.close()
      serving = await changed(first, change)
    },
    async close() {
      if (serving !== first) await serving.close()
      await first.close()
    },
  }
}

/** Positions are byte offsets, so the same events get the same positions again. */
async function changed({ log }: EventStoreDouble, change: Change): Promise<EventStoreDouble> {
  const double = await startEventStoreDouble()
  for (const event of log.events.filter(({ stream }) => !stream.startsWith('$'))) {
    if (change.kind === 'older' && event.position > change.upTo) continue
    const isOther = change.kind === 'another' || (change.kind === 'gone another way' && event.position > change.after)
    double.log.commit(event.stream, 'any', [isOther ? asAnother(event) : event])
  }
  return double
}

/** Another event of the same length, so that the events after it keep their positions. Its id is in its metadata too. */
function asAnother(event: Recorded): Proposed {
  const text = Buffer.from(event.metadata).toString('utf8')
  const metadata = Buffer.from(text.replace(/(?<="eventId":")[^"]+/, randomUUID()), 'utf8')
  return { ...event, id: randomUUID(), metadata }
}
