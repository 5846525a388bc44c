import type pg from 'pg'
import { listenOn, type Listener, type ListenerSettings } from '../../application/concurrency/listener.js'
import { openClient } from './client.js'
import type { PostgresConnection } from './database.js'
import { orPostgresUnavailable } from './postgres-unavailable.js'

const connectTimeout_ms = 5000

export interface ChannelSettings extends Pick<
  ListenerSettings<pg.Client>,
  'channel' | 'onListening' | 'onPayload' | 'onError'
> {
  readonly connection: PostgresConnection
}

/** Hears, on a connection of its own, what any process tells on a channel of a server. */
export function listenTo({ connection, onError, ...settings }: ChannelSettings): Listener {
  return listenOn({
    ...settings,
    connect: async () => {
      const client = openClient(connection, { keepAlive: true, connectionTimeoutMillis: connectTimeout_ms })
      // What goes wrong rejects `connect`, or the query at work. One that nobody hears of would end the process.
      client.on('error', ignore)
      await client.connect()
      return client
    },
    disconnect: (client) => client.end(),
    onError: (error) => onError(orPostgresUnavailable(error)),
  })
}

const ignore = (): void => undefined
