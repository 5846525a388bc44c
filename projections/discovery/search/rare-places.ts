/** The places of many hashes that few places have. */
export interface RarePlaces {
  /** Adds a place to a hash. Gives how many the hash now has, or more. */
  add(hash: number, place: number): number
  /** Takes away one that was added. */
  remove(hash: number, place: number): void
  /** The places of a hash, and now and then one of another hash, or one twice. */
  of(hash: number): readonly number[]
}

/** One part of the table: a prefix of the hash chooses it. It grows for itself, so that nothing ever moves the whole table. */
interface Shard {
  /** The first 32 bits of the hash in each slot. */
  prefixes: Uint32Array
  /** The place in each slot and 1, or 0 if the slot is empty. */
  places: Uint32Array
  used_count: number
}

const prefixDivisor = 2 ** 16
const shardShift = 24
const shards_count = 2 ** (32 - shardShift)
const inShard = 2 ** shardShift - 1
const first_slots = 64
/** What is fuller is slow; what is emptier takes more memory. */
const fill_max = 0.8
const growth = 1.4

/**
 * Makes an empty one: a hash table with a slot of 8 bytes for each pair of hash and place, 10 to 14 bytes with the empty ones. Slots
 * keep only 32 bits of a hash: who needs all of them asks the guild at the place.
 */
export function rarePlaces(): RarePlaces {
  // Of different sizes, so that they do not all grow at the same time.
  const shards = Array.from({ length: shards_count }, (_none, index): Shard =>
    shardOf(Math.ceil(first_slots * growth ** (index / shards_count))),
  )
  const shardFor = (prefix: number): Shard => shards[prefix >>> shardShift] ?? never()

  return {
    add(hash, place) {
      const prefix = prefixOf(hash)
      const shard = shardFor(prefix)
      if (shard.used_count >= fill_max * shard.places.length) grow(shard)
      return fill(shard, prefix, place + 1)
    },
    remove(hash, place) {
      const prefix = prefixOf(hash)
      const shard = shardFor(prefix)
      const at = slotOf(shard, prefix, place + 1)
      if (at !== undefined) empty(shard, at)
    },
    of(hash) {
      const prefix = prefixOf(hash)
      const { prefixes, places } = shardFor(prefix)
      const found: number[] = []
      for (let at = homeIn(places.length, prefix); ; at = after(at, places.length)) {
        const held = places[at] ?? 0
        if (held === 0) return found
        if (prefixes[at] === prefix) found.push(held - 1)
      }
    },
  }
}

function shardOf(slots: number): Shard {
  return { prefixes: new Uint32Array(slots), places: new Uint32Array(slots), used_count: 0 }
}

function prefixOf(hash: number): number {
  return Math.floor(hash / prefixDivisor)
}

/** Where the search for a prefix begins. The order of prefixes stays, so that growing reads and writes memory as it lies. */
function homeIn(slots: number, prefix: number): number {
  return Math.floor(((prefix & inShard) / 2 ** shardShift) * slots)
}

function after(slot: number, slots: number): number {
  return slot + 1 === slots ? 0 : slot + 1
}

/** Puts it in the first empty slot from its home. Gives how many slots from there have its prefix now. */
function fill(shard: Shard, prefix: number, held: number): number {
  const { prefixes, places } = shard
  let count = 1
  let at = homeIn(places.length, prefix)
  for (; places[at] !== 0; at = after(at, places.length)) if (prefixes[at] === prefix) count += 1
  prefixes[at] = prefix
  places[at] = held
  shard.used_count += 1
  return count
}

function slotOf({ prefixes, places }: Shard, prefix: number, held: number): number | undefined {
  for (let at = homeIn(places.length, prefix); places[at] !== 0; at = after(at, places.length))
    if (places[at] === held && prefixes[at] === prefix) return at
  return undefined
}

/** Empties a slot, and moves those behind it that would no longer be found. */
function empty(shard: Shard, slot: number): void {
  const { prefixes, places } = shard
  const slots = places.length
  let gap = slot
  for (let at = after(gap, slots); places[at] !== 0; at = after(at, slots)) {
    const prefix = prefixes[at] ?? 0
    const fromHome = (at - homeIn(slots, prefix) + slots) % slots
    const fromGap = (at - gap + slots) % slots
    if (fromHome < fromGap) continue
    prefixes[gap] = prefix
    places[gap] = places[at] ?? 0
    gap = at
  }
  places[gap] = 0
  shard.used_count -= 1
}

function grow(shard: Shard): void {
  const { prefixes, places } = shard
  Object.assign(shard, shardOf(Math.ceil(places.length * growth)))
  for (const [at, held] of places.entries()) if (held !== 0) fill(shard, prefixes[at] ?? 0, held)
}

function never(): never {
  throw new Error('A prefix has no shard')
}
