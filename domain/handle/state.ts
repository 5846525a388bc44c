import type { AccountId } from '../ids/ids.js'

/** Which discriminators of one username are held. One that was claimed once stays `claimed`, with nobody left perhaps. */
export type HandleState = { readonly status: 'absent' } | ({ readonly status: 'claimed' } & Handle)

export interface Handle {
  /** Lowercase. */
  readonly username: string
  /** Lowest discriminator first; at most `discriminatorMax`, and 0. Pairs, so that a full username is some 300 KB of JSON. */
  readonly held: readonly Held[]
}

export type Held = readonly [discriminator: number, accountId: AccountId]

/** Discriminators go from 1 to this. */
export const discriminatorMax = 9999

/** The discriminator of an account whose username is unique alone. */
export const noDiscriminator = 0

/** The discriminators that an account holds of this username, the lowest first: two while it changes one for another. */
export function discriminatorsOf(state: HandleState, accountId: AccountId): readonly number[] {
  if (state.status === 'absent') return []
  return state.held.filter(([, holder]) => holder === accountId).map(([discriminator]) => discriminator)
}
