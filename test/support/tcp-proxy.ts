import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** A proxy between a client and a server that breaks their connections on demand. */
export interface TcpProxy {
  /** On the loopback address. */
  readonly port: number
  /** Connections that are open now. */
  readonly connections: number
  /** Connections that were reset so far, by any fault. */
  readonly resets: number
  /** Resets every connection; new ones are accepted. */
  reset(): void
  /**
   * Lets this many more bytes of requests through, over all connections, and resets the connection that sent the last of them:
   * the server has them all, and its answer is lost. Resolves once that has happened. One such fault at a time.
   */
  resetAfter(requestBytes: number): Promise<void>
  /** Accepts connections and passes nothing on, in either direction, until `goOn`. */
  stall(): void
  /** Resets every connection, and each new one, until `goOn`. */
  refuse(): void
  goOn(): void
  /** Resets every connection and accepts no more. */
  close(): Promise<void>
}

export interface TcpProxySettings {
  /** The server's port, or the path of its unix socket. */
  readonly target: number | string
  /** The server's host. Default: the loopback address. */
  readonly host?: string
  /** Made for each connection: changes the server's bytes. `send` may be called later too. Default: no change. */
  readonly fromServer?: (send: (bytes: Uint8Array) => void) => (chunk: Buffer) => void
}

interface Pair {
  readonly client: Socket
  readonly server: Socket
}

interface Cut {
  /** Bytes of requests that still go through. */
  left: number
  readonly done: () => void
}

/**
 * Starts to listen on its own port. Forwarded bytes wait in a socket's own buffer: when that is full, the other side is not
 * read.
 */
export async function startTcpProxy(settings: TcpProxySettings): Promise<TcpProxy> {
  const listener = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return new Proxying(listener, settings)
}

class Proxying implements TcpProxy {
  readonly port: number
  readonly #settings: TcpProxySettings
  readonly #listener: Server
  readonly #pairs = new Set<Pair>()
  #resets = 0
  #isStalled = false
  #isRefusing = false
  #cut: Cut | undefined

  constructor(listener: Server, settings: TcpProxySettings) {
    const address = listener.address()
    if (typeof address !== 'object' || address === null) throw new Error('The proxy has no port')
    this.port = address.port
    this.#settings = settings
    this.#listener = listener
    listener.on('connection', (client: Socket) => this.#take(client))
  }

  get connections(): number {
    return this.#pairs.size
  }

  get resets(): number {
    return this.#resets
  }

  reset(): void {
    for (const pair of this.#pairs) this.#reset(pair)
  }

  resetAfter(requestBytes: number): Promise<void> {
    return new Promise((done) => {
      this.#cut = { left: requestBytes, done }
    })
  }

  stall(): void {
    this.#isStalled = true
    for (const { client, server } of this.#pairs) for (const socket of [client, server]) socket.pause()
  }

  refuse(): void {
    this.#isRefusing = true
    this.reset()
  }

  goOn(): void {
    this.#isRefusing = false
    this.#isStalled = false
    for (const { client, server } of this.#pairs) for (const socket of [client, server]) socket.resume()
  }

  async close(): Promise<void> {
    const closed = once(this.#listener, 'close')
    this.#listener.close()
    for (const { client, server } of this.#pairs) {
      client.resetAndDestroy()
      server.destroy()
    }
    await closed
  }

  #take(client: Socket): void {
    if (this.#isRefusing) {
      this.#resets += 1
      client.resetAndDestroy()
      return
    }
    const { target, host = '127.0.0.1', fromServer } = this.#settings
    const server = typeof target === 'string' ? connect(target) : connect(target, host)
    const pair = { client, server }
    this.#pairs.add(pair)
    const answer = fromServer?.((bytes) => pass(server, client, bytes))
    client.on('data', (chunk: Buffer) => this.#passRequest(pair, chunk))
    server.on('data', (chunk: Buffer) => (answer ? answer(chunk) : pass(server, client, chunk)))
    this.#bind(pair, client, server)
    this.#bind(pair, server, client)
  }

  #bind(pair: Pair, one: Socket, other: Socket): void {
    one.setNoDelay(true)
    one.on('error', () => undefined)
    one.on('end', () => other.end())
    one.on('close', () => {
      this.#pairs.delete(pair)
      other.destroySoon()
    })
    if (this.#isStalled) one.pause()
  }

  #passRequest(pair: Pair, chunk: Buffer): void {
    const cut = this.#cut
    if (!cut || chunk.byteLength < cut.left) {
      if (cut) cut.left -= chunk.byteLength
      pass(pair.client, pair.server, chunk)
      return
    }
    this.#cut = undefined
    pair.client.pause()
    pair.server.write(chunk.subarray(0, cut.left), () => {
      this.#reset(pair)
      cut.done()
    })
  }

  /** The server reads to the end of what it was sent, as after a client's machine has gone; the client notices at once. */
  #reset(pair: Pair): void {
    if (!this.#pairs.delete(pair)) return
    this.#resets += 1
    pair.client.resetAndDestroy()
    pair.server.removeAllListeners('data').resume().end()
  }
}

/** Writes, and stops reading from one side while the other side does not accept data. */
function pass(from: Socket, to: Socket, chunk: Uint8Array): void {
  if (to.destroyed || to.write(chunk)) return
  from.pause()
  to.once('drain', () => from.resume())
}
