import { aggregate } from '../kernel/aggregate-definition.js'
import { accept, refuse, type Decision } from '../kernel/decider.js'
import { field } from '../kernel/refusal.js'
import type { ClaimAddress, EmailAddressCommand, ReleaseAddress } from './commands.js'
import { emailAddressEvents, type EmailAddressEvent } from './events.js'
import type { EmailAddressState } from './state.js'

/**
 * One e-mail address. At most one account holds it, and signs in with it; others that administrators gave it wait. A keyed hash
 * of the normalised address names its stream.
 */
export const emailAddress = aggregate({
  category: 'email_address',
  identifiedBy: 'a keyed hash of the address',
  guards: 'that an address signs in to one account (decisions 4 and 77)',
  stateVersion: 2,
  events: emailAddressEvents,
  initial: { status: 'free', waiting: [] },
  decide,
  evolve,
})

/** Accounts that may wait for one address (decision 99). Those of a history with more keep waiting. */
export const waiting_max = 100

function decide(state: EmailAddressState, command: EmailAddressCommand): Decision<EmailAddressEvent> {
  switch (command.type) {
    case 'ClaimAddress':
      return claim(state, command)
    case 'ReleaseAddress':
      return release(state, command)
  }
}

/**
 * Refuses an address that another account holds (reference identity 4.3), unless the account may wait for it and fewer than
 * `waiting_max` do.
 */
function claim(state: EmailAddressState, command: ClaimAddress): Decision<EmailAddressEvent> {
  const { addressHash, accountId, replaces, orWaits = false } = command
  const data = replaces === undefined ? { addressHash, accountId } : { addressHash, accountId, replaces }
  if (state.status === 'free') return accept({ type: 'EmailAddressClaimed', data })
  if (state.accountId === accountId) return accept()
  if (orWaits && state.waiting.includes(accountId)) return accept()
  if (!orWaits || state.waiting.length >= waiting_max)
    return refuse('INVALID_FORM_BODY', field('email', 'EMAIL_ALREADY_IN_USE'))
  return accept({ type: 'EmailAddressAwaited', data })
}

/** The claim of a holder goes to the first account that waits, in the same append: nobody can come between. */
function release(state: EmailAddressState, { accountId }: ReleaseAddress): Decision<EmailAddressEvent> {
  if (state.status === 'free') return accept()
  const { addressHash, waiting } = state
  if (state.accountId === accountId)
    return accept<EmailAddressEvent>(
      { type: 'EmailAddressReleased', data: { addressHash, accountId } },
      ...waiting
        .slice(0, 1)
        .map(
          (next) => ({ type: 'EmailAddressClaimed', data: { addressHash, accountId: next, awaited: true } }) as const,
        ),
    )
  if (!waiting.includes(accountId)) return accept()
  return accept({ type: 'EmailAddressNoLongerAwaited', data: { addressHash, accountId } })
}

function evolve(state: EmailAddressState, { type, data }: EmailAddressEvent): EmailAddressState {
  const { addressHash, accountId } = data
  const others = state.waiting.filter((each) => each !== accountId)
  switch (type) {
    case 'EmailAddressClaimed':
      return { status: 'held', addressHash, accountId, waiting: others }
    case 'EmailAddressReleased':
      return { status: 'free', waiting: others }
    case 'EmailAddressAwaited':
      return { ...state, waiting: [...others, accountId] }
    case 'EmailAddressNoLongerAwaited':
      return { ...state, waiting: others }
  }
}
