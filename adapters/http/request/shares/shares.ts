/** The holder that a request's shared resources count for. */
export interface Holder {
  /** The client's address, exact for IPv4, the /64 for IPv6. */
  readonly address: string
  /** The identity of its rate limits: an account with its kind of credential, or the address. */
  readonly identity: string
  /** Whether its credential resolved. All others are strangers. */
  readonly isKnown: boolean
}

/** How much of something may be held at once. */
export interface ShareBounds {
  readonly all_max: number
  /** For all strangers together. The rest is kept for known clients. */
  readonly strangers_max: number
  readonly address_max: number
  readonly identity_max: number
}

/** A limited amount of something that all requests share. */
export interface Shares {
  /** How much of it is held. */
  readonly held: number
  /** Takes an amount. Gives false if a bound is reached: then nothing is taken. */
  take(holder: Holder, amount: number): boolean
  /** Gives back what was taken for the same holder. */
  give(holder: Holder, amount: number): void
}

/** Starts with nothing held. It remembers addresses and identities only while they hold something. */
export function sharesWithin(bounds: ShareBounds): Shares {
  const addresses = new Map<string, number>()
  const identities = new Map<string, number>()
  let held = 0
  let ofStrangers = 0

  function fits({ address, identity, isKnown }: Holder, amount: number): boolean {
    return (
      held + amount <= bounds.all_max &&
      (isKnown || ofStrangers + amount <= bounds.strangers_max) &&
      (addresses.get(address) ?? 0) + amount <= bounds.address_max &&
      (identities.get(identity) ?? 0) + amount <= bounds.identity_max
    )
  }

  function add({ address, identity, isKnown }: Holder, amount: number): void {
    held += amount
    if (!isKnown) ofStrangers += amount
    addTo(addresses, address, amount)
    addTo(identities, identity, amount)
  }

  return {
    get held() {
      return held
    },
    take(holder, amount) {
      if (!fits(holder, amount)) return false
      add(holder, amount)
      return true
    },
    give: (holder, amount) => add(holder, -amount),
  }
}

function addTo(counts: Map<string, number>, key: string, amount: number): void {
  const count = (counts.get(key) ?? 0) + amount
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}
