import type { Position } from '../../domain/kernel/position.ts'
import type { GuildsAtPosition } from '../ports/queries/guild-queries.ts'
import type { AllQueries } from '../ports.ts'
import { cachedAccounts } from './cached-accounts.ts'
import { cachedChanges, type Changes } from './cached-changes.ts'
import { cachedCustomCodes } from './cached-custom-codes.ts'
import { cachedExpressions } from './cached-expressions.ts'
import { cachedGuilds } from './cached-guilds.ts'
import type { Cache } from './cache.ts'

export interface CachedQueriesSettings {
  readonly queries: AllQueries
  readonly guildsAtPosition: GuildsAtPosition
  /** `forget` has received every event up to this position. It only grows. */
  readonly published: () => Position
  /** While this is false, everything is read, and what is cached stays for later. Default: always true. */
  readonly isCurrent?: () => boolean
  /** How often the instance has changed. */
  readonly instance: Changes
  /** A clock that never steps back. */
  readonly now_ms: () => number
}

export interface CachedQueries extends Cache<AllQueries> {
  /** How often the instance has changed, as of the position published last. */
  readonly instance: Changes
  /** Queries are cached only between `begin` and `end`: while this process receives every event. */
  begin(): void
  end(): void
}

/**
 * Queries that are answered from memory where possible: accounts, guilds, memberships, custom codes, emojis and stickers, and how often lists have
 * changed. All of that is exact as of the position published last (docs/decisions/0160-one-cache.md).
 */
export function cachedQueries(settings: CachedQueriesSettings): CachedQueries {
  const { queries, guildsAtPosition, published, now_ms, isCurrent = () => true } = settings
  let hasBegun = false
  const hearsAll = (): boolean => hasBegun && isCurrent()
  const heard = { hearsAll, now_ms }
  const accounts = cachedAccounts(queries.accounts, hearsAll)
  const blocklists = cachedChanges(queries.blocklists, { ...heard, category: 'blocklist_entry' })
  const networkBans = cachedChanges(queries.networkBans, { ...heard, category: 'network_ban' })
  const instance = cachedChanges(settings.instance, { ...heard, category: 'instance' })
  const cachedAt = (): Position | undefined => (hearsAll() ? published() : undefined)
  const guilds = cachedGuilds({ ...queries, atPosition: guildsAtPosition, published: cachedAt })
  const invites = cachedCustomCodes(queries.invites, cachedAt)
  const expressions = cachedExpressions(queries.expressions, hearsAll)
  const all = [accounts, blocklists, expressions, networkBans, instance, guilds, invites]
  const forgetAll = (): void => {
    for (const each of all) each.forgetAll()
  }
  return {
    queries: {
      ...queries,
      ...guilds.queries,
      accounts: accounts.queries,
      blocklists: blocklists.queries,
      expressions: expressions.queries,
      invites: invites.queries,
      networkBans: networkBans.queries,
    },
    instance: instance.queries,
    forget: (event) => {
      for (const each of all) each.forget(event)
    },
    forgetAll,
    begin: () => {
      forgetAll()
      hasBegun = true
    },
    end: () => {
      hasBegun = false
      forgetAll()
    },
  }
}
