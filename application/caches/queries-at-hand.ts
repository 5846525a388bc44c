import type { Position } from '../ports/event-store.js'
import type { GuildsAtPosition } from '../ports/queries/guild-queries.js'
import type { AllQueries } from '../ports.js'
import { accountsAtHand } from './accounts-at-hand.js'
import { changesAtHand } from './changes-at-hand.js'
import { guildsAtHand } from './guilds-at-hand.js'
import type { Held } from './held.js'

export interface AtHandSettings {
  readonly queries: AllQueries
  readonly guildsAtPosition: GuildsAtPosition
  /** The position up to which every event was given to `forget`. It only grows. */
  readonly published: () => Position
  /** A position that the read models hold no more than. */
  readonly projected: () => Position
}

export interface QueriesAtHand extends Held<AllQueries> {
  /** Only between these two, while this process projects and hears of every event, is anything kept. */
  begin(): void
  end(): void
}

/**
 * The queries of a process that does everything itself: accounts, guilds and memberships come from memory, exact at the position
 * that was published last (docs/decisions/0061-what-requests-ask-postgres.md).
 */
export function queriesAtHand({ queries, guildsAtPosition, published, projected }: AtHandSettings): QueriesAtHand {
  let hearsAll = false
  const accounts = accountsAtHand(queries.accounts, () => hearsAll)
  const blocklists = changesAtHand(queries.blocklists, () => hearsAll)
  const guilds = guildsAtHand({
    ...queries,
    atPosition: guildsAtPosition,
    published: () => (hearsAll ? published() : undefined),
  })
  const forgetAll = (): void => {
    for (const each of [accounts, blocklists, guilds]) each.forgetAll()
  }
  return {
    queries: {
      ...queries,
      ...guilds.queries,
      accounts: accounts.queries,
      blocklists: blocklists.queries,
      positions: { held: async () => (hearsAll ? projected() : queries.positions.held()) },
    },
    forget: (event) => {
      for (const each of [accounts, blocklists, guilds]) each.forget(event)
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
