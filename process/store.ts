import { openPostgresEventStore } from '../adapters/event-store/postgres/open-event-store.ts'
import { postgresStoredEvents } from '../adapters/event-store/postgres/stored-events.ts'
import { openPostgresSnapshots } from '../adapters/event-store/postgres/open-snapshots.ts'
import { openPersonalDataKeys } from '../adapters/personal-data/open-keys.ts'
import { openDatabase, type PostgresConnection, type PostgresDatabase } from '../adapters/postgres/database.ts'
import { openNotifier } from '../adapters/postgres/notifier.ts'
import { migrate } from '../adapters/postgres/migrate.ts'
import { titleOf } from '../adapters/postgres/migrations.ts'
import { withoutGaps } from '../adapters/event-store/without-gaps.ts'
import type { Queries } from '../application/ports/database.ts'
import type { EventStore } from '../application/ports/event-store.ts'
import type { Position } from '../domain/kernel/position.ts'
import type { Notifier } from '../application/ports/notifier.ts'
import type { PersonalDataKeys } from '../application/ports/personal-data-keys.ts'
import type { SnapshotStore } from '../application/ports/snapshots.ts'
import type { StoredEvents } from '../application/ports/stored-events.ts'
import { Unavailable } from '../application/failures/unavailable.ts'
import { categoryOf } from '../domain/streams.ts'
import type { Category } from '../domain/aggregates.ts'
import { refuseUnfinishedRestore } from './unfinished-restore.ts'
import { ServerAway } from './server-away.ts'

export type AppendGuard = () => Promise<void> | void

/** The history, and what is needed to read it. */
export interface Store {
  readonly database: PostgresDatabase
  /** Between the processes of the instance. */
  readonly notifier: Notifier
  readonly events: EventStore
  /**
   * The end of an event store in Postgres, asked on another database of the same server; its followers hear of events that were not
   * announced to them. Undefined for EventStoreDB.
   */
  readonly lookForEnd: ((database: Queries) => Promise<Position>) | undefined
  /**
   * Calls the guard before each append, and waits for the promise that it gives, if any. If the guard throws or rejects, this
   * process may not write, and the append is not made.
   */
  readonly guardAppends: (guard: AppendGuard) => void
  /** How many events the store did not deliver to followers in this process; they were read again. */
  readonly skippedEvents: () => number
  /** How many events this process has appended, by category. Events of an earlier try are not counted again. */
  readonly appendedEvents: () => ReadonlyMap<Category, number>
  /** The same events in their stored form. */
  readonly stored: StoredEvents
  readonly snapshots: SnapshotStore
  readonly keys: PersonalDataKeys
  readonly personalDataKey: Uint8Array
  close(): Promise<void>
}

/** For a server. Most of what it reads is in its caches. */
const servedConnections = { connections_max: 4, sharesReads: true } as const

export interface StoreSettings {
  readonly connection: PostgresConnection
  readonly personalDataKey: Uint8Array
  /** The connection string of EventStoreDB; undefined for events in the same Postgres as everything else. */
  readonly eventStoreUrl?: string | undefined
  /** How long a statement may go without an answer: for a server, whose requests wait for it. */
  readonly answer_ms_max?: number
  readonly onError: (error: unknown) => void
  /** Whether this is the restore that an unfinished one waits for. */
  readonly restores?: boolean
  /** Called, with one line, for migrations that were run, and when the event store recovers by itself. */
  readonly onNotice?: (text: string) => void
}

/**
 * Opens the event store of one instance, in its Postgres or in EventStoreDB, with the keys and the snapshots in Postgres. It
 * first migrates the tables beside history, so that later code finds them. Rejects, with nothing left open, if a server can't
 * be reached, and with RestoreUnfinished where a restore was interrupted. An error about EventStoreDB names EVENTSTORE_URL, and is a ServerAway if waiting may help.
 */
export async function openStore({
  connection,
  personalDataKey,
  eventStoreUrl,
  answer_ms_max,
  restores = false,
  onError,
  onNotice = () => undefined,
}: StoreSettings): Promise<Store> {
  const served = answer_ms_max === undefined ? {} : { ...servedConnections, answer_ms_max }
  const database = openDatabase(connection, { purpose: 'history', onError, ...served })
  const notifier = openNotifier({ connection, onError })
  const opened: { close(): Promise<void> }[] = [database, notifier]
  const close = (): Promise<void> => closeAll(opened)
  try {
    if (!restores) await refuseUnfinishedRestore(database.pool)
    const migrated = await migrate({ database, connection })
    if (migrated.length > 0) onNotice(`The tables are up to date: ran ${migrated.map(titleOf).join(', ')}`)
    const keys = openPersonalDataKeys({ database, personalDataKey })
    const { events, stored } = await openEvents({
      database,
      notifier,
      connection,
      keys,
      eventStoreUrl,
      onError,
      onNotice,
    })
    opened.push(events)
    const snapshots = openPostgresSnapshots({
      database,
      keys,
      ...('readWithSnapshot' in events ? { events } : {}),
      onUnreadable: (_stream, error) => onError(error),
    })
    let skipped = 0
    const guarded = withoutGaps(events, {
      onSkipped(error, count) {
        skipped += count
        onError(error)
      },
    })
    const counts = { skippedEvents: () => skipped, ...fenced(guarded) }
    const lookForEnd = 'lookForEnd' in events ? events.lookForEnd : undefined
    return { database, notifier, ...counts, lookForEnd, stored, snapshots, keys, personalDataKey, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Asks the guards before each append, and counts what was appended. */
function fenced(store: EventStore): Pick<Store, 'events' | 'guardAppends' | 'appendedEvents'> {
  const guards: AppendGuard[] = []
  const appended = new Map<Category, number>()
  const events: EventStore = {
    ...store,
    append: async (stream, ...append) => {
      for (const guard of guards) await guard()
      const result = await store.append(stream, ...append)
      const category = categoryOf(stream)
      const [, events] = append
      if (category && result.outcome === 'appended')
        appended.set(category, (appended.get(category) ?? 0) + events.length)
      return result
    },
  }
  return { events, guardAppends: (guard) => void guards.push(guard), appendedEvents: () => appended }
}

async function closeAll(opened: readonly { close(): Promise<void> }[]): Promise<void> {
  for (const part of opened.toReversed()) await part.close()
}

type EventParts = Pick<StoreSettings, 'connection' | 'eventStoreUrl' | 'onError'> &
  Required<Pick<StoreSettings, 'onNotice'>> &
  Pick<Store, 'database' | 'notifier' | 'keys'>

async function openEvents({ eventStoreUrl: url, onNotice, ...parts }: EventParts) {
  if (url === undefined) {
    const events = openPostgresEventStore(parts)
    return { events, stored: postgresStoredEvents(parts.database) }
  }
  const { openEventStoreDb } = await import('../adapters/event-store/eventstoredb/open-event-store.ts')
  const { keys, onError } = parts
  const opening = openEventStoreDb({ url, keys, onError, onNotice })
  const events = await opening.catch(namingTheSetting(url))
  return { events, stored: events.stored }
}

/** The end of the EventStoreDB at a connection string, without a Postgres beside it. */
export async function endOfEventStoreDb(url: string, keys: PersonalDataKeys): Promise<Position> {
  const { openEventStoreDb } = await import('../adapters/event-store/eventstoredb/open-event-store.ts')
  const silent = (): void => undefined
  const events = await openEventStoreDb({ url, keys, onError: silent, onNotice: silent }).catch(namingTheSetting(url))
  try {
    return await events.stored.end()
  } finally {
    await events.close()
  }
}

const namingTheSetting =
  (url: string) =>
  (error: unknown): never => {
    const reason = error instanceof Error ? error.message : String(error)
    const message = `EVENTSTORE_URL (${nodesOf(url)}): ${reason}`
    if (error instanceof Unavailable) throw new ServerAway('EVENTSTORE_URL', message, { cause: error })
    throw new Error(message, { cause: error })
  }

/** The nodes in a connection string, without the user and password. */
function nodesOf(url: string): string {
  const behindProtocol = url.slice(url.indexOf('//') + 2)
  const behindPassword = behindProtocol.slice(behindProtocol.lastIndexOf('@') + 1)
  return behindPassword.split(/[/?]/, 1).join('')
}
