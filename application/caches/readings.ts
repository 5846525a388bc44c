/** A read of the read models that is on its way. */
export interface Reading {
  /** Whether nothing of this name was forgotten since the read began: only then may what it found be kept. */
  readonly isFresh: (name: string) => boolean
  readonly end: () => void
}

/** The reads that are on their way, and what was forgotten while they were. */
export interface Readings {
  readonly begin: () => Reading
  readonly forget: (name: string) => void
  readonly forgetAll: () => void
}

/**
 * Tells reads that something was forgotten while they were on their way: what they find may be older than that. Bounded by the
 * requests that are at work.
 */
export function readings(): Readings {
  const open = new Set<{ readonly names: Set<string>; isStale: boolean }>()
  return {
    begin() {
      const forgotten = { names: new Set<string>(), isStale: false }
      open.add(forgotten)
      return {
        isFresh: (name) => !forgotten.isStale && !forgotten.names.has(name),
        end: () => open.delete(forgotten),
      }
    },
    forget(name) {
      for (const { names } of open) names.add(name)
    },
    forgetAll() {
      for (const reading of open) reading.isStale = true
    },
  }
}
