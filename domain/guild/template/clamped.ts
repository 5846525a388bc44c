/** Truncated to an integer, and to what it may be. */
export function clamped(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, Math.trunc(value)))
}
