import { answeredInTime } from '../application/health/answered-in-time.ts'

const answer_ms_max = 1000

/**
 * Queries Postgres for metrics, one query at a time, because it may hang. If there is no answer within a second, calls
 * `onError` and gives undefined: these metrics are left out, and the others are still reported.
 */
export function askedInTime<Result>(
  ask: () => Promise<Result>,
  onError: (error: unknown) => void,
): () => Promise<Result | undefined> {
  let asked: Promise<Result> | undefined
  return async () => {
    asked ??= ask().finally(() => (asked = undefined))
    try {
      return await answeredInTime('postgres', asked, answer_ms_max)
    } catch (error) {
      onError(error)
      return undefined
    }
  }
}
