/** Counts events within a period, and says whether one more is allowed. Times are the Gateway's, in milliseconds. */
export interface Window {
  /** Counts one more; false if it is one too many. */
  take(now_ms: number): boolean
}

/** At most `limit` within any `period_ms`. It stores the times, so its size follows its use. */
export function rollingWindow(limit: number, period_ms: number): Window {
  let times: number[] = []
  return {
    take(now_ms) {
      if (limit === Number.POSITIVE_INFINITY) return true
      if (times.length >= limit) times = times.filter((time) => time > now_ms - period_ms)
      if (times.length >= limit) return false
      times.push(now_ms)
      return true
    },
  }
}

/** At most `limit` within each `period_ms`, counted from the first one. */
export function fixedWindow(limit: number, period_ms: number): Window {
  let began_ms = Number.NEGATIVE_INFINITY
  let count = 0
  return {
    take(now_ms) {
      if (now_ms - began_ms >= period_ms) {
        began_ms = now_ms
        count = 0
      }
      count += 1
      return count <= limit
    },
  }
}
