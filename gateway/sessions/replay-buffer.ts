import type { GatewayLimits } from '../limits.ts'
import type { Frame } from '../protocol/frame.ts'
import type { ReplayHolder, ReplayMemory } from './replay-memory.ts'

type ReplayLimits = Pick<GatewayLimits, 'replayEntries_max' | 'replay_bytes_max' | 'replayEntry_bytes_max'>

/**
 * The dispatches that a session may still request again, oldest first. It refers to frames shared with other sessions,
 * and counts each in full against its own bounds; the bound of the process counts it once.
 */
export class ReplayBuffer implements ReplayHolder {
  readonly #limits: ReplayLimits
  readonly #memory: ReplayMemory
  // Two lists instead of one list of pairs: a session may keep thousands of entries, and each dispatch adds one to every session.
  #frames: Frame[] = []
  #numbers: number[] = []
  /** Entries before this one were dropped. */
  #first = 0
  #bytes = 0
  #floor = 0

  constructor(limits: ReplayLimits, memory: ReplayMemory) {
    this.#limits = limits
    this.#memory = memory
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
    this.#memory.hold(this, frame)
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
    if (this.#size === 0) return
    while (this.#size > 0 && (this.#numbers[this.#first] ?? 0) <= seq) this.#dropFirst()
    if (this.#size > 0) this.#memory.acknowledged(this)
    else this.#memory.leave(this)
  }

  /** Drops everything: nothing from before can be replayed. */
  giveUp(): void {
    const last = this.#numbers.at(-1)
    if (last !== undefined) this.leaveOut(last)
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
    const frame = this.#frames[this.#first]
    if (frame) {
      this.#bytes -= frame.bytes.length
      this.#memory.release(frame)
    }
    this.#first += 1
    if (this.#first * 2 >= this.#frames.length) {
      this.#frames = this.#frames.slice(this.#first)
      this.#numbers = this.#numbers.slice(this.#first)
      this.#first = 0
    }
    return s
  }
}
