/** The integer part of a value, limited to a range. */
export function clamped(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, Math.trunc(value)))
}
