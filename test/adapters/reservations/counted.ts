import type { Reservations } from '../../../application/ports/reservations.ts'

/** Within one count; undefined if it is refused. */
export async function withinOne<Result>(
  reservations: Reservations,
  ...[key, limit, count, act]: readonly [string, number, () => Promise<number>, () => Promise<Result>]
): Promise<Result | undefined> {
  const refusal = new Error('The limit is reached')
  const refuse = (): never => {
    throw refusal
  }
  return reservations.within([{ key, limit, count, refuse }], act).catch((error: unknown) => {
    if (error === refusal) return undefined
    throw error
  })
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** A count that lags behind the acts, like a read model, until an act is over. Pauses differ, and are the same each time. */
export function counted(start = 0) {
  let there = start
  let shown = start
  let reads = 0
  let steps = 0
  const unevenPause = () => pause(((steps += 1) * 7) % 4)
  return {
    get there() {
      return there
    },
    get reads() {
      return reads
    },
    count: async () => {
      reads += 1
      const seen = shown
      await unevenPause()
      return seen
    },
    act: async () => {
      await unevenPause()
      there += 1
      await unevenPause()
      shown = there
      return 'done'
    },
    leave: () => {
      there -= 1
      shown = there
    },
  }
}

export function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
