import { accept, refuse, type Decision } from '../../kernel/decider.ts'
import { field } from '../../kernel/refusal.ts'
import type { Timestamp } from '../../kernel/timestamp.ts'
import type { LinkSingleSignOn } from '../commands.ts'
import { sessionBar } from './decide-admission.ts'
import { takenFromOthers } from './taken-back.ts'
import type { AccountEvent } from '../events.ts'
import type { Account, SingleSignOnLink } from '../state.ts'

/**
 * Links an identity that a provider vouches for to the account. An account has one identity per issuer: another one is
 * refused with SSO_IDENTITY_MISMATCH. Refuses as `sessionBar`, and with CONFLICT if the account has another address by
 * now. See rules/credentials#single-sign-on.
 */
export function linkSingleSignOn(account: Account, command: LinkSingleSignOn): Decision<AccountEvent> {
  const { issuer, identityHash, email, now } = command
  const link = account.singleSignOn.find((held) => held.issuer === issuer)
  if (link?.identityHash === identityHash) return accept()
  if (link) return refuse('INVALID_FORM_BODY', field('code', 'SSO_IDENTITY_MISMATCH'))
  const bar = sessionBar(account, now)
  if (bar) return refuse(bar)
  if (account.email !== email) return refuse('CONFLICT')
  return accept<AccountEvent>(
    ...(account.emailVerified ? [] : takenFromWhoeverRegistered(account, now)),
    singleSignOnLinked(account, { issuer, identityHash }, now),
  )
}

/** From now on, an identity at a provider signs in to the account. */
export function singleSignOnLinked(
  { id: accountId }: Pick<Account, 'id'>,
  { issuer, identityHash }: SingleSignOnLink,
  now: Timestamp,
): AccountEvent {
  return { type: 'SingleSignOnLinked', data: { accountId, issuer, identityHash, linkedAt: now } }
}

/**
 * Nobody had proved the address. A stranger may have registered it to wait for its holder. So everything that the registrant
 * knows or holds stops working.
 */
function takenFromWhoeverRegistered(account: Account, now: Timestamp): readonly AccountEvent[] {
  return [
    { type: 'EmailAddressVerified', data: { accountId: account.id, adopts: true } },
    ...takenFromOthers(account, { act: 'adopt', passwordHash: null, keeps: () => false, now }),
  ]
}
