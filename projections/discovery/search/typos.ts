/** Whether two words are the same but for one letter that is missing, one too many or another one, or for two neighbours changed over. */
export function isOneTypo(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  const length_max = Math.min(a.length, b.length)
  let start = 0
  while (start < length_max && a.charCodeAt(start) === b.charCodeAt(start)) start += 1
  let end = 0
  while (end < length_max - start && a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)) end += 1
  const different = Math.max(a.length, b.length) - start - end
  if (different !== 2 || a.length !== b.length) return different <= 1
  return a[start] === b[start + 1] && a[start + 1] === b[start]
}
