/** A piece of work that left the event loop to nobody else until it was done. */
export interface Stretch {
  readonly name: string
  readonly took_ms: number
}

/** What this thread did since it was last asked. */
export interface Doings {
  /** The longest piece of work that has a name; undefined where there was none. */
  readonly longest: Stretch | undefined
  /** The names of requests and jobs that were open, whether they waited or worked. */
  readonly open: ReadonlySet<string>
}

/** Watches what this thread is at work on. */
export interface WorkWatch {
  /** What was done since the last call. */
  look(): Doings
  stop(): void
}

interface Watching {
  longest: Stretch | undefined
  ended: Set<string>
}

// One thread has one event loop, so there is one of these, like the loop itself.
const watches = new Set<Watching>()
const open = new Map<string, number>()

/**
 * Does a piece of work that returns before anything else runs, under a name that whoever finds the event loop standing can tell.
 * Gives what the work gives, and throws what it throws. Names are few: operations, commands, opcodes, jobs. `onSpent` is told
 * the milliseconds that it took, also where it throws.
 */
export function working<Result>(name: string, work: () => Result, onSpent?: (processor_ms: number) => void): Result {
  const began = performance.now()
  try {
    return work()
  } finally {
    const took_ms = performance.now() - began
    onSpent?.(took_ms)
    for (const watch of watches)
      if (!watch.longest || took_ms > watch.longest.took_ms) watch.longest = { name, took_ms }
  }
}

/** Notes that something begins that waits as well as works, until the returned function is called. */
export function openWork(name: string): () => void {
  open.set(name, (open.get(name) ?? 0) + 1)
  return () => {
    const left = (open.get(name) ?? 1) - 1
    if (left === 0) open.delete(name)
    else open.set(name, left)
    for (const { ended } of watches) ended.add(name)
  }
}

/** Begins to watch. */
export function watchWork(): WorkWatch {
  const watching: Watching = { longest: undefined, ended: new Set() }
  watches.add(watching)
  return {
    look() {
      const doings = { longest: watching.longest, open: new Set([...watching.ended, ...open.keys()]) }
      watching.longest = undefined
      watching.ended.clear()
      return doings
    },
    stop: () => void watches.delete(watching),
  }
}
