import { accept, refuse, type Decider, type Decision } from '../kernel/decider.js'
import { field } from '../kernel/refusal.js'
import type { ClaimAddress, EmailAddressCommand, ReleaseAddress } from './commands.js'
import type { EmailAddressEvent } from './events.js'
import type { EmailAddressState } from './state.js'

/** One e-mail address, held by at most one account. A keyed hash of the normalised address names its stream. */
export const emailAddress: Decider<EmailAddressState, EmailAddressCommand, EmailAddressEvent> = {
  category: 'email_address',
  initial: { status: 'free' },
  decide,
  evolve,
}

function decide(state: EmailAddressState, command: EmailAddressCommand): Decision<EmailAddressEvent> {
  switch (command.type) {
    case 'ClaimAddress':
      return claim(state, command)
    case 'ReleaseAddress':
      return release(state, command)
  }
}

/** Refuses an address that another account holds (reference identity 4.3). */
function claim(state: EmailAddressState, command: ClaimAddress): Decision<EmailAddressEvent> {
  const { addressHash, accountId, replaces } = command
  const claimed = replaces === undefined ? { addressHash, accountId } : { addressHash, accountId, replaces }
  if (state.status === 'free') return accept({ type: 'EmailAddressClaimed', data: claimed })
  if (state.accountId === accountId) return accept()
  return refuse('INVALID_FORM_BODY', field('email', 'EMAIL_ALREADY_IN_USE'))
}

function release(state: EmailAddressState, { accountId }: ReleaseAddress): Decision<EmailAddressEvent> {
  if (state.status === 'free' || state.accountId !== accountId) return accept()
  return accept({ type: 'EmailAddressReleased', data: { addressHash: state.addressHash, accountId } })
}

function evolve(_: EmailAddressState, { type, data }: EmailAddressEvent): EmailAddressState {
  switch (type) {
    case 'EmailAddressClaimed':
      return { status: 'held', addressHash: data.addressHash, accountId: data.accountId }
    case 'EmailAddressReleased':
      return { status: 'free' }
  }
}
