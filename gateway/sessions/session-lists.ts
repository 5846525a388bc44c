import { leadingSession } from '../../application/wire-objects/identity/presence-object.js'
import type { PresentSession } from '../../application/ports/presence.js'
import type { AccountId } from '../../domain/ids/ids.js'
import { dispatchFrame } from '../protocol/frame.js'
import { isOnShard } from '../protocol/identify.js'
import type { Ticker } from '../ticker.js'
import type { World } from '../visibility/world.js'
import type { Session } from './session.js'

export interface SessionListSettings {
  readonly world: Pick<World, 'sessionsOf'>
  readonly ticker: Pick<Ticker, 'after'>
  /** As many as a user may have; of a bot with more, one list holds the oldest of them. */
  readonly listed_max: number
  /** An account's sessions at other Gateways. */
  readonly elsewhere: (account: AccountId) => readonly PresentSession[]
  /** Told how many sessions each dispatch went to. */
  readonly onDispatched: (sessions: number) => void
}

/** What the sessions of an account are told of each other: `sessions` of READY, and then SESSIONS_REPLACE. */
export interface SessionLists {
  /** The list that a session begins with, itself among it. From here on it counts as told of it. */
  beginningOf(session: Session): readonly object[]
  /** How many sessions an account has: here with those that wait to be resumed, elsewhere those that are not offline. */
  countOf(account: AccountId): number
  /** Sessions of the account came, went or changed, here or elsewhere: each session here whose list is another one is told. */
  accountChanged(account: AccountId): void
}

/** Tells once a tick, and only what is new to a session. Who is offline is told when it is back. */
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

/** SESSIONS_REPLACE: the whole list, a bare array (reference gateway 2.4). Gives how many sessions got it. */
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

/** The account's sessions, led by what they come to together. */
function sessionList(sessions: readonly PresentSession[]): readonly object[] {
  const leading = leadingSession(sessions)
  const all = leading ? [{ ...leading, id: 'all' }] : []
  return [...all, ...sessions].map(({ id, status, afk, mobile }) => ({ session_id: id, status, afk, mobile }))
}
