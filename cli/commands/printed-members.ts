/** The members of an object, each on a line as in `sso.enabled=true`. */
export function printedMembers(value: object, path: readonly string[] = []): readonly string[] {
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? printedMembers(member, [...path, name])
      : [`${[...path, name].join('.')}=${JSON.stringify(member)}`],
  )
}
