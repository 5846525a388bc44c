import type { RawData } from 'ws'
import { working } from '../../application/observation/at-work.ts'
import { heartbeat, identifyAfterInvalidSession_ms, minute_ms, type GatewayLimits } from '../limits.ts'
import { closings, type Closing } from '../protocol/closings.ts'
import { readCommand, type Command } from '../protocol/command.ts'
import { payloadFrame, type Frame, type LaterFrame } from '../protocol/frame.ts'
import { opcodes, workNameOf } from '../protocol/opcodes.ts'
import type { Session, Wire } from '../sessions/session.ts'
import type { Ticker } from '../ticker.ts'
import { Compressor, Decompressor } from './compression.ts'
import type { GatewaySocket } from './gateway-socket.ts'
import type { EncodingTurns } from './encoding-turns.ts'
import { Outbox, type Flusher, type OutboxOwner } from './outbox.ts'
import type { Arrival } from './upgrades.ts'
import { RollingWindow, type Window } from '../windows.ts'

/** The two ends of the same socket. */
export type ConnectionSockets = Pick<Arrival, 'socket' | 'transport'>

/** What the rest of the Gateway does for its connections. */
export interface ConnectionHost {
  readonly limits: GatewayLimits
  readonly ticker: Ticker
  readonly flusher: Flusher
  readonly turns: EncodingTurns
  /** Counts a payload of the connection's address; false if it is one too many. */
  readonly takePayload: (address: string) => boolean
  command(connection: Connection, command: Command): void
  /** The connection no longer transports its session; its socket may close a moment later. */
  ended(connection: Connection): void
  /** The client did not read, and its connection was cut. */
  cut(connection: Connection): void
  failed(connection: Connection, error: unknown): void
}

const hello = payloadFrame({ op: opcodes.hello, d: { heartbeat_interval: heartbeat.interval_ms } })
const heartbeatRequest = payloadFrame({ op: opcodes.heartbeat, d: null })
const heartbeatAck = payloadFrame({ op: opcodes.heartbeatAck })
const reconnect = payloadFrame({ op: opcodes.reconnect })
const invalidSession = payloadFrame({ op: opcodes.invalidSession, d: false })

const presencePeriod_ms = 20_000

/** One socket of a client, from its Hello to its end. Sessions attach to it and detach from it. */
export class Connection implements Wire, OutboxOwner {
  readonly address: string
  readonly presenceUpdates: Window
  session: Session | undefined
  /** The Identify in progress; another object, or undefined, once it no longer counts. */
  start: object | undefined
  readonly #socket: GatewaySocket
  readonly #host: ConnectionHost
  readonly #outbox: Outbox
  readonly #payloads: Window
  #heartbeat_ms: number
  #isAsked = false
  #isEnded = false
  #stopInspection: () => void = () => undefined
  #stopExpecting: (() => void) | undefined
  #decompressor: Decompressor | undefined

  /**
   * `transport` comes from the upgrade. Whole frames are written to it directly, beside what ws writes. If the connection
   * `isCompressed`, it is in both directions.
   */
  constructor({ socket, transport }: ConnectionSockets, address: string, isCompressed: boolean, host: ConnectionHost) {
    const { limits, ticker } = host
    this.address = address
    this.#socket = socket
    this.#host = host
    this.#heartbeat_ms = ticker.now_ms
    this.#payloads = new RollingWindow(limits.payloadsPerMinute.connection, minute_ms)
    this.presenceUpdates = new RollingWindow(limits.presenceUpdatesPer20s, presencePeriod_ms)
    const compressor = isCompressed ? new Compressor((error) => this.#failCompression(error)) : undefined
    this.#outbox = new Outbox(transport, this, host, compressor)
    if (isCompressed) this.#decompressor = this.#newDecompressor()
    socket.onClosing = () => {
      this.#end()
    }
    socket.on('close', () => {
      this.#end()
    })
    socket.on('message', (data) => {
      this.#receive(data)
    })
    // An automatic answer of ws costs as much as a payload.
    socket.on('ping', () => {
      this.#countPayload()
    })
  }

  /** Sends Hello, and starts to check the client's heartbeats. */
  open(): void {
    this.#outbox.send(hello, 0)
    this.#inspectLater()
  }

  get isBehind(): boolean {
    return this.#outbox.isBehind
  }

  dispatch(frame: Frame | LaterFrame, s: number): void {
    this.#outbox.send(frame, s)
  }

  /** Handles a client's heartbeat. */
  heartbeat(): void {
    this.#heartbeat_ms = this.#host.ticker.now_ms
    this.#isAsked = false
    this.#outbox.sendAhead(heartbeatAck)
  }

  /** Tells the client that it has no session, and gives it a moment to ask for another. */
  invalidate(): void {
    this.session = undefined
    this.#outbox.send(invalidSession, 0)
    this.#stopExpecting ??= this.#host.ticker.after(identifyAfterInvalidSession_ms, () => {
      this.close(closings.sessionUnavailable)
    })
  }

  /** The client asked for a session in time, or has one. */
  stopExpecting(): void {
    this.#stopExpecting?.()
    this.#stopExpecting = undefined
  }

  displace(): void {
    this.#outbox.send(reconnect, 0)
    this.close(closings.drain)
  }

  /** Sends waiting frames, as far as the socket accepts them, and starts the close handshake. */
  close({ code, reason }: Closing): void {
    if (this.#isEnded) return
    this.#outbox.finish(() => {
      this.#socket.close(code, reason)
    })
    this.#end()
  }

  terminate(): void {
    this.#socket.terminate()
  }

  #receive(data: RawData): void {
    if (this.#isEnded || !this.#countPayload()) return
    const bytes = bytesOf(data)
    if (this.#decompressor) this.#decompressor.decompress(bytes)
    else this.#handle(bytes)
  }

  #handle(bytes: Buffer): void {
    if (this.#isEnded) return
    const read = readCommand(bytes)
    if (!read.ok) {
      this.close(read.closing)
      return
    }
    try {
      working(workNameOf(read.value.op), () => this.#host.command(this, read.value))
    } catch (error) {
      this.fail(error)
    }
  }

  /** Something failed that the client cannot be told of otherwise. */
  fail(error: unknown): void {
    this.#host.failed(this, error)
    this.close(closings.sessionUnavailable)
  }

  #newDecompressor(): Decompressor {
    const handle = (payload: Buffer): void => {
      this.#handle(payload)
    }
    return new Decompressor(handle, (closing) => {
      this.close(closing)
    })
  }

  #failCompression(error: unknown): void {
    this.#host.failed(this, error)
    this.close(closings.compressionFailed)
  }

  #countPayload(): boolean {
    const { ticker, takePayload } = this.#host
    const now_ms = ticker.now_ms
    const withinBounds =
      this.#payloads.take(now_ms) && (this.session?.payloads.take(now_ms) ?? true) && takePayload(this.address)
    if (!withinBounds) this.close(closings.rateLimited)
    return withinBounds
  }

  #inspectLater(): void {
    this.#stopInspection = this.#host.ticker.after(heartbeat.inspection_ms, () => {
      this.#inspect()
    })
  }

  /** Only a heartbeat proves that the client is alive. */
  #inspect(): void {
    const silent_ms = this.#host.ticker.now_ms - this.#heartbeat_ms
    if (this.#isAsked && silent_ms > heartbeat.timeout_ms) {
      this.close(closings.heartbeatTimeout)
      return
    }
    if (!this.#isAsked && silent_ms >= heartbeat.ask_ms) {
      this.#isAsked = true
      this.#outbox.sendAhead(heartbeatRequest)
    }
    this.#inspectLater()
  }

  /** The client does not read. */
  cut(): void {
    this.#host.cut(this)
    this.#socket.terminate()
    this.#end()
  }

  #end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.start = undefined
    this.#stopInspection()
    this.stopExpecting()
    this.#outbox.close()
    this.#decompressor?.close()
    this.#host.ended(this)
  }
}

function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)
}
