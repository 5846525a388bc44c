import type { GatewayLimits } from '../limits.ts'
import type { Frame } from '../protocol/frame.ts'

type ReplayLimits = Pick<GatewayLimits, 'replayEntries_max' | 'replay_bytes_max' | 'replayEntry_bytes_max'>

/**
 * The dispatches that a session may still request again, oldest first. It refers to frames shared with other sessions,
 * and counts each in full against its own bounds.
 */
export class ReplayBuffer {
  readonly #limits: ReplayLimits
  // Two lists instead of one list of pairs: a session may keep thousands of entries, and each dispatch adds one to every session.
  #frames: Frame[] = []
  #numbers: number[] = []
  /** Entries before this one were dropped. */
  #first = 0
  #bytes = 0
  #floor = 0

  constructor(limits: ReplayLimits) {
    this.#limits = limits
  }

  /** The highest number that was dropped before it was acknowledged: a replay from below it would have a gap. */
  get floor(): number {
    return this.#floor
  }

  /** Keeps a dispatch. If it is too large to keep, nothing from before it can be replayed. */
  keep(s: number, frame: Frame): void {
    if (frame.bytes.length > this.#limits.replayEntry_bytes_max) {
      this.leaveOut(s)
      return
    }
    this.#frames.push(frame)
    this.#numbers.push(s)
    this.#bytes += frame.bytes.length
    while (this.#bytes > this.#limits.replay_bytes_max || this.#size > this.#limits.replayEntries_max) {
      this.#floor = Math.max(this.#floor, this.#dropFirst())
    }
  }

  /** Notes a dispatch that can't be sent again: nothing from before it can be replayed. */
  leaveOut(s: number): void {
    this.acknowledge(s)
    this.#floor = s
  }

  /** Drops what the client has acknowledged. */
  acknowledge(seq: number): void {
    while (this.#size > 0 && (this.#numbers[this.#first] ?? 0) <= seq) this.#dropFirst()
  }

  /** Sends everything that was not acknowledged, in order. */
  replay(send: (frame: Frame, s: number) => void): void {
    for (let index = this.#first; index < this.#frames.length; index += 1) {
      const frame = this.#frames[index]
      if (frame) send(frame, this.#numbers[index] ?? 0)
    }
  }

  get #size(): number {
    return this.#frames.length - this.#first
  }

  /** Drops the oldest entry and gives its number. */
  #dropFirst(): number {
    const s = this.#numbers[this.#first] ?? 0
    this.#bytes -= this.#frames[this.#first]?.bytes.length ?? 0
    this.#first += 1
    if (this.#first * 2 >= this.#frames.length) {
      this.#frames = this.#frames.slice(this.#first)
      this.#numbers = this.#numbers.slice(this.#first)
      this.#first = 0
    }
    return s
  }
}
