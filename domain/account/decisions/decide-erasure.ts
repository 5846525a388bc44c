import { accept, refuse, type Decision } from '../../kernel/decider.ts'
import { hasEnded } from '../../kernel/timestamp.ts'
import type {
  CreateAnonymousAccount,
  EraseBot,
  FinishErasure,
  NoteMessagesAnonymised,
  StartErasure,
} from '../commands.ts'
import { endAccess } from './end-access.ts'
import type { AccountEvent } from '../events.ts'
import type { Account, AccountState } from '../state.ts'

/**
 * From now on nobody holds the account. A concurrent sign-in either came first, which cancels the deletion, or finds no account.
 * A deletion that is not due, or was cancelled, changes nothing. CONFLICT if the account's address changed since it was hashed.
 */
export function startErasure(account: Account, { email, addressHash, now }: StartErasure): Decision<AccountEvent> {
  const { id: accountId, username, deletion, premium, singleSignOn } = account
  if (deletion === null || !hasEnded(deletion.dueAt, now)) return accept()
  if (account.email !== email) return refuse('CONFLICT')
  const identityHashes = singleSignOn.map(({ identityHash }) => identityHash)
  const purchases = premium.purchases.map(({ purchase }) => purchase)
  return accept<AccountEvent>(...endAccess(account, 'erase'), {
    type: 'AccountErasureStarted',
    data: {
      accountId,
      username,
      addressHash,
      identityHashes,
      ...(purchases.length === 0 ? {} : { purchases }),
      startedAt: now,
    },
  })
}

/**
 * Everything that had to be erased is gone. Refuses with CONFLICT if the erasure has not begun, and with UNKNOWN_USER if the
 * account never existed.
 */
export function finishErasure(state: AccountState, { now }: FinishErasure): Decision<AccountEvent> {
  switch (state.status) {
    case 'absent':
      return refuse('UNKNOWN_USER')
    case 'registered':
      return refuse('CONFLICT')
    case 'erasing':
      return accept({ type: 'AccountErased', data: { accountId: state.id, erasedAt: now } })
    case 'erased':
      return accept()
  }
}

/**
 * The messages of an erased account have another author, who is not named here. Refuses with CONFLICT if the account is
 * not erased, and with UNKNOWN_USER if it never existed. See rules/users#erasure.
 */
export function noteMessagesAnonymised(state: AccountState, { now }: NoteMessagesAnonymised): Decision<AccountEvent> {
  switch (state.status) {
    case 'absent':
      return refuse('UNKNOWN_USER')
    case 'registered':
    case 'erasing':
      return refuse('CONFLICT')
    case 'erased':
      return state.messagesAnonymised
        ? accept()
        : accept({ type: 'MessagesAnonymised', data: { accountId: state.id, anonymisedAt: now } })
  }
}

/** An account that counts as erased from its beginning, so nobody can hold it. CONFLICT if the id is that of another account. */
export function createAnonymousAccount(
  state: AccountState,
  { accountId, now }: CreateAnonymousAccount,
): Decision<AccountEvent> {
  if (state.status === 'absent') return accept({ type: 'AnonymousAccountCreated', data: { accountId, createdAt: now } })
  return state.status === 'erased' && state.messagesAnonymised ? accept() : refuse('CONFLICT')
}

/**
 * From now on nobody holds the bot. Does not erase a person's account: UNKNOWN_USER. CONFLICT if the address that an
 * administrator gave the bot changed since it was hashed.
 */
export function eraseBot(account: Account, { email, addressHash, now }: EraseBot): Decision<AccountEvent> {
  const { id: accountId, username, botOwnerId } = account
  if (botOwnerId === null) return refuse('UNKNOWN_USER')
  if (account.email !== email) return refuse('CONFLICT')
  return accept<AccountEvent>(...endAccess(account, 'erase'), {
    type: 'AccountErasureStarted',
    data: { accountId, username, addressHash, identityHashes: [], startedAt: now },
  })
}
