import type { Timestamp } from '../../kernel/timestamp.ts'
import type { AccountEvent } from '../events.ts'
import type { Account } from '../state.ts'

/** What an act ends of all that speaks for an account. */
interface Ending {
  /** All sessions, or those that the act names. */
  readonly sessions: 'all' | 'named'
  /**
   * Whether delegations end: authorisations of applications with their codes and tokens, tokens of the bots of the account's
   * applications, Admin keys, and links to archives. No act ends client secrets: these are reset one by one.
   */
  readonly delegations: 'end' | 'stay'
}

/**
 * Which act ends what; docs/what-ends-access.md has the same table with what else an act does. Delegations end where somebody else
 * may have had the account and would keep them. They outlive a new password (decisions 20 and 159).
 */
export const endingActs = {
  /** Log out, Log out sessions, and a device that did not fetch its handoff. */
  endSessions: { sessions: 'named', delegations: 'stay' },
  /** By the holder, by a mailed link or by a recovery kit. */
  newPassword: { sessions: 'named', delegations: 'stay' },
  /** Sign out everywhere. Decision 159. */
  signOutEverywhere: { sessions: 'all', delegations: 'end' },
  /** The holder of the earlier address takes the account back. */
  takeBack: { sessions: 'all', delegations: 'end' },
  /** Single sign-on gives the account to the holder of its address, which nobody had proved. */
  adopt: { sessions: 'all', delegations: 'end' },
  /** Admin keys, bot tokens and OAuth2 tokens are unaffected. */
  terminate: { sessions: 'all', delegations: 'stay' },
  /** Delegations of persons rest while nobody can sign in: see `openAccount`. */
  disable: { sessions: 'all', delegations: 'stay' },
  scheduleSelfDeletion: { sessions: 'all', delegations: 'stay' },
  /** By a ban, a flag or a scheduled deletion, which ends OAuth2 tokens too. */
  close: { sessions: 'all', delegations: 'stay' },
  /** A bot has no sessions. */
  becomeBot: { sessions: 'all', delegations: 'stay' },
  /** What the account had goes with it: the read models drop its tokens, and its applications and archives are removed. */
  erase: { sessions: 'all', delegations: 'stay' },
} as const satisfies Readonly<Record<string, Ending>>

type Acts = typeof endingActs
type ActWith<Part extends Partial<Ending>> = {
  [Act in keyof Acts]: Acts[Act] extends Part ? Act : never
}[keyof Acts]

/**
 * The events by which an act ends what speaks for an account: nothing else ends sessions and delegations. They belong in the
 * append of the act itself, so that both happen or neither does. An act that does not end all sessions names those that it ends; one
 * that ends delegations gives its time.
 */
export function endAccess(
  account: Account,
  act: ActWith<{ sessions: 'named' }>,
  named: IsNamed,
): readonly AccountEvent[]
export function endAccess(
  account: Account,
  act: ActWith<{ delegations: 'end' }>,
  now: Timestamp,
): readonly AccountEvent[]
export function endAccess(
  account: Account,
  act: ActWith<{ sessions: 'all'; delegations: 'stay' }>,
): readonly AccountEvent[]
export function endAccess(account: Account, act: keyof Acts, detail?: IsNamed | Timestamp): readonly AccountEvent[] {
  const { sessions, delegations } = endingActs[act]
  const isNamed = sessions === 'named' && typeof detail === 'function' ? detail : () => true
  const endsDelegations = delegations === 'end' && typeof detail === 'string'
  return [
    ...sessionsEnded(account, account.sessions.filter(isNamed)),
    ...(endsDelegations ? [delegationsEnded(account, detail)] : []),
  ]
}

/**
 * The event by which a session ends for another one, which the same append begins. Only the connections of such a session may
 * continue: those of any other session that ends would hear on under a session that nobody can end.
 */
export function sessionReplaced({ id: accountId }: Account, tokenHash: string, successor: string): AccountEvent {
  return { type: 'SessionEnded', data: { accountId, tokenHash, successor } }
}

/** Whether an act names the session with this hash of its token. */
type IsNamed = (tokenHash: string) => boolean

/** More sessions than this end by `SessionsEnded`: an append takes 1000 events and 1 MiB, and every session has to end. */
const endedOneByOne_max = 100
const endedPerEvent_max = 1000

function sessionsEnded({ id: accountId }: Account, ended: readonly string[]): readonly AccountEvent[] {
  if (ended.length <= endedOneByOne_max)
    return ended.map((tokenHash) => ({ type: 'SessionEnded', data: { accountId, tokenHash } }))
  return Array.from({ length: Math.ceil(ended.length / endedPerEvent_max) }, (_, index) => {
    const tokenHashes = ended.slice(index * endedPerEvent_max, (index + 1) * endedPerEvent_max)
    return { type: 'SessionsEnded', data: { accountId, tokenHashes } }
  })
}

function delegationsEnded({ id: accountId, delegationVersion }: Account, endedAt: Timestamp): AccountEvent {
  return { type: 'DelegationsEnded', data: { accountId, version: delegationVersion + 1, endedAt } }
}
