import type { Timestamp } from '../../domain/kernel/timestamp.js'

/** What is noted of a session is off by so much at most, and by one more `flushEvery_ms` where a process dies. */
export const activityGrain_ms = 5 * 60_000

/**
 * When sessions, and Admin keys under names of their own, were last used, roughly. It is no history: what is lost costs a session some minutes of its age.
 */
export interface SessionActivity {
  /** Notes that a session is used now. Nothing is written here and then, so that it can be called with every request. */
  note(tokenHash: string): void
  /** Forgets a session that has ended. */
  forget(tokenHash: string): void
  /** When sessions were last used; one that nothing is known of is left out. At most 1000 at once. */
  lastUsed(tokenHashes: readonly string[]): Promise<ReadonlyMap<string, Timestamp>>
}
