import type { Position } from '../ports/event-store.js'
import type { GuildsAtPosition } from '../ports/queries/guild-queries.js'
import type { AllQueries } from '../ports.js'
import { accountsAtHand } from './accounts-at-hand.js'
import { guildsAtHand } from './guilds-at-hand.js'
import type { Held } from './held.js'

export interface AtHandSettings {
  readonly queries: AllQueries
  readonly guildsAtPosition: GuildsAtPosition
  /** `forget` has received every event up to this position. It only grows. */
  readonly published: () => Position
  /** A position at or above the one that the read models hold. */
  readonly projected: () => Position
}

export interface QueriesAtHand extends Held<AllQueries> {
  /** Queries are cached only between `begin` and `end`: while this process projects and receives every event. */
  begin(): void
  end(): void
}

/**
 * The queries of a process that runs all roles. Accounts, guilds and memberships come from memory, exact at the position
 * published last (docs/decisions/0061-what-requests-ask-postgres.md).
 */
export function queriesAtHand({ queries, guildsAtPosition, published, projected }: AtHandSettings): QueriesAtHand {
  let hearsAll = false
  const accounts = accountsAtHand(queries.accounts, () => hearsAll)
  const guilds = guildsAtHand({
    ...queries,
    atPosition: guildsAtPosition,
    published: () => (hearsAll ? published() : undefined),
  })
  const forgetAll = (): void => {
    accounts.forgetAll()
    guilds.forgetAll()
  }
  return {
    queries: {
      ...queries,
      ...guilds.queries,
      accounts: accounts.queries,
      positions: { held: async () => (hearsAll ? projected() : queries.positions.held()) },
    },
    forget: (event) => {
      accounts.forget(event)
      guilds.forget(event)
    },
    forgetAll,
    begin: () => {
      forgetAll()
      hearsAll = true
    },
    end: () => {
      hearsAll = false
      forgetAll()
    },
  }
}
