/**
 * Runs one act at a time per key, across processes. It is for acts that read an aggregate which another act under the same key
 * writes. A dead process releases its locks at once, a hanging one within seconds. What it had already sent to the event store
 * may still be accepted.
 */
export interface Locks {
  /**
   * Runs `act` while nobody else runs one for `key`. Gives undefined, without acting, if others hold the key longer than the
   * adapter waits. Rejects with Unavailable, without acting, if it cannot find out who holds the key.
   */
  holding<Result>(key: string, act: () => Promise<Result>): Promise<{ readonly result: Result } | undefined>
}
