/** A read of the read models in progress. */
export interface Reading {
  /** Whether nothing of this name was forgotten since the read began. Only then may its result be cached. */
  readonly isFresh: (name: string) => boolean
  readonly end: () => void
}

/** The reads in progress, and what was forgotten during them. */
export interface Readings {
  readonly begin: () => Reading
  readonly forget: (name: string) => void
  readonly forgetAll: () => void
}

/**
 * Records for each read in progress what was forgotten meanwhile, since its result may be older than that. Bounded by the number
 * of requests in progress.
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
