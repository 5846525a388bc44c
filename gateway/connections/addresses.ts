import { networkOf, oneClient } from '../../domain/network/network-of.ts'
import { minute_ms, type GatewayLimits } from '../limits.ts'
import { FixedWindow, type Window } from '../windows.ts'

/** The current use of one network address. */
interface Address {
  sockets: number
  /** When its last socket ended, if one did. */
  lastUsed_ms: number
  readonly payloads: Window
  readonly identifies: Window
}

/** How many addresses without a socket are remembered. The sockets themselves bound the rest of the table. */
const idleAddresses_max = 100_000

/** Enforces the limits of each network address. An IPv6 address stands for its /64. */
export class Addresses {
  readonly #known = new Map<string, Address>()
  readonly #limits: GatewayLimits
  #idle = 0

  constructor(limits: GatewayLimits) {
    this.#limits = limits
  }

  /** Counts a socket of an address. False if the address has too many; the socket counts nevertheless until it closes. */
  open(ip: string): boolean {
    const address = this.#of(ip)
    if (address.sockets === 0) this.#idle -= 1
    address.sockets += 1
    return address.sockets <= this.#limits.connectionsPerIp_max
  }

  close(ip: string, now_ms: number): void {
    const address = this.#of(ip)
    address.sockets -= 1
    address.lastUsed_ms = now_ms
    if (address.sockets === 0) this.#idle += 1
    if (this.#idle > idleAddresses_max) this.#forgetIdle(now_ms)
  }

  /** Counts a payload; false if it is one too many. */
  takePayload(ip: string, now_ms: number): boolean {
    return this.#of(ip).payloads.take(now_ms)
  }

  /** Counts an Identify; false if it is one too many. */
  takeIdentify(ip: string, now_ms: number): boolean {
    return this.#of(ip).identifies.take(now_ms)
  }

  #of(ip: string): Address {
    const key = networkOf(ip, oneClient)
    const known = this.#known.get(key)
    if (known) return known
    const { payloadsPerMinute, identifiesPerIpAndMinute } = this.#limits
    const address = {
      sockets: 0,
      lastUsed_ms: 0,
      payloads: new FixedWindow(payloadsPerMinute.ip, minute_ms),
      identifies: new FixedWindow(identifiesPerIpAndMinute, minute_ms),
    }
    this.#known.set(key, address)
    this.#idle += 1
    return address
  }

  /** Forgets addresses whose windows are over; if that is not enough, the oldest ones. */
  #forgetIdle(now_ms: number): void {
    const idle = [...this.#known].filter(([, { sockets }]) => sockets === 0)
    const over = idle.filter(([, { lastUsed_ms }]) => now_ms - lastUsed_ms >= minute_ms)
    for (const [key] of over.length > 0 ? over : idle.slice(0, idleAddresses_max / 2)) {
      this.#known.delete(key)
      this.#idle -= 1
    }
  }
}
