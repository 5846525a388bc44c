import { secondsAfter, type Timestamp } from '../../kernel/timestamp.ts'
import { accept, refuse, type Decision } from '../../kernel/decider.ts'
import { field } from '../../kernel/refusal.ts'
import type {
  AcceptTerms,
  ChangeEmailAddress,
  ChangePassword,
  ChangeProfile,
  ChangeTag,
  GrantAcls,
  MarkEmailAddressBounced,
  SetAcls,
  RegisterAccount,
  RenewPasswordHash,
  RevertEmailAddress,
  VerifyEmailAddress,
} from '../commands.ts'
import { isClosed, startSession } from './decide-sessions.ts'
import { singleSignOnLinked } from './decide-single-sign-on.ts'
import { endAccess, sessionReplaced } from './end-access.ts'
import { takenFromOthers } from './taken-back.ts'
import type { AccountEvent, AccountRegistered } from '../events.ts'
import { realChanges } from '../profile.ts'
import { standingChange, type Account, type AccountState } from '../state.ts'

/** Registering the same account again changes nothing. An id taken by another registration is CONFLICT. */
export function register(state: AccountState, command: RegisterAccount): Decision<AccountEvent> {
  const { accountId, username, discriminator, globalName, email, passwordHash, dateOfBirth, now } = command
  if (state.status === 'registered') {
    return state.id === accountId && state.registeredAt === now ? accept() : refuse('CONFLICT')
  }
  if (state.status !== 'absent') return refuse('CONFLICT')
  const { emailVerified, locale, singleSignOn } = command
  const name = { username, discriminator, globalName }
  const personal = { email, passwordHash, dateOfBirth }
  return accept<AccountEvent>(
    {
      type: 'AccountRegistered',
      data: { accountId, ...name, ...personal, emailVerified, locale, registeredAt: now, ...circumstancesOf(command) },
    },
    ...(singleSignOn === undefined ? [] : [singleSignOnLinked({ id: accountId }, singleSignOn, now)]),
  )
}

/** The members that only some registrations have. */
function circumstancesOf(command: RegisterAccount): Partial<AccountRegistered> {
  const { awaitsApproval, botOwnerId, registrationUrlId, clientIp, termsAcceptedAt } = command
  return {
    ...(botOwnerId !== undefined && { botOwnerId }),
    ...(awaitsApproval !== undefined && { awaitsApproval }),
    ...(registrationUrlId !== undefined && { registrationUrlId }),
    ...(clientIp !== undefined && { clientIp }),
    ...(termsAcceptedAt !== undefined && { termsAcceptedAt }),
  }
}

/** Adds ACLs to those of the account. The event names all of them, sorted and without repeats. A bot is refused: ACCESS_DENIED. */
export function grantAcls(account: Account, command: GrantAcls): Decision<AccountEvent> {
  const acls = [...new Set([...account.acls, ...command.acls])].toSorted()
  if (acls.length === account.acls.length) return accept()
  if (account.bot) return refuse('ACCESS_DENIED')
  return accept({ type: 'AclsGranted', data: { accountId: account.id, acls } })
}

/** The event names all ACLs in the given order, without repeats. The same set changes nothing. A bot has none: ACCESS_DENIED. */
export function setAcls(account: Account, command: SetAcls): Decision<AccountEvent> {
  const acls = [...new Set(command.acls)]
  if (acls.length === account.acls.length && acls.every((acl, index) => acl === account.acls[index])) return accept()
  if (account.bot && acls.length > 0) return refuse('ACCESS_DENIED')
  return accept({ type: 'AclsSet', data: { accountId: account.id, acls } })
}

/** Refuses with CONFLICT if another change was faster; the caller then releases its claim. */
export function changeTag(account: Account, { username, discriminator, from }: ChangeTag): Decision<AccountEvent> {
  if (account.username === username && account.discriminator === discriminator) return accept()
  if (account.username !== from.username || account.discriminator !== from.discriminator) return refuse('CONFLICT')
  return accept({ type: 'TagChanged', data: { accountId: account.id, username, discriminator } })
}

export function changeProfile(account: Account, command: ChangeProfile): Decision<AccountEvent> {
  const changes = realChanges(account.profile, command.changes)
  if (!changes) return accept()
  const shown = 'globalName' in changes || 'avatar' in changes ? ({ shownInGuilds: true } as const) : {}
  return accept({ type: 'ProfileChanged', data: { accountId: account.id, changes, ...shown } })
}

/** All other sessions end with the old password (rules/users#a-new-password). */
export function changePassword(account: Account, command: ChangePassword): Decision<AccountEvent> {
  const { passwordHash, except, successor, bySession, now } = command
  // As if it had begun before the account was closed.
  const begins = successor !== undefined && !account.sessions.includes(successor.tokenHash) && !isClosed(account)
  const replaced = begins ? bySession : undefined
  const stays = [except, successor?.tokenHash, replaced]
  return accept<AccountEvent>(
    ...passwordChanged(account, passwordHash, now),
    ...(begins && replaced !== undefined ? [sessionReplaced(account, replaced, successor.tokenHash)] : []),
    ...endAccess(account, 'newPassword', (session) => !stays.includes(session)),
    ...(begins
      ? [{ type: 'SessionStarted', data: { accountId: account.id, ...successor, startedAt: now } } as const]
      : []),
  )
}

/** Changes no password, so it ends nothing. A password that was changed meanwhile stays. */
export function renewPasswordHash(account: Account, { from, passwordHash }: RenewPasswordHash): Decision<AccountEvent> {
  if (account.passwordHash !== from) return accept()
  return accept({ type: 'PasswordHashRenewed', data: { accountId: account.id, passwordHash } })
}

/** Refuses with CONFLICT if another change was faster; the caller then releases its claim. */
export function changeEmailAddress(account: Account, command: ChangeEmailAddress): Decision<AccountEvent> {
  if (account.email !== command.email && account.email !== command.from) return refuse('CONFLICT')
  return accept(...emailAddressChanged(account, command))
}

/**
 * A verified address is verified again if it bounced since. Refuses with INVALID_OR_EXPIRED_VERIFICATION_TOKEN if the proved
 * address is not the account's any more.
 */
export function verifyEmailAddress(account: Account, command: VerifyEmailAddress): Decision<AccountEvent> {
  const { email, emailBounced, emailVerified } = account
  if (command.email !== undefined && command.email !== email)
    return refuse('INVALID_FORM_BODY', field('token', 'INVALID_OR_EXPIRED_VERIFICATION_TOKEN'))
  if (emailVerified && !emailBounced) return accept()
  return accept({ type: 'EmailAddressVerified', data: { accountId: account.id } })
}

/** Mails to the address bounce. Changes nothing if the account has another address by now. */
export function markEmailAddressBounced(account: Account, command: MarkEmailAddressBounced): Decision<AccountEvent> {
  if (account.email !== command.email || account.emailBounced) return accept()
  return accept({ type: 'EmailAddressBounced', data: { accountId: account.id, bouncedAt: command.now } })
}

/**
 * Reverts a change of the address and everything that followed it, and begins a session for the holder. Somebody who changed the
 * address twice holds a token for the first of their own addresses. Once the account is back with an earlier holder, that token no
 * longer reverts anything, whatever happens later. Refuses with INVALID_OR_EXPIRED_REVERT_TOKEN, and as StartSession.
 */
export function revertEmailAddress(account: Account, command: RevertEmailAddress): Decision<AccountEvent> {
  const { email, passwordHash, changedAt, successor, now } = command
  const change = standingChange(account, changedAt)
  if (!change) return refuse('INVALID_FORM_BODY', field('token', 'INVALID_OR_EXPIRED_REVERT_TOKEN'))
  const { id: accountId } = account
  const takenBack: readonly AccountEvent[] = [
    { type: 'EmailAddressChanged', data: { accountId, email, verified: true, changedAt: now, takesBack: changedAt } },
    ...takenFromOthers(account, {
      act: 'takeBack',
      passwordHash,
      // A provider vouched for the address that the account had. So the change was in the way of none that came before it.
      keeps: ({ addressChanges }) => addressChanges < change.number,
      now,
    }),
  ]
  if (successor === undefined) return accept(...takenBack)
  const begun = startSession(withoutTraces(account), { type: 'StartSession', ...successor, now })
  return begun.outcome === 'refused' ? begun : accept(...takenBack, ...begun.events)
}

/** The account without what the start of a session looks at and a revert has removed. */
function withoutTraces(account: Account): Account {
  const { signInNetworks } = account
  return { ...account, sessions: [], authorizedNetworks: [], signInNetworks: signInNetworks && [] }
}

export function acceptTerms(account: Account, { now }: AcceptTerms): Decision<AccountEvent> {
  if (account.termsAcceptedAt === now) return accept()
  return accept({ type: 'TermsAccepted', data: { accountId: account.id, acceptedAt: now } })
}

/** Hashes are salted, so the same hash means the same command. */
function passwordChanged(account: Account, passwordHash: string, changedAt: Timestamp): readonly AccountEvent[] {
  if (account.passwordHash === passwordHash) return []
  return [{ type: 'PasswordChanged', data: { accountId: account.id, passwordHash, changedAt } }]
}

function emailAddressChanged(
  account: Account,
  { email, verified, keepsBounce, now }: Omit<ChangeEmailAddress, 'type'>,
): readonly AccountEvent[] {
  if (account.email === email && account.emailVerified === verified) return []
  const bounce = keepsBounce === undefined ? {} : { keepsBounce }
  const changedAt = nameOfChange(account, now)
  return [{ type: 'EmailAddressChanged', data: { accountId: account.id, email, verified, changedAt, ...bounce } }]
}

/** The time of a change names it, so two at one instant get times a millisecond apart. */
function nameOfChange(account: Account, now: Timestamp): Timestamp {
  return standingChange(account, now) ? nameOfChange(account, secondsAfter(now, 0.001)) : now
}
