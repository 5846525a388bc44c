/** A value of JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json | undefined }

/** A member that differs. `before` or `after` is undefined where it is not there. */
export interface Difference {
  /** A JSON pointer. In a list of things that have ids, the id stands instead of the index. */
  readonly path: string
  readonly before: Json | undefined
  readonly after: Json | undefined
}

/**
 * The members in which two JSON values differ, as deep as both have them. Lists of things with ids are compared by id, and their order
 * as the member `order`; other lists as a whole. What is the same object in both is not looked into, so no list may have an id twice.
 */
export function differences(before: Json | undefined, after: Json | undefined, path = ''): readonly Difference[] {
  if (before === after) return []
  if (Array.isArray(before) && Array.isArray(after)) return arrayDifferences(before, after, path)
  if (isRecord(before) && isRecord(after)) {
    const members = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...members].flatMap((member) => differences(before[member], after[member], `${path}/${escaped(member)}`))
  }
  return wholeDifference(before, after, path)
}

function wholeDifference(before: Json | undefined, after: Json | undefined, path: string): readonly Difference[] {
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }]
}

/** A long list mostly begins and ends with the same objects: what is between them is looked at first, and often is all. */
function arrayDifferences(before: readonly Json[], after: readonly Json[], path: string): readonly Difference[] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  const some = byId(before.slice(start, before.length - end))
  const others = byId(after.slice(start, after.length - end))
  if (!some || !others || (start > 0 && !byId(before.slice(0, 1)))) return wholeDifference(before, after, path)
  const ids = new Set([...some.keys(), ...others.keys()])
  const found = [...ids].flatMap((id) => differences(some.get(id), others.get(id), `${path}/${escaped(id)}`))
  const order = keptIn(others, some)
  if (keptIn(some, others).every((id, index) => id === order[index])) return found
  const [was, is] = [byId(before) ?? some, byId(after) ?? others]
  return [...found, { path: `${path}/order`, before: keptIn(was, is), after: keptIn(is, was) }]
}

/** The ids of one list that the other one has too, in their order. */
function keptIn(one: ReadonlyMap<string, Json>, other: ReadonlyMap<string, Json>): readonly string[] {
  return [...one.keys()].filter((id) => other.has(id))
}

/** The value at a path; undefined where nothing is. */
export function valueAt(value: Json | undefined, path: string): Json | undefined {
  let found = value
  for (const segment of path.split('/').slice(1).map(unescaped)) {
    if (Array.isArray(found)) found = inList(found as readonly Json[], segment)
    else found = isRecord(found) ? found[segment] : undefined
  }
  return found
}

/** The item of a list with an id; the ids of all for `order`, which is no id. */
function inList(list: readonly Json[], segment: string): Json | undefined {
  const item = list.find((one) => isRecord(one) && one['id'] === segment)
  if (item !== undefined || segment !== 'order') return item
  const ids = byId(list)
  return ids && [...ids.keys()]
}

/** A list whose items all have ids of their own, by id; undefined for anything else. An empty list has no items without. */
function byId(value: Json | undefined): ReadonlyMap<string, Json> | undefined {
  if (!Array.isArray(value)) return undefined
  const items = new Map<string, Json>()
  for (const item of value as readonly Json[]) {
    const id = isRecord(item) ? item['id'] : undefined
    if (typeof id !== 'string' || items.has(id)) return undefined
    items.set(id, item)
  }
  return items
}

function isRecord(value: Json | undefined): value is { readonly [member: string]: Json | undefined } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const escaped = (segment: string): string => segment.replaceAll('~', '~0').replaceAll('/', '~1')
const unescaped = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~')
