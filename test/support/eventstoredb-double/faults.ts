/** The server's default. */
export const appendSize_max = 1024 * 1024

/** Faults that tests can turn on. */
export interface Faults {
  /** Resolves when the server works: at once unless it hangs. */
  working(): Promise<void>
  /** Hangs: it accepts connections and requests and answers pings, but does not handle the requests. */
  standStill(): void
  goOn(): void
  /** How long the answer to an append is delayed, in milliseconds. */
  answerDelay_ms: number
  /**
   * Called for each append: whether to reset every connection before the append is applied, or after it and before the answer.
   */
  reset: () => 'before' | 'after' | undefined
  /** Whether the server answers the ServerFeatures call with BatchAppend. */
  batchAppend: boolean
  /** The port of another node that leads. Calls that need the leader are refused, with the leader's address. */
  leaderPort: number | undefined
  /** Whether the cluster has no leader: then nothing is served. */
  leaderless: boolean
  /** The most bytes that it accepts in one append. */
  appendSize_max: number
  /** The answer to a read from a position where no event begins: that of most servers, or of some up to 24. */
  nothingBegins: 'invalid position' | 'error'
  /** Whether every read fails, as with a broken disk. */
  failsReads: boolean
  /** After how many live events a subscription is ended. Servers up to 23.10 do that to a slow reader. */
  slowAfter_events: number
  /** Called for each event that a subscription is about to send: whether to skip it. */
  skips: (event: { readonly stream: string; readonly revision: number }) => boolean
  /** By how much a checkpoint overtakes the event before it, in milliseconds, as can happen in servers before 23.6. */
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
