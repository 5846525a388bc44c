import { accept, refuse, type Decision, type Decisions } from '../../kernel/decider.ts'
import { authorization, forgetIpAddresses, isUnknownNetwork } from './authorized-networks.ts'
import type {
  DisableAccount,
  EndAllSessions,
  EndSession,
  EndSessions,
  ForgetIpAddresses,
  ReturnToAccount,
  ScheduleSelfDeletion,
  SignOutEverywhere,
  StartSession,
} from '../commands.ts'
import { sessionBar } from './decide-admission.ts'
import { endAccess } from './end-access.ts'
import type { AccountEvent } from '../events.ts'
import { hasClosingFlag, hasFlag } from '../flags.ts'
import type { Account } from '../state.ts'

type SessionCommand =
  | StartSession
  | EndSession
  | EndSessions
  | EndAllSessions
  | SignOutEverywhere
  | DisableAccount
  | ScheduleSelfDeletion
  | ReturnToAccount
  | ForgetIpAddresses

/** How commands about sessions are decided, and about leaving and returning. */
export const sessionDecisions: Decisions<Account, SessionCommand, AccountEvent> = {
  StartSession: startSession,
  EndSession: endSession,
  EndSessions: endSessions,
  EndAllSessions: (account) => accept(...endAccess(account, 'terminate')),
  SignOutEverywhere: (account, { now }) => accept(...endAccess(account, 'signOutEverywhere', now)),
  DisableAccount: disable,
  ScheduleSelfDeletion: scheduleSelfDeletion,
  ReturnToAccount: returnTo,
  ForgetIpAddresses: forgetIpAddresses,
}

/**
 * Starts a session. Signing in undoes what the holder did to the account, and ends a ban that is over. Refuses as `sessionBar`,
 * with BOT_USER_AUTH_SESSION_CREATION_DENIED, and with INVALID_TOKEN if the session that vouches for this one has ended.
 */
export function startSession(account: Account, command: StartSession): Decision<AccountEvent> {
  const { tokenHash, ip, userAgent, authorizes = null, vouchedBy, forOtherDevice, now } = command
  const bar = sessionBar(account, now)
  if (bar) return refuse(bar)
  if (account.bot) return refuse('BOT_USER_AUTH_SESSION_CREATION_DENIED')
  if (account.sessions.includes(tokenHash)) return accept()
  if (vouchedBy !== undefined && !account.sessions.includes(vouchedBy)) return refuse('INVALID_TOKEN')
  const { id: accountId } = account
  const unknown = isUnknownNetwork(account, ip) ? { fromUnknownNetwork: true as const } : {}
  const other = forOtherDevice === true ? { forOtherDevice: true as const } : {}
  return accept<AccountEvent>(...returns(account), ...authorization(account, authorizes, now), {
    type: 'SessionStarted',
    data: { accountId, tokenHash, startedAt: now, ip, userAgent, ...unknown, ...other },
  })
}

function endSession(account: Account, { tokenHash }: EndSession): Decision<AccountEvent> {
  return accept(...endAccess(account, 'endSessions', (session) => session === tokenHash))
}

function endSessions(account: Account, { tokenHashes }: EndSessions): Decision<AccountEvent> {
  return accept(...endAccess(account, 'endSessions', (session) => tokenHashes.includes(session)))
}

function disable(account: Account): Decision<AccountEvent> {
  if (hasFlag(account, 'DISABLED')) return accept()
  return accept({ type: 'AccountDisabled', data: { accountId: account.id } }, ...endAccess(account, 'disable'))
}

/** An earlier scheduled deletion stays as it is. */
function scheduleSelfDeletion(account: Account, { dueAt }: ScheduleSelfDeletion): Decision<AccountEvent> {
  if (account.deletion !== null) return accept()
  const { id: accountId } = account
  return accept(
    { type: 'SelfDeletionScheduled', data: { accountId, dueAt } },
    ...endAccess(account, 'scheduleSelfDeletion'),
  )
}

/** Undoes what the holder did, but not what an administrator did; a ban that is over ends. Refuses as `sessionBar`. */
function returnTo(account: Account, { now }: ReturnToAccount): Decision<AccountEvent> {
  const bar = sessionBar(account, now)
  if (bar) return refuse(bar)
  return accept(...returns(account))
}

/** Whether the account can have no session as it is; signing in may open it again. */
export function isClosed(account: Account): boolean {
  return hasClosingFlag(account) || account.bannedUntil !== null || account.deletion !== null || account.bot
}

/** The ban, if there is one, is over. */
function returns(account: Account): readonly AccountEvent[] {
  const { id: accountId, bannedUntil, deletion } = account
  const isEnabled = bannedUntil === null && hasFlag(account, 'DISABLED')
  const isKept = deletion !== null || hasFlag(account, 'SELF_DELETED')
  return [
    ...(bannedUntil === null ? [] : [{ type: 'AccountBanLifted', data: { accountId } } as const]),
    ...(isEnabled ? [{ type: 'AccountEnabled', data: { accountId } } as const] : []),
    ...(isKept ? [{ type: 'SelfDeletionCancelled', data: { accountId } } as const] : []),
  ]
}
