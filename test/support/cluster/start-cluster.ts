import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { PostgresConnection } from '../../../adapters/postgres/database.ts'
import { startEmbeddedPostgres } from '../../../adapters/postgres/embedded/start.ts'
import { roles, type Role } from '../../../process/roles/role.ts'
import { layPostgres } from '../lay-postgres.ts'
import { startEventStoreServer, type EventStoreServer } from '../event-store-server.ts'
import { startNatsServer, type NatsServer } from '../nats-server.ts'
import { startPostgresGate, type PostgresGate } from '../postgres-gate.ts'
import { startProduct, type ProductProcess } from '../product-process.ts'

export interface ClusterWishes {
  readonly apis: number
  readonly gateways: number
  readonly projectors: number
  readonly workers: number
  /** Where the events are: in EventStoreDB (the one that EVENTSTORE_URL names, or its double), or in the common Postgres. */
  readonly eventStore: 'eventstoredb' | 'postgres'
  /** Gives the database, such as `laidDatabase`. Default: an empty one in a Postgres of its own. */
  readonly database?: () => Promise<ClusterDatabase>
  /** Settings of every process, beside those that name the servers. */
  readonly environment?: Readonly<Record<string, string>>
  /** Gives each process its own proxy to Postgres, which can fail for that process alone. */
  readonly gates?: boolean
}

export interface ClusterDatabase {
  readonly connection: PostgresConnection
  close(): Promise<void>
}

/** The product as separate processes, one for each role and copy, on its own servers. */
export interface Cluster extends ClusterServers {
  /** The environment of every process. */
  readonly environment: Readonly<Record<string, string>>
  /** The running processes of a role, the oldest first. */
  running(role: Role): readonly ProductProcess[]
  /** Starts one more process of a role; resolves once it is ready. */
  add(role: Role): Promise<ProductProcess>
  /** The proxy of a process to Postgres. Throws if it has none. */
  gateOf(product: ProductProcess): PostgresGate
  /** Kills every process, then stops the servers and removes their data. */
  close(): Promise<void>
}

/** The servers that the processes use. */
export interface ClusterServers {
  readonly connection: PostgresConnection
  readonly personalDataKey: Uint8Array
  readonly nats: NatsServer
  /** Undefined if the events are in Postgres. */
  readonly eventStore: EventStoreServer | undefined
}

/** Starts the servers, then all processes at once. Resolves when each is ready. */
export async function startCluster(wishes: ClusterWishes): Promise<Cluster> {
  const { servers, stop } = await startServers(wishes.eventStore, wishes.database)
  const environment = { ...environmentOf(servers), ...wishes.environment }
  const started: ProductProcess[] = []
  const starting = new Set<Promise<unknown>>()
  const kills: (() => void)[] = []
  const gates = new Map<ProductProcess, PostgresGate>()
  const openGates: PostgresGate[] = []
  async function gated(): Promise<PostgresGate | undefined> {
    const gate = wishes.gates === true ? await startPostgresGate(servers.connection) : undefined
    if (gate) openGates.push(gate)
    return gate
  }
  async function add(role: Role): Promise<ProductProcess> {
    const gate = await gated()
    const start = startProduct({
      command: role,
      dataDir: path.join(os.tmpdir(), 'not-used'),
      environment: gate ? { ...environment, DATABASE_URL: connectionUrl(gate.connection) } : environment,
      onStarted: (signal) => void kills.push(() => signal('SIGKILL')),
    })
    starting.add(start)
    const product = await start
    if (gate) gates.set(product, gate)
    started.push(product)
    return product
  }
  /** Also kills those that are not ready yet: a test may end before its starts are over. */
  async function close(): Promise<void> {
    for (const kill of kills) kill()
    await Promise.allSettled(starting)
    await Promise.all(started.map(async (product) => product.isRunning && (await product.kill('SIGKILL'))))
    await Promise.all(openGates.map((gate) => gate.close()))
    await stop()
  }
  const counts = { api: wishes.apis, gateway: wishes.gateways, projector: wishes.projectors, worker: wishes.workers }
  const starts = await Promise.allSettled(
    roles.flatMap((role) => Array.from({ length: counts[role] }, () => add(role))),
  )
  const failed = starts.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') {
    await close()
    throw failed.reason
  }
  const running = (role: Role): readonly ProductProcess[] =>
    started.filter(({ command, isRunning }) => command === role && isRunning)
  const gateOf = (product: ProductProcess): PostgresGate => {
    const gate = gates.get(product)
    if (!gate) throw new Error(`Process ${product.pid} has no gate`)
    return gate
  }
  return { ...servers, environment, running, add, gateOf, close }
}

/** What is needed to reach the servers. */
interface Addresses extends Pick<ClusterServers, 'connection' | 'personalDataKey'> {
  readonly nats: Pick<NatsServer, 'url'>
  readonly eventStore: Pick<EventStoreServer, 'url'> | undefined
}

/** The settings that name the servers, as docker-compose.yml gives them. */
export function environmentOf({ connection, personalDataKey, nats, eventStore }: Addresses): Record<string, string> {
  return {
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: '0',
    STATUS_PORT: '0',
    DATABASE_URL: connectionUrl(connection),
    NATS_URL: nats.url,
    PERSONAL_DATA_KEY: Buffer.from(personalDataKey).toString('base64'),
    ...(eventStore && { EVENTSTORE_URL: eventStore.url }),
  }
}

/** A connection as DATABASE_URL. */
export const connectionUrl = ({ host = '', port, user, database }: PostgresConnection): string =>
  `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`

/** Starts the servers alone, in parallel. `stop` ends them and removes their data. */
export async function startServers(
  eventStore: ClusterWishes['eventStore'],
  openClusterDatabase: () => Promise<ClusterDatabase> = ownDatabase,
): Promise<{ readonly servers: ClusterServers; stop(): Promise<void> }> {
  const starts = {
    database: openClusterDatabase(),
    nats: startNatsServer(),
    events: eventStore === 'eventstoredb' ? startEventStoreServer() : Promise.resolve(undefined),
  }
  async function stop(): Promise<void> {
    const [database, nats, events] = await Promise.allSettled([starts.database, starts.nats, starts.events])
    if (events.status === 'fulfilled') await events.value?.stop()
    if (nats.status === 'fulfilled') await nats.value.stop()
    if (database.status === 'fulfilled') await database.value.close()
  }
  try {
    const [{ connection }, nats, events] = await Promise.all([starts.database, starts.nats, starts.events])
    return { servers: { connection, personalDataKey: randomBytes(32), nats, eventStore: events }, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function ownDatabase(): Promise<ClusterDatabase> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'gh-cluster-'))
  // Every user may enter it, because Postgres never runs as root.
  chmodSync(folder, 0o755)
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  const postgres = path.join(folder, 'postgres')
  try {
    await layPostgres(postgres)
    const { connection, stop } = await startEmbeddedPostgres({
      folder: postgres,
      // Processes are killed here, but never the machine.
      settings: { max_connections: '500', fsync: 'off' },
    })
    return { connection, close: () => stop().finally(remove) }
  } catch (error) {
    remove()
    throw error
  }
}
