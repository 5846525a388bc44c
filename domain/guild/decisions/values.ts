/** The members of `wanted` whose value differs. */
export function differing<Values extends object>(wanted: Partial<Values>, now: Values): Partial<Values> {
  const changed = { ...wanted }
  for (const name in changed) {
    if (changed[name] === now[name]) delete changed[name]
  }
  return changed
}

export function eachOnce<Value>(values: readonly Value[]): readonly Value[] {
  return [...new Set(values)]
}
