/**
 * Converts names between the domain (`renderSpoilers`) and the wire or columns (`render_spoilers`), for records with the same
 * names in both. Only for names in the code itself, never for names from outside.
 */
export type SnakeCase<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${SnakeCase<Rest>}`
  : Name

export type CamelCase<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Name

export type SnakeCased<Value extends object> = {
  readonly [Name in keyof Value as Name extends string ? SnakeCase<Name> : never]: Value[Name]
}

export type CamelCased<Value extends object> = {
  readonly [Name in keyof Value as Name extends string ? CamelCase<Name> : never]: Value[Name]
}

/** The same members by their wire names. */
export function snakeCased<Value extends object>(value: Value): SnakeCased<Value> {
  const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return renamed(value, snake) as SnakeCased<Value>
}

/** The same members by their domain names. */
export function camelCased<Value extends object>(value: Value): CamelCased<Value> {
  const camel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return renamed(value, camel) as CamelCased<Value>
}

function renamed(value: object, rename: (name: string) => string): object {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [rename(name), member]))
}
