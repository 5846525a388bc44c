/** What an application can be let do, in the order of the registry (reference identity 7.1). */
export const scopes = ['identify', 'email', 'guilds', 'connections', 'bot'] as const

export type Scope = (typeof scopes)[number]

const known: ReadonlySet<string> = new Set(scopes)

/**
 * The scopes that a text names, each once, in the order of the registry: they are parted by whitespace and `+`. Undefined where
 * it names one that there is not, or none at all.
 */
export function parseScopes(text: string): readonly Scope[] | undefined {
  const named = new Set(text.split(/[\s+]+/).filter((name) => name !== ''))
  if (named.size === 0 || [...named].some((name) => !known.has(name))) return undefined
  return inOrder((scope) => named.has(scope))
}

/** All scopes of both, each once, in the order of the registry. */
export function joined(some: readonly Scope[], others: readonly Scope[]): readonly Scope[] {
  return inOrder((scope) => some.includes(scope) || others.includes(scope))
}

/** Whether one list has everything that another asks for. */
export function covers(held: readonly Scope[], asked: readonly Scope[]): boolean {
  return asked.every((scope) => held.includes(scope))
}

/** As answers of the token endpoint write them. */
export function scopeText(held: readonly Scope[]): string {
  return inOrder((scope) => held.includes(scope)).join(' ')
}

const inOrder = (isWanted: (scope: Scope) => boolean): readonly Scope[] => scopes.filter(isWanted)
