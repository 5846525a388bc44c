import { accept, refuse, type Decision } from '../../kernel/decider.js'
import { msOf } from '../../kernel/timestamp.js'
import type { EraseBot, FinishErasure, StartErasure } from '../commands.js'
import { endings } from './decide-sessions.js'
import type { AccountEvent } from '../events.js'
import type { Account, AccountState } from '../state.js'

/**
 * From here on the account is nobody's: whoever signs in at this instant was either faster, which cancels the deletion, or is
 * unknown. What is not due, or not any more, changes nothing; CONFLICT where the address is another one by now than the one
 * whose hash is given.
 */
export function startErasure(account: Account, { email, addressHash, now }: StartErasure): Decision<AccountEvent> {
  const { id: accountId, username, selfDeletionDueAt, singleSignOn } = account
  if (selfDeletionDueAt === null || msOf(selfDeletionDueAt) > msOf(now)) return accept()
  if (account.email !== email) return refuse('CONFLICT')
  const identityHashes = singleSignOn.map(({ identityHash }) => identityHash)
  return accept<AccountEvent>(...endings(account, () => true), {
    type: 'AccountErasureStarted',
    data: { accountId, username, addressHash, identityHashes, startedAt: now },
  })
}

/** All that was to be erased is gone. Refused with CONFLICT where erasing has not begun, and with UNKNOWN_USER where nobody was. */
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

/** From here on the bot is nobody's. A person's account is not erased so: UNKNOWN_USER. */
export function eraseBot(account: Account, { now }: EraseBot): Decision<AccountEvent> {
  const { id: accountId, username, botOwnerId } = account
  if (botOwnerId === null) return refuse('UNKNOWN_USER')
  return accept<AccountEvent>(...endings(account, () => true), {
    type: 'AccountErasureStarted',
    data: { accountId, username, addressHash: null, identityHashes: [], startedAt: now },
  })
}
