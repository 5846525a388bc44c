/**
 * Lets one act at a time run for a key, in whichever process: for acts that read an aggregate which another act of the same key
 * writes. A process that dies lets go at once, and one that hangs within seconds; what it had sent to the event store by then may
 * still be taken.
 */
export interface Locks {
  /**
   * Runs `act` while nobody else runs one for `key`. Gives undefined, without acting, where others do not let go for so long as
   * the adapter waits. Rejects with Unavailable, without acting, where it can't be told who holds the key.
   */
  holding<Result>(key: string, act: () => Promise<Result>): Promise<{ readonly result: Result } | undefined>
}
