import { connect, type NatsConnection, type TlsOptions } from 'nats'

export interface NatsSettings {
  /** `nats://host:port`, one or several of one cluster. */
  readonly servers: readonly string[]
  /** Shown in the server's list of connections. */
  readonly name: string
  readonly user?: string
  readonly pass?: string
  readonly tls?: TlsOptions
}

const connectTimeout_ms = 5000
const reconnect_ms_min = 50
const reconnect_ms_max = 2000
const ping_ms = 10_000
const unansweredPings_max = 2

/** Connects, and from then on reconnects for ever. Rejects where no server answers the first time. */
export function connectNats({ servers, ...settings }: NatsSettings): Promise<NatsConnection> {
  return connect({
    ...settings,
    servers: [...servers],
    timeout: connectTimeout_ms,
    maxReconnectAttempts: -1,
    reconnectDelayHandler: () => reconnect_ms_min + Math.random() * (reconnect_ms_max - reconnect_ms_min),
    pingInterval: ping_ms,
    maxPingOut: unansweredPings_max,
  })
}
