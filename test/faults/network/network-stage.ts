import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import type { PostgresConnection } from '../../../adapters/postgres/database.ts'
import { startEmbeddedPostgres } from '../../../adapters/postgres/embedded/start.ts'
import { closingList, type ClosingList } from '../../../process/closing-list.ts'
import { startEventStoreServer, type EventStoreServer } from '../../support/event-store-server.ts'
import { faultsSeed } from '../../support/load-random.ts'
import { startNatsServer, type NatsServer } from '../../support/nats-server.ts'
import { startNatsProxy, type NatsProxy } from '../../support/nats-proxy/nats-proxy.ts'
import { startTcpProxy, type TcpProxy, type TcpProxySettings } from '../../support/tcp-proxy.ts'
import { startTestGuildhall, type TestGuildhall } from '../../support/test-guildhall.ts'
import { layPostgres } from '../../support/lay-postgres.ts'
import { signalPostgres } from '../signal-postgres.ts'
import { watchedGuilds, type WatchedGuilds } from './watched-guilds.ts'

/** The whole product, with everything around it that can break. */
export interface NetworkStage {
  readonly guildhall: TestGuildhall
  readonly guilds: WatchedGuilds
  /**
   * EventStoreDB, behind a proxy that can cut connections. A signal makes it hang; if its process is not ours, the proxy does.
   */
  readonly eventStore: { readonly proxy: TcpProxy; standStill(): void; goOn(): void }
  readonly nats: { readonly server: NatsServer; readonly proxy: NatsProxy }
  /** One of its own, behind a proxy. `signal` sends a signal to every process of it, and gives their number. */
  readonly postgres: { readonly proxy: TcpProxy; signal(name: NodeJS.Signals): number }
  /** The warnings and errors that the product logged; only the newest `logged_max`. */
  readonly logged: readonly string[]
  close(): Promise<void>
}

/** How a chapter reaches the stage, which is open once its tests begin. */
export type OnNetwork = () => NetworkStage

const logged_max = 200
/** The limit for one guild. A long run creates more than the default allows, and refused invites would test nothing. */
const invites_max = 100_000
/** Every row takes two marks or three. */
const markers = 6

/** The seed of a run. It is printed, so that the run can be repeated with FAULTS_SEED. */
export function printedSeed(title: string): number {
  const seed = faultsSeed()
  process.stdout.write(`${title}: FAULTS_SEED=${seed}\n`)
  return seed
}

/** Starts Postgres, EventStoreDB, NATS and the product, and the people who use it; `seed` decides what they do. */
export async function networkStage(seed: number): Promise<NetworkStage> {
  const closings = closingList()
  try {
    const { connection, ...postgres } = await postgresBehindProxy(closings)
    const [events, server] = await startBoth(closings)
    const storeProxy = await startTcpProxy(nodeOf(events))
    closings.add(() => storeProxy.close())
    const natsProxy = await startNatsProxy(portOf(server.url), seed)
    closings.add(() => natsProxy.close())
    const logged: string[] = []
    const guildhall = await startTestGuildhall({
      eventStoreUrl: `esdb://127.0.0.1:${storeProxy.port}?tls=false`,
      natsServers: [natsProxy.url],
      limits: { max_guild_invites: invites_max },
      logger: pino({ level: 'warn' }, keepingIn(logged)),
      connection,
    })
    closings.add(() => guildhall.close())
    const { url, store } = guildhall
    const place = { apiUrl: () => url, gatewayUrl: () => url, store }
    const guilds = await watchedGuilds(place, { seed, markers }).catch((error: unknown) => {
      throw new Error(`Nobody could settle; the product said:\n${logged.join('')}`, { cause: error })
    })
    closings.add(async () => guilds.close())
    return {
      guildhall,
      guilds,
      eventStore: {
        proxy: storeProxy,
        standStill: () => (events.signal ? events.signal('SIGSTOP') : storeProxy.stall()),
        goOn: () => (events.signal ? events.signal('SIGCONT') : storeProxy.goOn()),
      },
      nats: { server, proxy: natsProxy },
      postgres,
      logged,
      close: () => closings.close(),
    }
  } catch (error) {
    await closings.close()
    throw error
  }
}

async function postgresBehindProxy(closings: Pick<ClosingList, 'add'>) {
  const home = mkdtempSync(path.join(os.tmpdir(), 'gh-network-'))
  const folder = path.join(home, 'postgres')
  closings.add(async () => rmSync(home, { recursive: true, force: true, maxRetries: 20 }))
  // Every user may enter the folder, since Postgres never runs as root.
  chmodSync(home, 0o755)
  await layPostgres(folder)
  const server = await startEmbeddedPostgres({ folder, settings: { max_connections: '200', fsync: 'off' } })
  closings.add(() => server.stop())
  const { host, port, user, database } = server.connection
  const proxy = await startTcpProxy({ target: path.join(host, `.s.PGSQL.${port}`) })
  closings.add(() => proxy.close())
  const connection: PostgresConnection = { host: '127.0.0.1', port: proxy.port, user, database }
  return { connection, proxy, signal: (name: NodeJS.Signals) => signalPostgres(folder, name) }
}

/** Registers the closing of each one that started, even if the other one failed. */
async function startBoth(closings: Pick<ClosingList, 'add'>): Promise<readonly [EventStoreServer, NatsServer]> {
  const closed = async <Server extends { stop(): Promise<void> }>(start: Promise<Server>): Promise<Server> => {
    const server = await start
    closings.add(() => server.stop())
    return server
  }
  const starts = [closed(startEventStoreServer()), closed(startNatsServer())] as const
  await Promise.allSettled(starts)
  return Promise.all(starts)
}

/**
 * The target of the proxy. A node of a cluster would send clients around the proxy, and TLS would not accept the proxy as the
 * node.
 */
function nodeOf({ url }: EventStoreServer): TcpProxySettings {
  const { protocol, host, hostname, port, searchParams } = new URL(url)
  if (protocol !== 'esdb:' || host.includes(',') || searchParams.get('tls') !== 'false')
    throw new Error('Suites of networks take an EVENTSTORE_URL of one node without TLS')
  return { host: hostname, target: Number(port || eventStorePort) }
}

const eventStorePort = 2113
const portOf = (url: string): number => Number(new URL(url).port)

/** pino writes one line at a time. */
function keepingIn(lines: string[]): { write(line: string): void } {
  return {
    write(line) {
      lines.push(line)
      if (lines.length > logged_max) lines.shift()
    },
  }
}
