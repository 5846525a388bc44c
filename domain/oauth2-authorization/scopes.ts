/** The scopes that an application can be granted, in registry order. */
export const scopes = ['identify', 'email', 'guilds', 'connections', 'bot'] as const

export type Scope = (typeof scopes)[number]

const known: ReadonlySet<string> = new Set(scopes)

/**
 * The scopes in a text, without repeats, in registry order. Whitespace and `+` separate them. Undefined if a scope is unknown, or
 * there is none.
 */
export function parseScopes(text: string): readonly Scope[] | undefined {
  const named = new Set(text.split(/[\s+]+/).filter((name) => name !== ''))
  if (named.size === 0 || [...named].some((name) => !known.has(name))) return undefined
  return inOrder((scope) => named.has(scope))
}

/** All scopes of both lists, without repeats, in registry order. */
export function joined(some: readonly Scope[], others: readonly Scope[]): readonly Scope[] {
  return inOrder((scope) => some.includes(scope) || others.includes(scope))
}

/** Whether one list contains all of another. */
export function covers(held: readonly Scope[], asked: readonly Scope[]): boolean {
  return asked.every((scope) => held.includes(scope))
}

/** The scopes in the form of the token endpoint's answers. */
export function scopeText(held: readonly Scope[]): string {
  return inOrder((scope) => held.includes(scope)).join(' ')
}

const inOrder = (isWanted: (scope: Scope) => boolean): readonly Scope[] => scopes.filter(isWanted)
