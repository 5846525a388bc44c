import { aggregate } from '../kernel/aggregate-definition.ts'
import { accept, refuse, type Decision } from '../kernel/decider.ts'
import { field } from '../kernel/refusal.ts'
import type { ClaimAddress, EmailAddressCommand, ReleaseAddress } from './commands.ts'
import { emailAddressEvents, type EmailAddressEvent } from './events.ts'
import type { EmailAddressState } from './state.ts'

/**
 * One e-mail address. At most one account holds it, and signs in with it; others that administrators gave it wait. A keyed hash
 * of the normalised address names its stream.
 */
export const emailAddress = aggregate({
  category: 'email_address',
  identifiedBy: 'a keyed hash of the address',
  guards: 'that an address signs in to one account (decisions 4 and 77)',
  stateVersion: 3,
  events: emailAddressEvents,
  initial: { status: 'free', waiting: [], beyond_count: 0 },
  decide,
  evolve,
})

/** Accounts that may wait for one address's claim (decision 77). Those of a history with more keep waiting. */
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
 * Refuses an address that another account holds, unless the account may wait for it. Once `waiting_max` do, it has the
 * address but does not wait for the claim: an address that an administrator gives may be in use
 * (rules/administration#accounts).
 */
function claim(state: EmailAddressState, command: ClaimAddress): Decision<EmailAddressEvent> {
  const { addressHash, accountId, replaces, orWaits = false } = command
  const data = replaces === undefined ? { addressHash, accountId } : { addressHash, accountId, replaces }
  if (state.status === 'free') return accept({ type: 'EmailAddressClaimed', data })
  if (state.accountId === accountId) return accept()
  if (!orWaits) return refuse('INVALID_FORM_BODY', field('email', 'EMAIL_ALREADY_IN_USE'))
  if (state.waiting.includes(accountId)) return accept()
  const beyond = state.waiting.length < waiting_max ? {} : ({ beyondQueue: true } as const)
  return accept({ type: 'EmailAddressAwaited', data: { ...data, ...beyond } })
}

/** The claim of a holder goes to the first account that waits, in the same append: nobody can come between. */
function release(state: EmailAddressState, { addressHash, accountId }: ReleaseAddress): Decision<EmailAddressEvent> {
  const { waiting, beyond_count } = state
  if (state.status === 'held' && state.accountId === accountId)
    return accept<EmailAddressEvent>(
      { type: 'EmailAddressReleased', data: { addressHash, accountId } },
      ...waiting
        .slice(0, 1)
        .map(
          (next) => ({ type: 'EmailAddressClaimed', data: { addressHash, accountId: next, awaited: true } }) as const,
        ),
    )
  // Accounts beyond the queue are counted, not named. The event ends the steps that wait for this release.
  if (!waiting.includes(accountId) && beyond_count === 0) return accept()
  return accept({ type: 'EmailAddressNoLongerAwaited', data: { addressHash, accountId } })
}

function evolve(state: EmailAddressState, { type, data }: EmailAddressEvent): EmailAddressState {
  const { addressHash, accountId } = data
  const { beyond_count } = state
  const others = state.waiting.filter((each) => each !== accountId)
  switch (type) {
    case 'EmailAddressClaimed':
      return { status: 'held', addressHash, accountId, waiting: others, beyond_count }
    case 'EmailAddressReleased':
      return { status: 'free', waiting: others, beyond_count }
    case 'EmailAddressAwaited':
      if (data.beyondQueue) return { ...state, beyond_count: beyond_count + 1 }
      return { ...state, waiting: [...others, accountId] }
    case 'EmailAddressNoLongerAwaited':
      if (others.length < state.waiting.length) return { ...state, waiting: others }
      return { ...state, beyond_count: Math.max(0, beyond_count - 1) }
  }
}
