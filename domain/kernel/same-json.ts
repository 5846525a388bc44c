/** Whether two plain JSON values are equal, whatever the order of their members. Total: it compares own members only. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (!isComposite(one) || !isComposite(other) || Array.isArray(one) !== Array.isArray(other)) return false
  const members = Object.keys(one)
  if (members.length !== Object.keys(other).length) return false
  return members.every(
    (member) => Object.hasOwn(other, member) && sameJson(Reflect.get(one, member), Reflect.get(other, member)),
  )
}

function isComposite(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Picks the members that differ from those of `current`, or are missing there. */
export function otherThan(current: object): (entry: readonly [string, unknown]) => boolean {
  return ([member, value]) => !Object.hasOwn(current, member) || !sameJson(Reflect.get(current, member), value)
}
