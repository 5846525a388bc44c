import type { ApiAnswer } from './load-api.ts'

/** What a client wanted, so that its effect can be found in the history. Names and ages are never used for two commands. */
export type Wish =
  | { readonly kind: 'register'; readonly username: string }
  | { readonly kind: 'create guild'; readonly name: string; readonly owner: string }
  | { readonly kind: 'create invite'; readonly guild: string; readonly maxAge: number }
  | { readonly kind: 'accept'; readonly code: string; readonly guild: string; readonly account: string }
  | { readonly kind: 'leave'; readonly guild: string; readonly account: string }

/** One command of a client. */
export interface Entry {
  readonly wish: Wish
  /** How often it was sent. Above 1, an earlier try was not answered. */
  readonly attempts: number
  /** The answer to the client; undefined if it gave up without one. */
  readonly answer: ApiAnswer | undefined
}

/** What clients know about their commands: everything that was ever acknowledged to them. */
export interface Ledger {
  readonly entries: readonly Entry[]
  add(entry: Entry): void
}

export function ledger(): Ledger {
  const entries: Entry[] = []
  return { entries, add: (entry) => void entries.push(entry) }
}

export const isSuccess = ({ status }: ApiAnswer): boolean => status >= 200 && status < 300
