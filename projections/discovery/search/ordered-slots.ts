/** Slots in an order, to which some are added and from which some are taken at any time. */
export interface OrderedSlots {
  /** Adds a slot that is not there. */
  add(slot: number): void
  /** Takes a slot away. It must still compare as it did when it was added. */
  remove(slot: number): void
  /** All in their order, as long as nothing is added or removed. */
  readonly all: () => Uint32Array
}

/** So many wait at most to be put in order: who adds very many shares the time with others. */
const waiting_max = 1000

/**
 * Makes an empty one. `compare` never calls two slots equal. What is added and removed costs in proportion to itself: the others are
 * only moved, as bytes.
 */
export function orderedSlots(compare: (a: number, b: number) => number): OrderedSlots {
  let ordered = new Uint32Array(0)
  let used = 0
  const waiting = new Set<number>()

  /** How many slots in order come before this one. */
  function countBefore(slot: number): number {
    let [low, high] = [0, used]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compare(ordered[middle] ?? 0, slot) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Puts those that wait among the others, the last one first, so that each of the others moves once. */
  function settle(): void {
    if (waiting.size === 0) return
    const added = [...waiting].toSorted(compare)
    waiting.clear()
    if (used + added.length > ordered.length) {
      const larger = new Uint32Array(2 * (used + added.length))
      larger.set(ordered.subarray(0, used))
      ordered = larger
    }
    // Found before anything moves.
    const gaps = added.map(countBefore)
    let end = used
    used += added.length
    for (let last = added.length - 1; last >= 0; last -= 1) {
      const gap = gaps[last] ?? 0
      ordered.copyWithin(gap + last + 1, gap, end)
      ordered[gap + last] = added[last] ?? 0
      end = gap
    }
  }

  return {
    add(slot) {
      waiting.add(slot)
      if (waiting.size >= waiting_max) settle()
    },
    remove(slot) {
      if (waiting.delete(slot)) return
      const at = countBefore(slot)
      ordered.copyWithin(at, at + 1, used)
      used -= 1
    },
    all() {
      settle()
      return ordered.subarray(0, used)
    },
  }
}
