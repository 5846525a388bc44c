/** As the server is delivered. */
export const appendSize_max = 1024 * 1024

/** What goes wrong on demand. */
export interface Faults {
  /** Resolves when the server works: at once unless it stands still. */
  working(): Promise<void>
  /** Stands still: it takes connections and requests, answers pings, and does nothing with what it was asked. */
  standStill(): void
  goOn(): void
  /** How long an answer to an append is held back, in milliseconds. */
  answerDelay_ms: number
  /** Asked for each append: whether every connection is reset before the append is applied, or after it and before the answer. */
  reset: () => 'before' | 'after' | undefined
  /** Whether the server answers the ServerFeatures call with BatchAppend. */
  batchAppend: boolean
  /** The port of another node that leads: what needs the leader is refused, and told where that is. */
  leaderPort: number | undefined
  /** Whether the cluster has no leader: nothing is served then. */
  leaderless: boolean
  /** The bytes that it takes of one append. */
  appendSize_max: number
  /** What is answered to a read from a position where nothing begins: by most servers, or by some up to 24. */
  nothingBegins: 'invalid position' | 'error'
  /** Whether every read fails, as where a disk does. */
  failsReads: boolean
  /** After how many live events a subscription is ended, as servers up to 23.10 do with a reader that is behind. */
  slowAfter_events: number
  /** Asked for each event that a subscription is about to send: whether it is left out. */
  skips: (event: { readonly stream: string; readonly revision: number }) => boolean
  /** By how much a checkpoint overtakes the event before it, in milliseconds, as it may in servers before 23.6. */
  checkpointsAhead_ms: number
}

export function faults(): Faults {
  let still: PromiseWithResolvers | undefined
  return {
    working: () => still?.promise ?? Promise.resolve(),
    standStill() {
      still ??= withResolvers()
    },
    goOn() {
      still?.resolve()
      still = undefined
    },
    answerDelay_ms: 0,
    reset: () => undefined,
    batchAppend: true,
    leaderPort: undefined,
    leaderless: false,
    appendSize_max,
    nothingBegins: 'invalid position',
    failsReads: false,
    slowAfter_events: Number.POSITIVE_INFINITY,
    skips: () => false,
    checkpointsAhead_ms: 0,
  }
}

interface PromiseWithResolvers {
  readonly promise: Promise<void>
  readonly resolve: () => void
}

function withResolvers(): PromiseWithResolvers {
  let resolve = (): void => undefined
  const promise = new Promise<void>((settle) => (resolve = settle))
  return { promise, resolve: () => resolve() }
}
