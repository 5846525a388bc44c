/**
 * The differences of a value from the members of another, each as a sentence. Members that the other value lacks do not matter.
 */
export function differences(found: unknown, wanted: unknown, at = 'it'): readonly string[] {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(found) || found.length !== wanted.length) return [difference(found, wanted, at)]
    return wanted.flatMap((item, index) => differences(found[index], item, `${at}[${index}]`))
  }
  if (typeof wanted !== 'object' || wanted === null)
    return Object.is(found, wanted) ? [] : [difference(found, wanted, at)]
  if (typeof found !== 'object' || found === null) return [difference(found, wanted, at)]
  const members = new Map(Object.entries(found))
  return Object.entries(wanted).flatMap(([key, value]) => differences(members.get(key), value, `${at}.${key}`))
}

function difference(found: unknown, wanted: unknown, at: string): string {
  return `${at} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`
}
