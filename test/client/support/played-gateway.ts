import { once } from 'node:events'
import { vi } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import { patience_ms } from '../../support/pace.ts'

/** A connection to a server that a test plays. */
export interface PlayedConnection {
  readonly socket: WebSocket
  send(payload: object): void
  /** Waits for the next payload of an opcode, and gives its `d`. */
  hears(op: number): Promise<unknown>
}

/** A websocket server that says what a test has it say, for what no real one says within seconds. */
export interface PlayedGateway {
  readonly url: string
  /** Waits for the next connection, and greets it. */
  greets(heartbeat_interval?: number): Promise<PlayedConnection>
  close(): Promise<void>
}

export async function playGateway(): Promise<PlayedGateway> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const connections: PlayedConnection[] = []
  server.on('connection', (socket) => connections.push(connected(socket)))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port')
  return {
    url: `ws://127.0.0.1:${address.port}/gateway`,
    async greets(heartbeat_interval = 60_000) {
      const connection = await next(connections, () => true, 'connection')
      connection.send({ op: 10, d: { heartbeat_interval } })
      return connection
    },
    async close() {
      for (const client of server.clients) client.terminate()
      server.close()
      await once(server, 'close')
    },
  }
}

function connected(socket: WebSocket): PlayedConnection {
  const payloads: { readonly op: number; readonly d: unknown }[] = []
  socket.on('message', (data: Buffer) => payloads.push(JSON.parse(data.toString())))
  return {
    socket,
    send: (payload) => socket.send(JSON.stringify(payload)),
    hears: async (op) => (await next(payloads, (payload) => payload.op === op, `op ${op}`)).d,
  }
}

/** Takes the next that has come and is meant, together with all before it. */
function next<Item>(items: Item[], isIt: (item: Item) => boolean, what: string): Promise<Item> {
  return vi.waitFor(
    () => {
      const index = items.findIndex(isIt)
      const found = index < 0 ? undefined : items.splice(0, index + 1).at(-1)
      if (found === undefined) throw new Error(`No ${what} has come`)
      return found
    },
    { timeout: patience_ms, interval: 5 },
  )
}
