import type { Duplex } from 'node:stream'
import { number, type Frame } from '../protocol/frame.js'

/** Frames up to this are copied together into one write; a longer one is shared, but for the part that holds its number. */
const copiedFrame_bytes_max = 16 * 1024
const write_bytes_max = 64 * 1024
/** More than this waiting, and the client is behind. */
const behind_bytes = 1024 * 1024

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
  readonly #flusher: Flusher
  readonly #backlog_bytes_max: number
  readonly #onOverflow: () => void
  #frames: Frame[] = []
  #numbers: number[] = []
  /** Up to here both lists are sent. */
  #sent = 0
  #waiting_bytes = 0
  #isListed = false
  #isBlocked = false
  #isClosed = false

  /** `onOverflow` is called once, when more than `backlog_bytes_max` wait for a socket that takes nothing. */
  constructor(socket: Duplex, flusher: Flusher, backlog_bytes_max: number, onOverflow: () => void) {
    this.#socket = socket
    this.#flusher = flusher
    this.#backlog_bytes_max = backlog_bytes_max
    this.#onOverflow = onOverflow
  }

  /** Sends a frame, with this number in its gap where it has one, after all that was given before. */
  send(frame: Frame, s: number): void {
    if (this.#isClosed) return
    this.#frames.push(frame)
    this.#numbers.push(s)
    this.#waiting_bytes += frame.bytes.length
    if (this.#isBlocked) {
      if (this.#waiting_bytes + this.#socket.writableLength > this.#backlog_bytes_max) this.#overflow()
    } else if (!this.#isListed) {
      this.#isListed = true
      this.#flusher.add(this)
    }
  }

  /** Whether much waits for the client to read it. */
  get isBehind(): boolean {
    return this.#waiting_bytes + this.#socket.writableLength > behind_bytes
  }

  /** Writes what waits, as far as the socket takes it now. */
  flush(): void {
    this.#isListed = false
    while (!this.#isClosed && !this.#isBlocked && this.#sent < this.#frames.length) this.#writeSome()
    if (this.#sent * 2 >= this.#frames.length) this.#forgetSent()
  }

  /** Sends nothing any more, and forgets what waits. */
  close(): void {
    this.#isClosed = true
    this.#sent = this.#frames.length
    this.#forgetSent()
  }

  #forgetSent(): void {
    this.#frames = this.#frames.slice(this.#sent)
    this.#numbers = this.#numbers.slice(this.#sent)
    this.#sent = 0
  }

  #overflow(): void {
    this.close()
    this.#onOverflow()
  }

  #writeSome(): void {
    const frame = this.#frames[this.#sent]
    if (!frame) return
    const takesMore = frame.bytes.length > copiedFrame_bytes_max ? this.#writeShared(frame) : this.#writeCopies()
    if (takesMore) return
    this.#isBlocked = true
    this.#socket.once('drain', () => {
      this.#isBlocked = false
      this.flush()
    })
  }

  /** Copies frames into one buffer, numbers each, and writes it. */
  #writeCopies(): boolean {
    let end = this.#sent
    let bytes = 0
    for (; end < this.#frames.length; end += 1) {
      const length = this.#frames[end]?.bytes.length ?? 0
      if (length > copiedFrame_bytes_max || bytes + length > write_bytes_max) break
      bytes += length
    }
    const together = Buffer.allocUnsafe(bytes)
    let at = 0
    for (; this.#sent < end; this.#sent += 1) {
      const frame = this.#frames[this.#sent]
      if (!frame) break
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
