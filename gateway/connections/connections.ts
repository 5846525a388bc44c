import type { IncomingMessage } from 'node:http'
import { drain_ms_max, type GatewayLimits } from '../limits.ts'
import type { GatewayLog } from '../log.ts'
import { closings } from '../protocol/closings.ts'
import type { Command } from '../protocol/command.ts'
import type { Ticker } from '../ticker.ts'
import type { Addresses } from './addresses.ts'
import { asksForCompression } from './compression.ts'
import { Connection, type ConnectionHost } from './connection.ts'
import { EncodingTurns } from './encoding-turns.ts'
import { Flusher } from './outbox.ts'
import type { Arrival } from './upgrades.ts'

export interface ConnectionsSettings {
  readonly limits: GatewayLimits
  readonly ticker: Ticker
  readonly addresses: Addresses
  /** The versions that a client may ask for. */
  readonly versions: ReadonlySet<string>
  readonly log: GatewayLog
  /** The address that a request counts for; behind a proxy, the forwarded one. */
  readonly clientAddress: (request: IncomingMessage) => string
  readonly command: (connection: Connection, command: Command) => void
  /** A connection no longer transports its session. */
  readonly ended: (connection: Connection) => void
}

/** The open sockets: how one is accepted, and how all are closed. */
export class Connections {
  readonly #settings: ConnectionsSettings
  readonly #host: ConnectionHost
  readonly #open = new Set<Connection>()
  #isDraining = false
  #cut = 0
  #compressed = 0
  #onEmpty: () => void = () => undefined

  constructor(settings: ConnectionsSettings) {
    const { limits, ticker, addresses, log, command, ended } = settings
    this.#settings = settings
    this.#host = {
      limits,
      ticker,
      flusher: new Flusher(),
      turns: new EncodingTurns({ limits, ticker }),
      takePayload: (address) => addresses.takePayload(address, ticker.now_ms),
      command,
      ended,
      cut: ({ address }) => {
        this.#cut += 1
        log.warn({ address }, 'a client was cut because it did not read')
      },
      failed: ({ address }, error) => {
        log.error({ error, address }, 'a command could not be carried out')
      },
    }
  }

  get count(): number {
    return this.#open.size
  }

  /** How many of them are compressed. */
  get compressed(): number {
    return this.#compressed
  }

  /** How many clients were cut because they did not read. */
  get cut(): number {
    return this.#cut
  }

  get isOpen(): boolean {
    return !this.#isDraining && this.#open.size < this.#settings.limits.connections_max
  }

  /**
   * Accepts a client. Closes it with 4012 for a version that it may not ask for (none means 1), with 4008 for too many from its
   * address, with 4002 for one compressed connection too many; otherwise sends Hello.
   */
  arrive({ socket, transport, request, query }: Arrival): void {
    const { addresses, ticker, versions, clientAddress, limits } = this.#settings
    const wantsCompression = asksForCompression(query)
    const isCompressed = wantsCompression && this.#compressed < limits.compressed_max
    const connection = new Connection({ socket, transport }, clientAddress(request), isCompressed, this.#host)
    if (isCompressed) this.#compressed += 1
    const isWithinBounds = addresses.open(connection.address)
    this.#open.add(connection)
    socket.on('close', () => {
      this.#open.delete(connection)
      if (isCompressed) this.#compressed -= 1
      addresses.close(connection.address, ticker.now_ms)
      if (this.#open.size === 0) this.#onEmpty()
    })
    if (!versions.has(query.get('v') ?? '1')) connection.close(closings.invalidVersion)
    else if (!isWithinBounds) connection.close(closings.tooManyConnections)
    else if (wantsCompression && !isCompressed) connection.close(closings.compressionFailed)
    else connection.open()
  }

  /**
   * Ends the connections of addresses that may not stay. Their sessions can be resumed like any other, but from another address,
   * since this one can no longer connect (decision 16).
   */
  closeThose(mayNotStay: (address: string) => boolean): void {
    const judged = new Map<string, boolean>()
    for (const connection of this.#open) {
      const { address } = connection
      const isClosed = judged.get(address) ?? mayNotStay(address)
      judged.set(address, isClosed)
      if (isClosed) connection.close(closings.sessionUnavailable)
    }
  }

  /** Sends every client elsewhere, and accepts no more. Resolves once all are gone; slow ones are cut. */
  async drain(): Promise<void> {
    this.#isDraining = true
    const empty = new Promise<void>((resolve) => {
      this.#onEmpty = resolve
    })
    for (const connection of this.#open) connection.displace()
    if (this.#open.size === 0) return
    await Promise.race([empty, this.#settings.ticker.wait(drain_ms_max)])
    this.terminate()
  }

  terminate(): void {
    this.#isDraining = true
    for (const connection of this.#open) connection.terminate()
  }
}
