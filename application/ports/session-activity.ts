import type { Timestamp } from '../../domain/kernel/timestamp.ts'

/**
 * When sessions were last used, roughly; Admin keys are recorded here too, under names of their own. This is not history: a loss
 * makes a session look some minutes older.
 */
export interface SessionActivity {
  /** Notes that a session is used now. Nothing is written at once, so it can be called with every request. */
  note(tokenHash: string): void
  /** Forgets a session of an erased account, or a deleted Admin key. A session that ended keeps its last use. */
  forget(tokenHash: string): void
  /** When sessions were last used; unknown ones are left out. At most 1000 at once. */
  lastUsed(tokenHashes: readonly string[]): Promise<ReadonlyMap<string, Timestamp>>
}
