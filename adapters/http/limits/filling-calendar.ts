/** Bucket keys by the second in which the buckets are full, so that those full soonest are found without a search. */
export interface FillingCalendar {
  add(fullAt: number, key: string): void
  remove(fullAt: number, key: string): void
  /** Removes and gives the keys of the seconds that are over. */
  takeUpTo(now: number): readonly string[]
  /** At most `keys_max` keys, in order of their seconds. */
  soonest(keys_max: number): readonly string[]
}

/** Instants are milliseconds. No key may be added for a second that was already removed. */
export function fillingCalendar(): FillingCalendar {
  const seconds = new Map<number, Set<string>>()
  let first = 0
  return {
    add(fullAt, key) {
      const keys = seconds.get(secondOf(fullAt))
      if (keys) keys.add(key)
      else seconds.set(secondOf(fullAt), new Set([key]))
    },
    remove(fullAt, key) {
      const keys = seconds.get(secondOf(fullAt))
      keys?.delete(key)
      if (keys?.size === 0) seconds.delete(secondOf(fullAt))
    },
    takeUpTo(now) {
      const over: string[] = []
      for (; first <= now / 1000 && seconds.size > 0; first += 1) {
        for (const key of seconds.get(first) ?? []) over.push(key)
        seconds.delete(first)
      }
      if (seconds.size === 0) first = Math.floor(now / 1000)
      return over
    },
    soonest(keys_max) {
      const found: string[] = []
      for (let second = first, left = seconds.size; left > 0 && found.length < keys_max; second += 1) {
        const keys = seconds.get(second)
        if (!keys) continue
        left -= 1
        for (const key of keys) {
          if (found.length === keys_max) break
          found.push(key)
        }
      }
      return found
    },
  }
}

const secondOf = (ms: number): number => Math.ceil(ms / 1000)
