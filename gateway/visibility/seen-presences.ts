import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { ChosenSettings } from '../../domain/user-settings/settings.ts'
import {
  leadingSession,
  presenceObject,
  type PresenceObject,
} from '../../application/wire-objects/identity/presence-object.ts'
import type { PresentSession } from '../../application/ports/presence.ts'
import type { AccountRecord } from '../../application/ports/queries/account-queries.ts'
import type { Lookups } from './lookups.ts'
import type { World } from './world.ts'

export interface SeenPresencesSettings {
  readonly world: Pick<World, 'sessionsOf'>
  /** An account's sessions at other Gateways. */
  readonly elsewhere: (account: AccountId) => readonly PresentSession[]
  readonly lookups: Pick<Lookups, 'ask'>
  readonly now: () => Timestamp
}

/** The current presence of an account that was looked up; undefined for one that came since, or was not looked up. */
export type SeenNow = (account: AccountId, guildId?: GuildId) => PresenceObject | undefined

/** How others see accounts now. */
export interface SeenPresences {
  /** Whether an account has a session that others see. */
  isOnline(account: AccountId): boolean
  /** Looks up the data for presences besides sessions. Rejects with `LookupFailed`. */
  lookUp(accounts: readonly AccountRecord[]): Promise<SeenNow>
  /** The presences of accounts that are not offline. Rejects with `LookupFailed`. */
  of(accounts: readonly AccountRecord[], guildId: GuildId): Promise<readonly PresenceObject[]>
}

/** The read models take this many accounts in one query. */
const accountsPerQuery_max = 1000

export function seenPresences(settings: SeenPresencesSettings): SeenPresences {
  const { world, elsewhere, lookups, now } = settings
  const sessionsOf = (account: AccountId): readonly PresentSession[] => [
    ...world.sessionsOf(account).flatMap(({ isOffline, present }) => (isOffline ? [] : [present])),
    ...elsewhere(account),
  ]
  const lookUp = async (accounts: readonly AccountRecord[]): Promise<SeenNow> => {
    const records = new Map(accounts.map((account) => [account.id, account]))
    const present = [...records.keys()].filter((id) => sessionsOf(id).length > 0)
    const chosen = new Map<AccountId, ChosenSettings>()
    for (let from = 0; from < present.length; from += accountsPerQuery_max) {
      const asked = present.slice(from, from + accountsPerQuery_max)
      const found = await lookups.ask(({ userSettings }) => userSettings.findMany(asked))
      for (const id of asked) chosen.set(id, found.get(id) ?? {})
    }
    return (id, guildId) => {
      const [account, sessions] = [records.get(id), sessionsOf(id)]
      const known = sessions.length === 0 ? {} : chosen.get(id)
      if (!account || !known) return undefined
      const parts = { account, sessions, chosen: known, ...(guildId === undefined ? {} : { guildId }) }
      return presenceObject(parts, now())
    }
  }
  return {
    isOnline(account) {
      const leading = leadingSession(sessionsOf(account))
      return leading !== undefined && leading.status !== 'invisible'
    },
    lookUp,
    async of(accounts, guildId) {
      const seen = await lookUp(accounts)
      return accounts.flatMap(({ id }) => {
        const presence = seen(id, guildId)
        return presence && presence.status !== 'offline' ? [presence] : []
      })
    },
  }
}
