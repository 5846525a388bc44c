/** A piece of work that kept the event loop busy until it was done. */
export interface Stretch {
  readonly name: string
  readonly took_ms: number
}

/** This thread's work since the last look. */
export interface Doings {
  /** The longest piece of named work; undefined if there was none. */
  readonly longest: Stretch | undefined
  /** The names of open requests and jobs, waiting or working. */
  readonly open: ReadonlySet<string>
}

/** Watches the work of this thread. */
export interface WorkWatch {
  /** The work since the last call. */
  look(): Doings
  stop(): void
}

interface Watching {
  longest: Stretch | undefined
  ended: Set<string>
}

// One thread has one event loop, so this state exists once, like the loop itself.
const watches = new Set<Watching>()
const open = new Map<string, number>()

/**
 * Runs a piece of synchronous work under a name. The report of a blocked event loop shows this name. Returns and throws what the
 * work does. Names are few: operations, commands, opcodes, jobs. `onSpent` gets the milliseconds that the work took, even if it
 * throws.
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

/** Notes the begin of something that both waits and works; the returned function notes its end. */
export function openWork(name: string): () => void {
  open.set(name, (open.get(name) ?? 0) + 1)
  return () => {
    const left = (open.get(name) ?? 1) - 1
    if (left === 0) open.delete(name)
    else open.set(name, left)
    for (const { ended } of watches) ended.add(name)
  }
}

/** Starts to watch. */
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
