import type { Duplex } from 'node:stream'
import { isLater, number, type Frame, type LaterFrame } from '../protocol/frame.js'
import type { EncodingTurns, Turn } from './encoding-turns.js'

/** Frames up to this are copied together into one write; a longer one is shared, but for the part that holds its number. */
const copiedFrame_bytes_max = 16 * 1024
const write_bytes_max = 64 * 1024
/** More than this waiting, and the client is behind. */
const behind_bytes = 1024 * 1024
/** What a frame counts that is still to be encoded. */
const laterFrame_bytes = 1024
/** In one turn frames are encoded until they are together as long as this. */
const turn_bytes = 256 * 1024

export interface OutboxSettings {
  readonly flusher: Flusher
  readonly turns: EncodingTurns
  /** Where the client is. */
  readonly address: string
  readonly backlog_bytes_max: number
  /** Called once: more than `backlog_bytes_max` wait, or the client did not take in time what was encoded for it. */
  readonly onOverflow: () => void
  /** A frame could not be encoded. */
  readonly onError: (error: unknown) => void
}

/** Flushes, once the work at hand is done, every outbox that has something to send: one write a connection and turn. */
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
 * What one connection has still to be sent. It holds frames that others hold too, and copies them only when the socket takes
 * them: a client that does not read costs references, not copies.
 */
export class Outbox {
  readonly #socket: Duplex
  readonly #settings: OutboxSettings
  readonly #turn: Turn
  #frames: (Frame | LaterFrame)[] = []
  #numbers: number[] = []
  /** Up to here both lists are sent. */
  #sent = 0
  #waiting_bytes = 0
  #isListed = false
  #isBlocked = false
  #isWaitingForTurn = false
  #isClosed = false

  constructor(socket: Duplex, settings: OutboxSettings) {
    this.#socket = socket
    this.#settings = settings
    this.#turn = {
      address: settings.address,
      encode: () => this.#encodeSome(),
      send: () => {
        if (this.#isTooMuch) this.#overflow()
        else this.#goOn()
      },
      expire: () => {
        this.#overflow()
      },
    }
  }

  /** Sends a frame, with this number in its gap where it has one, after all that was given before. */
  send(frame: Frame | LaterFrame, s: number): void {
    if (this.#isClosed) return
    this.#frames.push(frame)
    this.#numbers.push(s)
    this.#waiting_bytes += bytesOf(frame)
    if (this.#isTooMuch) this.#overflow()
    else if (!this.#isBlocked && !this.#isListed) {
      this.#isListed = true
      this.#settings.flusher.add(this)
    }
  }

  /** Sends a frame that says nothing of the session: it does not wait with others for frames to be encoded. */
  sendAhead(frame: Frame): void {
    if (this.#isWaitingForTurn) this.#socket.write(frame.bytes)
    else this.send(frame, 0)
  }

  get #isTooMuch(): boolean {
    return this.#waiting_bytes + this.#socket.writableLength > this.#settings.backlog_bytes_max
  }

  /** Whether much waits for the client to read it. */
  get isBehind(): boolean {
    return this.#waiting_bytes + this.#socket.writableLength > behind_bytes
  }

  /** Writes what waits, as far as the socket takes it now. */
  flush(): void {
    this.#isListed = false
    while (!this.#isClosed && !this.#isBlocked && this.#sent < this.#frames.length) this.#writeSome()
    if (!this.#isBlocked) this.#settings.turns.release(this.#turn)
    if (this.#sent * 2 >= this.#frames.length) this.#forgetSent()
  }

  /** Sends nothing any more, and forgets what waits. */
  close(): void {
    this.#isClosed = true
    this.#isWaitingForTurn = false
    this.#settings.turns.forget(this.#turn)
    this.#sent = this.#frames.length
    this.#forgetSent()
  }

  #forgetSent(): void {
    this.#frames = this.#frames.slice(this.#sent)
    this.#numbers = this.#numbers.slice(this.#sent)
    this.#sent = 0
  }

  #overflow(): void {
    if (this.#isClosed) return
    this.close()
    this.#settings.onOverflow()
  }

  #writeSome(): void {
    const frame = this.#frames[this.#sent]
    if (!frame) return
    if (isLater(frame)) {
      this.#isBlocked = true
      this.#isWaitingForTurn = true
      this.#settings.turns.ask(this.#turn)
      return
    }
    const takesMore = frame.bytes.length > copiedFrame_bytes_max ? this.#writeShared(frame) : this.#writeCopies()
    if (takesMore) return
    this.#isBlocked = true
    this.#socket.once('drain', () => {
      this.#goOn()
    })
  }

  #goOn(): void {
    this.#isBlocked = false
    this.#isWaitingForTurn = false
    this.flush()
  }

  /** Encodes the frames whose turn it is. Gives their bytes. */
  #encodeSome(): number {
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
      this.#settings.onError(error)
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

  /** Copies what stands before the gap and the gap itself; the rest is the bytes that every other session gets. */
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
