import { working } from '../../application/observation/at-work.ts'
import { networkOf, oneClient } from '../../domain/network/network-of.ts'
import type { GatewayLimits } from '../limits.ts'
import type { Ticker } from '../ticker.ts'

/** One connection with a frame to encode. */
export interface Turn {
  readonly address: string
  /** Encodes what is next. Gives its size in bytes. */
  encodeSome(): number
  /** Passes the encoded frames to the socket. */
  sendEncoded(): void
  /** The client did not accept its encoded frames in time. */
  expire(): void
}

export interface EncodingTurnsSettings {
  readonly limits: Pick<GatewayLimits, 'encoded_bytes_max' | 'encodedPerIp_bytes_max'>
  readonly ticker: Pick<Ticker, 'after'>
}

interface Held {
  readonly network: string
  readonly bytes: number
  readonly stopWaiting: () => void
}

/** The rate at which a client must accept encoded frames, and the minimum time it gets. */
const leastRate_bytes_per_s = 32 * 1024
const leastTime_ms = 10_000

/**
 * Lets connections encode large frames one after another: one per turn of the event loop, taking turns by network, and for at
 * most half of the time. Encoded bytes count until the socket has accepted them, against one bound for the network and one for
 * all; a connection beyond a bound waits. An IPv6 address stands for its /64.
 */
export class EncodingTurns {
  readonly #settings: EncodingTurnsSettings
  /** The waiting turns by network; the network served last comes last. */
  readonly #waiting = new Map<string, Set<Turn>>()
  readonly #held = new Map<Turn, Held>()
  readonly #heldBy = new Map<string, number>()
  #held_bytes = 0
  #isWorking = false

  constructor(settings: EncodingTurnsSettings) {
    this.#settings = settings
  }

  /** Encodes for a connection as soon as its turn comes. What it holds from its previous turn counts as accepted. */
  ask(turn: Turn): void {
    this.release(turn)
    const network = networkOf(turn.address, oneClient)
    const waiting = this.#waiting.get(network) ?? new Set()
    this.#waiting.set(network, waiting.add(turn))
    this.#workOn()
  }

  /** The socket has accepted what was encoded, or is gone. */
  release(turn: Turn): void {
    const held = this.#held.get(turn)
    if (!held) return
    this.#held.delete(turn)
    held.stopWaiting()
    this.#count(held.network, -held.bytes)
    this.#workOn()
  }

  /** The connection has ended and encodes nothing any more. */
  forget(turn: Turn): void {
    const network = networkOf(turn.address, oneClient)
    const waiting = this.#waiting.get(network)
    waiting?.delete(turn)
    if (waiting?.size === 0) this.#waiting.delete(network)
    this.release(turn)
  }

  #workOn(): void {
    if (this.#isWorking || !this.#next()) return
    this.#isWorking = true
    setImmediate(() => {
      this.#work()
    })
  }

  #work(): void {
    const next = this.#next()
    const began_ms = performance.now()
    if (next) this.#serve(next.network, next.turn)
    // Everything else then gets as much time as this took.
    setTimeout(() => {
      this.#isWorking = false
      this.#workOn()
    }, performance.now() - began_ms)
  }

  #next(): { readonly network: string; readonly turn: Turn } | undefined {
    const { encoded_bytes_max, encodedPerIp_bytes_max } = this.#settings.limits
    if (this.#held_bytes >= encoded_bytes_max) return undefined
    for (const [network, [turn]] of this.#waiting) {
      if (turn && (this.#heldBy.get(network) ?? 0) < encodedPerIp_bytes_max) return { network, turn }
    }
    return undefined
  }

  #serve(network: string, turn: Turn): void {
    const waiting = this.#waiting.get(network) ?? new Set()
    waiting.delete(turn)
    this.#waiting.delete(network)
    if (waiting.size > 0) this.#waiting.set(network, waiting)
    this.#hold(
      network,
      turn,
      working('gateway guild', () => turn.encodeSome()),
    )
    turn.sendEncoded()
  }

  #hold(network: string, turn: Turn, bytes: number): void {
    const time_ms = Math.max(leastTime_ms, (bytes / leastRate_bytes_per_s) * 1000)
    const stopWaiting = this.#settings.ticker.after(time_ms, () => {
      turn.expire()
    })
    this.#held.set(turn, { network, bytes, stopWaiting })
    this.#count(network, bytes)
  }

  #count(network: string, bytes: number): void {
    this.#held_bytes += bytes
    const held = (this.#heldBy.get(network) ?? 0) + bytes
    if (held > 0) this.#heldBy.set(network, held)
    else this.#heldBy.delete(network)
  }
}
