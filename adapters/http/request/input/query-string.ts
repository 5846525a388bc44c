/** The parameters of a query string. A repeated name gives an array. Undecodable bytes become U+FFFD. */
export function parseQueryString(text: string): Readonly<Record<string, string | readonly string[]>> {
  const values = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    const known = values.get(name)
    if (known) known.push(value)
    else values.set(name, [value])
  }
  // `fromEntries` makes own members of all names, including __proto__.
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? (all[0] ?? '') : all]))
}
