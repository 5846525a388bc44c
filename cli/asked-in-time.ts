import { answeredInTime } from '../application/health/answered-in-time.js'

const answer_ms_max = 1000

/**
 * Asks Postgres for metrics, which may hang, one question at a time. Gives undefined, after `onError` was told, where there is no answer within
 * a second: what it would say is left out, and the other metrics are told.
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
