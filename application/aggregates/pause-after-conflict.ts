/** The longest pause after the second conflict of a command; it doubles with each one more, up to `max`. */
export const conflictPause_ms = { first: 4, max: 64 } as const

/**
 * Waits before a command that lost against other processes is tried again. Not after its first conflict, as one other
 * process seldom is faster twice; then for a random time, so that those who met do not meet again.
 */
export async function pauseAfterConflict(conflicts: number): Promise<void> {
  if (conflicts < 2) return
  const bound_ms = Math.min(conflictPause_ms.first * 2 ** (conflicts - 2), conflictPause_ms.max)
  await new Promise((resolve) => setTimeout(resolve, Math.random() * bound_ms))
}
