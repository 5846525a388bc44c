/** Pseudorandom numbers: the same seed gives the same numbers in the same order. */
export interface Chance {
  /** From 0 up to but not including 1. */
  next(): number
  /** A whole number from 0 up to but not including `below`. */
  below(below: number): number
  /** One of a non-empty list. */
  one<Item>(items: readonly [Item, ...Item[]]): Item
  bytes(count: number): Uint8Array
}

/** Mulberry32: 32 bits of state, which is enough for content that only has to look lively. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    one: (items) => items[below(items.length)] ?? items[0],
    bytes: (count) => Uint8Array.from({ length: count }, () => below(256)),
  }
}
