import type { GatewayLimits } from '../limits.ts'
import type { Frame } from '../protocol/frame.ts'

/** What can give up everything that it keeps. */
export interface ReplayHolder {
  giveUp(): void
}

/** The two lists of a session have this much for each of its dispatches. */
const entry_bytes = 16
/** Room is made down to this share, so that it is not made again for every dispatch. */
const keptShare = 7 / 8

/**
 * What all sessions of the process keep for replays. A frame counts once, however many sessions keep it. Beyond the bound,
 * sessions give up all that they keep, those first whose clients have acknowledged nothing for longest: they can go on, but not
 * resume from before.
 */
export class ReplayMemory {
  readonly #limits: Pick<GatewayLimits, 'replays_bytes_max'>
  /** Those that keep something; the one that was acknowledged last comes last. */
  readonly #holders = new Set<ReplayHolder>()
  #bytes = 0
  #lost = 0

  constructor(limits: Pick<GatewayLimits, 'replays_bytes_max'>) {
    this.#limits = limits
  }

  get bytes(): number {
    return this.#bytes
  }

  /** How often a session has given up what it kept. */
  get lost(): number {
    return this.#lost
  }

  /** A session keeps one more frame. */
  hold(holder: ReplayHolder, frame: Frame): void {
    this.#holders.add(holder)
    this.#bytes += entry_bytes + (frame.keptBy === 0 ? frame.bytes.length : 0)
    frame.keptBy += 1
    if (this.#bytes > this.#limits.replays_bytes_max) this.#makeRoom()
  }

  /** A session keeps a frame no longer. */
  release(frame: Frame): void {
    frame.keptBy -= 1
    this.#bytes -= entry_bytes + (frame.keptBy === 0 ? frame.bytes.length : 0)
  }

  /** A client has acknowledged something, and its session still keeps the rest. */
  acknowledged(holder: ReplayHolder): void {
    if (this.#holders.delete(holder)) this.#holders.add(holder)
  }

  /** A session keeps nothing now. */
  leave(holder: ReplayHolder): void {
    this.#holders.delete(holder)
  }

  #makeRoom(): void {
    const kept_bytes = this.#limits.replays_bytes_max * keptShare
    for (const holder of this.#holders) {
      if (this.#bytes <= kept_bytes) return
      this.#lost += 1
      holder.giveUp()
    }
  }
}
