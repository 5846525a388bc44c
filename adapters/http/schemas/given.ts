type Given<Values extends object> = {
  readonly [Member in keyof Values as undefined extends Values[Member] ? never : Member]: Values[Member]
} & {
  readonly [Member in keyof Values as undefined extends Values[Member] ? Member : never]?: Exclude<
    Values[Member],
    undefined
  >
}

/** An object without its undefined members. */
export function given<Values extends object>(values: Values): Given<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<Values>
}
