import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { openEventStoreDb } from '../../adapters/event-store/eventstoredb/open-event-store.ts'
import { memoryPersonalDataKeys } from './memory/memory-keys.ts'
import { beforeAll } from '../../domain/kernel/position.ts'
import { startDoubleProcess } from './eventstoredb-double/double-process.ts'

/** EventStoreDB for the whole product: an empty one that nothing else uses. */
export interface EventStoreServer {
  /** The connection string. */
  readonly url: string
  /** Whether it is the tests' double, or the server that EVENTSTORE_URL names. */
  readonly kind: 'double' | 'EventStoreDB'
  /** Its processes, if they are known. */
  pids(): readonly number[]
  /** Sends a signal to its process; undefined if the process is not ours. */
  readonly signal: ((name: NodeJS.Signals) => void) | undefined
  /** Ends what was started here. */
  stop(): Promise<void>
}

export type ServerSettings = Readonly<Record<string, string | undefined>>

/** The time limit after its command has ended. */
const emptied_ms_max = 60_000
const command_ms_max = 60_000

/**
 * The server that EVENTSTORE_URL names, emptied by the command in RESET_EVENTSTORE, for example by restarting a server that
 * keeps its events in memory; otherwise the double, in a process of its own. Rejects if a named server can't be emptied,
 * because the suites compare its whole history with what they did. Only one suite at a time may use a named server.
 */
export async function startEventStoreServer(settings: ServerSettings = process.env): Promise<EventStoreServer> {
  const url = settings['EVENTSTORE_URL']
  if (url) {
    await emptied(url, settings)
    return { url, kind: 'EventStoreDB', pids: () => [], signal: undefined, stop: () => Promise.resolve() }
  }
  const double = await startDoubleProcess()
  return {
    url: double.url,
    kind: 'double',
    pids: () => [double.pid],
    signal: (name) => double.signal(name),
    stop: () => double.stop(),
  }
}

async function emptied(url: string, settings: ServerSettings): Promise<void> {
  const command = settings['RESET_EVENTSTORE']
  if (!command) throw new Error('EVENTSTORE_URL names a server: name in RESET_EVENTSTORE the command that empties it')
  // A server that the command starts would take EVENTSTORE_URL for one of its own options.
  const env = Object.fromEntries(Object.entries(settings).filter(([name]) => !name.startsWith('EVENTSTORE_')))
  await promisify(execFile)('sh', ['-c', command], { env, timeout: command_ms_max })
  const deadlines = { read_ms: emptied_ms_max }
  const store = await openEventStoreDb({ url, keys: memoryPersonalDataKeys(), deadlines })
  const end = await store.end()
  await store.close()
  if (end !== beforeAll) throw new Error(`RESET_EVENTSTORE has left events in EventStoreDB, up to ${end}`)
}
