/** A value of JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json | undefined }

/** A member that differs. `before` or `after` is undefined where it is not there. */
export interface Difference {
  /** A JSON pointer. In a list of things that have ids, the id stands in the place of the index. */
  readonly path: string
  readonly before: Json | undefined
  readonly after: Json | undefined
}

/**
 * The members in which two JSON values differ, as deep as both have them. Lists of things with ids are compared by id, and their order
 * as the member `order`; other lists as a whole. What is the same object in both is not looked into.
 */
export function differences(before: Json | undefined, after: Json | undefined, path = ''): readonly Difference[] {
  if (before === after) return []
  const lists = [byId(before), byId(after)] as const
  if (lists[0] && lists[1]) return listDifferences(lists[0], lists[1], path)
  if (isRecord(before) && isRecord(after)) {
    const members = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...members].flatMap((member) => differences(before[member], after[member], `${path}/${escaped(member)}`))
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }]
}

function listDifferences(
  before: ReadonlyMap<string, Json>,
  after: ReadonlyMap<string, Json>,
  path: string,
): readonly Difference[] {
  const ids = new Set([...before.keys(), ...after.keys()])
  const found = [...ids].flatMap((id) => differences(before.get(id), after.get(id), `${path}/${escaped(id)}`))
  const kept = (one: ReadonlyMap<string, Json>, other: ReadonlyMap<string, Json>): readonly string[] =>
    [...one.keys()].filter((id) => other.has(id))
  const [order, newOrder] = [kept(before, after), kept(after, before)]
  if (order.every((id, index) => id === newOrder[index])) return found
  return [...found, { path: `${path}/order`, before: order, after: newOrder }]
}

/** The value at a path; undefined where nothing is. */
export function valueAt(value: Json | undefined, path: string): Json | undefined {
  let found = value
  for (const segment of path.split('/').slice(1).map(unescaped)) {
    const list = byId(found)
    if (list) found = segment === 'order' && !list.has('order') ? [...list.keys()] : list.get(segment)
    else found = isRecord(found) ? found[segment] : undefined
  }
  return found
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
