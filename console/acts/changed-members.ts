/** Which members of a form were changed, as react-hook-form has them: true, or the same for the members of an object. */
export interface Changed {
  readonly [name: string]: boolean | Changed | readonly (boolean | Changed)[] | undefined
}

/**
 * The members that the reader changed, and those that a request needs. What was left alone is not sent: for a change of settings it
 * stays as it is, also where somebody else has changed it meanwhile. A list goes whole, and so does what a request needs: it replaces
 * what there was.
 */
export function changedMembers(
  values: Readonly<Record<string, unknown>>,
  changed: Changed,
  needed: readonly string[] = [],
): Record<string, unknown> {
  const sent: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    const change = changed[name]
    const isChanged = change !== undefined && change !== false
    if (!isChanged && !needed.includes(name)) continue
    const goesInParts = !needed.includes(name) && isObject(value) && isObject(change)
    sent[name] = goesInParts ? changedMembers(value, change as Changed) : value
  }
  return sent
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
