import { setTimeout as pause } from 'node:timers/promises'
import { errors, type ConnectionOptions, type NatsConnection } from '@nats-io/transport-node'
import { NatsConnectionImpl, setTransportFactory } from '@nats-io/nats-core/internal'
import { nodeResolveHost } from '@nats-io/transport-node/lib/node_transport.js'
import { EndingTransport } from './ending-transport.ts'
import { NatsUnavailable } from './nats-unavailable.ts'

export interface NatsSettings {
  /**
   * `nats://user:password@host:port`, `nats://token@…` or `tls://…`. All servers are of one cluster and take the same
   * credentials.
   */
  readonly servers: readonly string[]
  /** Shown in the server's list of connections. */
  readonly name: string
  /** How long a server may take to answer the first time. Default: 5 s. */
  readonly timeout_ms?: number
}

const connectTimeout_ms = 5000
const reconnect_ms_min = 50
const reconnect_ms_max = 2000
const ping_ms = 10_000
const unansweredPings_max = 2
const standardPort = 4222
const lastWords_ms_max = 1000

/**
 * Connects, and from then on reconnects forever. Rejects with NatsUnavailable if no server answers the first time, and with the
 * client's own error if a server rejects the credentials.
 */
export async function connectNats(settings: NatsSettings): Promise<NatsConnection> {
  // The same as the client's own `connect`, with another transport.
  setTransportFactory({ factory: () => new EndingTransport(), dnsResolveFn: nodeResolveHost })
  try {
    return await NatsConnectionImpl.connect(optionsOf(settings))
  } catch (error) {
    if (isRefusal(error)) throw error
    throw new NatsUnavailable(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

function isRefusal(error: unknown): boolean {
  const refusals = [errors.AuthorizationError, errors.UserAuthenticationExpiredError, errors.InvalidArgumentError]
  return refusals.some((refusal) => error instanceof refusal)
}

function optionsOf({ servers, name, timeout_ms = connectTimeout_ms }: NatsSettings): ConnectionOptions {
  return {
    ...addressesIn(servers),
    name,
    timeout: timeout_ms,
    maxReconnectAttempts: -1,
    reconnectDelayHandler: () => reconnect_ms_min + Math.random() * (reconnect_ms_max - reconnect_ms_min),
    pingInterval: ping_ms,
    maxPingOut: unansweredPings_max,
  }
}

/**
 * Closes after sending what was published, for at most a second. Drops silently what cannot be sent in that time. Safe to call
 * twice.
 */
export async function closeNats(connection: NatsConnection): Promise<void> {
  if (connection.isClosed()) return
  const sent = Promise.allSettled([connection.flush()])
  await Promise.race([sent, pause(lastWords_ms_max, undefined, { ref: false })])
  await connection.close()
}

/** The client reads neither credentials nor TLS from the URLs. */
function addressesIn(servers: readonly string[]): Partial<ConnectionOptions> {
  const urls = servers.map((server) => new URL(server))
  const signIn = urls.find(({ username }) => username !== '')
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port === '' ? standardPort : port}`),
    ...(signIn && credentialsIn(signIn)),
    ...(urls.some(({ protocol }) => protocol === 'tls:') && { tls: {} }),
  }
}

function credentialsIn({ username, password }: URL): Pick<ConnectionOptions, 'user' | 'pass' | 'token'> {
  const name = decodeURIComponent(username)
  return password === '' ? { token: name } : { user: name, pass: decodeURIComponent(password) }
}
