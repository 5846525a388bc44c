/** Places as bits, 32 in each number. What lies beyond its end is not in it. */
export type PlaceBits = Uint32Array

/** Places as bits, which grow with the highest place that is added. */
export interface PlaceSet {
  add(place: number): void
  remove(place: number): void
  count(): number
  /** As they are until something is added or removed. */
  bits(): PlaceBits
}

const first_count = 32

/** Makes an empty one. It takes a bit for each place up to the highest one, and as much again at most to grow. */
export function placeSet(): PlaceSet {
  let bits = new Uint32Array(first_count)
  let count = 0
  return {
    add(place) {
      const at = place >>> 5
      if (at >= bits.length) {
        const larger = new Uint32Array(Math.max(at + 1, 2 * bits.length))
        larger.set(bits)
        bits = larger
      }
      if (hasPlace(bits, place)) return
      addPlace(bits, place)
      count += 1
    },
    remove(place) {
      if (!hasPlace(bits, place)) return
      removePlace(bits, place)
      count -= 1
    },
    count: () => count,
    bits: () => bits,
  }
}

export function hasPlace(bits: PlaceBits, place: number): boolean {
  return (((bits[place >>> 5] ?? 0) >>> (place & 31)) & 1) === 1
}

/** Adds a place that is not beyond the end. */
export function addPlace(bits: PlaceBits, place: number): void {
  bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31))
}

export function removePlace(bits: PlaceBits, place: number): void {
  const at = place >>> 5
  if (at < bits.length) bits[at] = (bits[at] ?? 0) & ~(1 << (place & 31))
}

/** Leaves in `bits` what is in `others` too. */
export function keepCommon(bits: PlaceBits, others: PlaceBits): void {
  const end = Math.min(bits.length, others.length)
  for (let at = 0; at < end; at += 1) bits[at] = (bits[at] ?? 0) & (others[at] ?? 0)
  bits.fill(0, end)
}

/** Leaves in `bits` what is not in `others`. */
export function keepOthers(bits: PlaceBits, others: PlaceBits): void {
  const end = Math.min(bits.length, others.length)
  for (let at = 0; at < end; at += 1) bits[at] = (bits[at] ?? 0) & ~(others[at] ?? 0)
}

/** How many places are in both. */
export function countCommon(bits: PlaceBits, others: PlaceBits): number {
  const end = Math.min(bits.length, others.length)
  let count = 0
  for (let at = 0; at < end; at += 1) {
    const common = (bits[at] ?? 0) & (others[at] ?? 0)
    if (common !== 0) count += onesIn(common)
  }
  return count
}

/** All places, ascending. */
export function placesIn(bits: PlaceBits): readonly number[] {
  const places: number[] = []
  for (let at = 0; at < bits.length; at += 1)
    for (let left = bits[at] ?? 0; left !== 0; left &= left - 1) places.push((at << 5) + 31 - Math.clz32(left & -left))
  return places
}

/** Adds up neighbouring bits, then pairs, then fours, then bytes. */
function onesIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55_55_55_55)
  const fours = (pairs & 0x33_33_33_33) + ((pairs >>> 2) & 0x33_33_33_33)
  return Math.imul((fours + (fours >>> 4)) & 0x0f_0f_0f_0f, 0x01_01_01_01) >>> 24
}
