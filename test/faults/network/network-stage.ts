import { pino } from 'pino'
import type { PostgresConnection } from '../../../adapters/postgres/database.ts'
import { closingList, type ClosingList } from '../../../process/closing-list.ts'
import { startEventStoreServer, type EventStoreServer } from '../../support/event-store-server.ts'
import { faultsSeed } from '../../support/load-random.ts'
import { startNatsServer, type NatsServer } from '../../support/nats-server.ts'
import { startNatsProxy, type NatsProxy } from '../../support/nats-proxy/nats-proxy.ts'
import { startTcpProxy, type TcpProxy, type TcpProxySettings } from '../../support/tcp-proxy.ts'
import { startTestGuildhall, type TestGuildhall } from '../../support/test-guildhall.ts'
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
  /** The warnings and errors that the product logged; only the newest `logged_max`. */
  readonly logged: readonly string[]
  close(): Promise<void>
}

export interface StageOptions {
  readonly seed: number
  readonly writers?: number
  /** A Postgres that the test stops. Default: a database of the shared one. */
  readonly connection?: PostgresConnection
}

const logged_max = 200
/** The limit for one guild. A long run creates more than the default allows, and refused invites would test nothing. */
const invites_max = 100_000

/** The seed of a run. It is printed, so that the run can be repeated with FAULTS_SEED. */
export function printedSeed(title: string): number {
  const seed = faultsSeed()
  process.stdout.write(`${title}: FAULTS_SEED=${seed}\n`)
  return seed
}

/** Starts EventStoreDB, NATS and the product, and the people who use it. */
export async function networkStage({ seed, connection, ...load }: StageOptions): Promise<NetworkStage> {
  const closings = closingList()
  try {
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
      ...(connection ? { connection } : {}),
    })
    closings.add(() => guildhall.close())
    const { url, store } = guildhall
    const place = { apiUrl: () => url, gatewayUrl: () => url, store }
    const guilds = await watchedGuilds(place, { seed, ...load }).catch((error: unknown) => {
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
      logged,
      close: () => closings.close(),
    }
  } catch (error) {
    await closings.close()
    throw error
  }
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
