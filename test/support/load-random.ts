/** Random choices that are the same for the same seed: a failing schedule can be run again. */
export interface Chance {
  /** From 0 up to but not including 1. */
  next(): number
  /** A whole number from `min` up to and including `max`. */
  between(min: number, max: number): number
  /** One element of a list; undefined if it is empty. */
  pick<Thing>(things: readonly Thing[]): Thing | undefined
  /** An independent generator, whatever others draw. */
  fork(label: number): Chance
}

/** FAULTS_SEED, to repeat a failing run; otherwise drawn. The caller that draws it prints it. */
export function faultsSeed(): number {
  return Number(process.env['FAULTS_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
}

/** The generator known as mulberry32. */
export function chance(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    between: (min, max) => min + Math.floor(next() * (max - min + 1)),
    pick: (things) => things[Math.floor(next() * things.length)],
    fork: (label) => chance(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(label + 1, 0xc2b2ae35)),
  }
}
