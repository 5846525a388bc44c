import type { Duplex } from 'node:stream'
import type { GatewayLimits } from '../limits.ts'
import { binaryFrame, isLater, number, payloadOf, type Frame, type LaterFrame } from '../protocol/frame.ts'
import type { Compressor } from './compression.ts'
import type { EncodingTurns, Turn } from './encoding-turns.ts'

/** Frames up to this size are copied together into one write. A longer one is shared, except for the part with its number. */
const copiedFrame_bytes_max = 16 * 1024
const write_bytes_max = 64 * 1024
/** With more than this waiting, the client is behind. */
const behind_bytes = 1024 * 1024
/** The size that an unencoded frame counts as. */
const laterFrame_bytes = 1024
/** One turn encodes frames up to this total size. */
const turn_bytes = 256 * 1024

/** What all outboxes share. */
export interface OutboxHost {
  readonly flusher: Flusher
  readonly turns: EncodingTurns
  readonly limits: Pick<GatewayLimits, 'backlog_bytes_max'>
}

/** The connection whose frames an outbox sends. */
export interface OutboxOwner {
  /** The client's address. */
  readonly address: string
  /** Called once: when more than `backlog_bytes_max` wait, or the client did not accept encoded frames in time. */
  cut(): void
  /** Called when a frame could not be encoded. */
  fail(error: unknown): void
}

/** Flushes all outboxes with something to send after the current work: one write per connection and turn. */
export class Flusher {
  #waiting: Outbox[] = []

  add(outbox: Outbox): void {
    if (this.#waiting.push(outbox) === 1) setImmediate(this.#flush)
  }

  readonly #flush = (): void => {
    const waiting = this.#waiting
    this.#waiting = []
    for (const outbox of waiting) outbox.flush()
  }
}

/**
 * The frames that one connection must still send. It shares frames with other outboxes, and copies them only when the socket
 * accepts them: a client that does not read costs references, not copies.
 */
export class Outbox implements Turn {
  readonly #socket: Duplex
  readonly #owner: OutboxOwner
  readonly #host: OutboxHost
  readonly #compressor: Compressor | undefined
  #frames: (Frame | LaterFrame)[] = []
  #numbers: number[] = []
  /** In both lists, everything before this index is sent. */
  #sent = 0
  #waiting_bytes = 0
  #isListed = false
  #isBlocked = false
  #isWaitingForTurn = false
  #isClosed = false
  #isFinishing = false
  #isWaitingForSocket = false

  /** With a compressor, each payload is compressed by itself. */
  constructor(socket: Duplex, owner: OutboxOwner, host: OutboxHost, compressor?: Compressor) {
    this.#compressor = compressor
    this.#socket = socket
    this.#owner = owner
    this.#host = host
  }

  get address(): string {
    return this.#owner.address
  }

  /** Sends a frame after all previous ones, with this number in its gap if it has one. */
  send(frame: Frame | LaterFrame, s: number): void {
    if (this.#isClosed) return
    this.#frames.push(frame)
    this.#numbers.push(s)
    this.#waiting_bytes += bytesOf(frame)
    if (this.#isTooMuch) this.#overflow()
    else if (!this.#isBlocked && !this.#isListed) {
      this.#isListed = true
      this.#host.flusher.add(this)
    }
  }

  /** Sends a frame that does not concern the session, without waiting for frames that must be encoded first. */
  sendAhead(frame: Frame): void {
    if (!this.#isWaitingForTurn) this.send(frame, 0)
    else if (this.#compressor) this.#compress(frame, 0)
    else this.#socket.write(frame.bytes)
  }

  get #isTooMuch(): boolean {
    return this.#waiting_bytes + this.#socket.writableLength > this.#host.limits.backlog_bytes_max
  }

  /** Whether much waits for the client to read it. */
  get isBehind(): boolean {
    return this.#waiting_bytes + this.#socket.writableLength > behind_bytes
  }

  /** Writes waiting frames, as far as the socket accepts them now. */
  flush(): void {
    this.#isListed = false
    while (!this.#isClosed && !this.#isBlocked && this.#sent < this.#frames.length) this.#writeSome()
    if (!this.#isBlocked) this.#host.turns.release(this)
    if (this.#sent * 2 >= this.#frames.length) this.#forgetSent()
  }

  /**
   * Sends what waits, as far as the socket accepts it now, then calls `sent`: at once, unless payloads are compressed. Nothing that
   * is sent later counts.
   */
  finish(sent: () => void): void {
    this.flush()
    const compressor = this.#compressor
    if (!compressor || this.#isWaitingForSocket) {
      sent()
      return
    }
    this.#isFinishing = true
    let bytes = 0
    for (; bytes < write_bytes_max && this.#sent < this.#frames.length; this.#sent += 1) {
      const frame = this.#frames[this.#sent]
      if (!frame || isLater(frame)) break
      bytes += frame.bytes.length
      this.#compress(frame, this.#numbers[this.#sent] ?? 0)
    }
    compressor.compress(Buffer.alloc(0), () => {
      sent()
      compressor.close()
    })
  }

  /** Sends nothing any more, and drops waiting frames. */
  close(): void {
    this.#isClosed = true
    if (!this.#isFinishing) this.#compressor?.close()
    this.#isWaitingForTurn = false
    this.#host.turns.forget(this)
    this.#sent = this.#frames.length
    this.#forgetSent()
  }

  sendEncoded(): void {
    if (this.#isTooMuch) this.#overflow()
    else this.#goOn()
  }

  expire(): void {
    this.#overflow()
  }

  #forgetSent(): void {
    this.#frames = this.#frames.slice(this.#sent)
    this.#numbers = this.#numbers.slice(this.#sent)
    this.#sent = 0
  }

  #overflow(): void {
    if (this.#isClosed) return
    this.close()
    this.#owner.cut()
  }

  #writeSome(): void {
    const frame = this.#frames[this.#sent]
    if (!frame) return
    if (isLater(frame)) {
      this.#isBlocked = true
      this.#isWaitingForTurn = true
      this.#host.turns.ask(this)
      return
    }
    if (this.#compressor) {
      this.#sent += 1
      this.#waiting_bytes -= frame.bytes.length
      this.#isBlocked = true
      this.#compress(frame, this.#numbers[this.#sent - 1] ?? 0, (takesMore) => {
        if (takesMore) this.#goOn()
        else this.#waitForSocket()
      })
      return
    }
    const takesMore = frame.bytes.length > copiedFrame_bytes_max ? this.#writeShared(frame) : this.#writeCopies()
    if (takesMore) return
    this.#isBlocked = true
    this.#waitForSocket()
  }

  #waitForSocket(): void {
    this.#isWaitingForSocket = true
    this.#socket.once('drain', () => {
      this.#isWaitingForSocket = false
      this.#goOn()
    })
  }

  /** Compresses a frame after all earlier ones, and writes it. */
  #compress(frame: Frame, s: number, written: (takesMore: boolean) => void = () => undefined): void {
    this.#compressor?.compress(payloadOf(frame, s), (compressed) => {
      if (this.#socket.writable) written(this.#socket.write(binaryFrame(compressed)))
    })
  }

  #goOn(): void {
    this.#isBlocked = false
    this.#isWaitingForTurn = false
    this.flush()
  }

  /** Encodes frames for this turn. Gives their size in bytes. */
  encodeSome(): number {
    let bytes = 0
    try {
      for (let index = this.#sent; bytes < turn_bytes; index += 1) {
        const frame = this.#frames[index]
        if (!frame || !isLater(frame)) break
        const encoded = frame.encode()
        this.#frames[index] = encoded
        bytes += encoded.bytes.length
        this.#waiting_bytes += encoded.bytes.length - laterFrame_bytes
      }
    } catch (error) {
      this.#owner.fail(error)
    }
    return bytes
  }

  /** Copies frames into one buffer, numbers each, and writes it. */
  #writeCopies(): boolean {
    let end = this.#sent
    let bytes = 0
    for (; end < this.#frames.length; end += 1) {
      const frame = this.#frames[end]
      if (!frame || isLater(frame)) break
      const { length } = frame.bytes
      if (length > copiedFrame_bytes_max || bytes + length > write_bytes_max) break
      bytes += length
    }
    const together = Buffer.allocUnsafe(bytes)
    let at = 0
    for (; this.#sent < end; this.#sent += 1) {
      const frame = this.#frames[this.#sent]
      if (!frame || isLater(frame)) break
      frame.bytes.copy(together, at)
      number(together, at, frame, this.#numbers[this.#sent] ?? 0)
      at += frame.bytes.length
    }
    this.#waiting_bytes -= bytes
    return this.#socket.write(together)
  }

  /** Copies only the part up to the end of the gap; the rest is shared with all other sessions. */
  #writeShared(frame: Frame): boolean {
    const head = Buffer.from(frame.bytes.subarray(0, frame.gapEnd))
    number(head, 0, frame, this.#numbers[this.#sent] ?? 0)
    this.#sent += 1
    this.#waiting_bytes -= frame.bytes.length
    this.#socket.cork()
    this.#socket.write(head)
    const takesMore = this.#socket.write(frame.bytes.subarray(frame.gapEnd))
    this.#socket.uncork()
    return takesMore
  }
}

function bytesOf(frame: Frame | LaterFrame): number {
  return isLater(frame) ? laterFrame_bytes : frame.bytes.length
}
