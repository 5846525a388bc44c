import type { AccountId } from '../ids/ids.ts'

/** The held discriminators of one username. Once claimed, the state stays `claimed`, even with no holder left. */
export type HandleState = { readonly status: 'absent' } | ({ readonly status: 'claimed' } & Handle)

export interface Handle {
  /** Lowercase. */
  readonly username: string
  /** Lowest discriminator first; at most `discriminatorMax`, and 0. Pairs, so that a full username takes some 300 KB of JSON. */
  readonly held: readonly Held[]
}

export type Held = readonly [discriminator: number, accountId: AccountId]

/** Discriminators that nobody chose go from this to `discriminatorMax`. */
export const discriminatorMin = 1
export const discriminatorMax = 9999

/** The discriminator of accounts where usernames alone are unique. Elsewhere, an account has it only if it was chosen. */
export const noDiscriminator = 0

/** An account's discriminators of this username, lowest first: two during a change. */
export function discriminatorsOf(state: HandleState, accountId: AccountId): readonly number[] {
  if (state.status === 'absent') return []
  return state.held.filter(([, holder]) => holder === accountId).map(([discriminator]) => discriminator)
}
