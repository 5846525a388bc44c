import { leadingSession } from '../../application/wire-objects/identity/presence-object.ts'
import type { PresentSession } from '../../application/ports/presence.ts'
import type { AccountId } from '../../domain/ids/ids.ts'
import { dispatchFrame } from '../protocol/frame.ts'
import { isOnShard } from '../protocol/identify.ts'
import type { Ticker } from '../ticker.ts'
import type { World } from '../visibility/world.ts'
import type { Session } from './session.ts'

export interface SessionListSettings {
  readonly world: Pick<World, 'sessionsOf'>
  readonly ticker: Pick<Ticker, 'after'>
  /** The maximum for a user; for a bot with more, the list has the oldest. */
  readonly listed_max: number
  /** An account's sessions at other Gateways. */
  readonly elsewhere: (account: AccountId) => readonly PresentSession[]
  /** Called with the number of sessions that got each dispatch. */
  readonly onDispatched: (sessions: number) => void
}

/** The lists of an account's sessions that its sessions get: `sessions` of READY, then SESSIONS_REPLACE. */
export interface SessionLists {
  /** The list that a session starts with, including itself. It counts as sent from here on. */
  beginningOf(session: Session): readonly object[]
  /** The number of an account's sessions: here including those that wait to be resumed, elsewhere those that are not offline. */
  countOf(account: AccountId): number
  /** Sessions of the account came, went or changed, here or elsewhere: each session here gets the list if it differs. */
  accountChanged(account: AccountId): void
}

/** Sends lists once per tick, and only if they differ from the last one sent. An offline session gets it when it is back. */
export function sessionLists(settings: SessionListSettings): SessionLists {
  const { world, ticker, listed_max, elsewhere, onDispatched } = settings
  let changed = new Set<AccountId>()
  const listOf = (account: AccountId, here: readonly Session[]): readonly object[] =>
    sessionList(
      [...here.flatMap(({ isOffline, present }) => (isOffline ? [] : [present])), ...elsewhere(account)].slice(
        0,
        listed_max,
      ),
    )
  const tell = (): void => {
    const accounts = changed
    changed = new Set()
    for (const account of accounts) {
      const sessions = world.sessionsOf(account)
      if (sessions.length > 0) onDispatched(replace(sessions, listOf(account, sessions)))
    }
  }
  return {
    beginningOf(session) {
      const list = listOf(session.accountId, [...world.sessionsOf(session.accountId), session])
      session.toldSessions = JSON.stringify(list)
      return list
    },
    countOf: (account) => world.sessionsOf(account).length + elsewhere(account).length,
    accountChanged(account) {
      if (world.sessionsOf(account).length === 0) return
      if (changed.size === 0) ticker.after(0, tell)
      changed.add(account)
    },
  }
}

/** SESSIONS_REPLACE: the whole list, a bare array. Gives the number of sessions that got it. */
function replace(sessions: readonly Session[], list: readonly object[]): number {
  const text = JSON.stringify(list)
  const untold = sessions.filter(
    ({ isOffline, shard, toldSessions }) => !isOffline && toldSessions !== text && isOnShard(shard, null),
  )
  if (untold.length === 0) return 0
  const frame = dispatchFrame('SESSIONS_REPLACE', list)
  for (const session of untold) {
    session.toldSessions = text
    session.dispatch('SESSIONS_REPLACE', frame)
  }
  return untold.length
}

/** The account's sessions, after an entry for all of them together. */
function sessionList(sessions: readonly PresentSession[]): readonly object[] {
  const leading = leadingSession(sessions)
  const all = leading ? [{ ...leading, id: 'all' }] : []
  return [...all, ...sessions].map(({ id, status, afk, mobile }) => ({ session_id: id, status, afk, mobile }))
}
