import type { AccountId } from '../ids/ids.ts'
import { aggregate } from '../kernel/aggregate-definition.ts'
import { accept, refuse, type Decision } from '../kernel/decider.ts'
import type {
  CreateRegistrationUrl,
  RegistrationUrlCommand,
  ReturnRegistrationUrlUse,
  UseRegistrationUrl,
} from './commands.ts'
import { registrationUrlEvents, type RegistrationUrlEvent } from './events.ts'
import { admits, rememberedUses, stands, type RegistrationUrl, type RegistrationUrlState } from './state.ts'

/** A link that lets people register, also on a closed instance. Its id names its stream. */
export const registrationUrl = aggregate({
  category: 'registration_url',
  identifiedBy: 'its id',
  guards: 'uses, expiry and revocation of a registration URL',
  stateVersion: 1,
  events: registrationUrlEvents,
  initial: { status: 'absent' },
  decide,
  evolve,
})

function decide(state: RegistrationUrlState, command: RegistrationUrlCommand): Decision<RegistrationUrlEvent> {
  switch (command.type) {
    case 'CreateRegistrationUrl':
      return create(state, command)
    case 'UseRegistrationUrl':
      return use(state, command)
    case 'ReturnRegistrationUrlUse':
      return returnUse(state, command)
    case 'RevokeRegistrationUrl':
      return revoke(state)
  }
}

/** An id that another URL has is CONFLICT. */
function create(state: RegistrationUrlState, { terms }: CreateRegistrationUrl): Decision<RegistrationUrlEvent> {
  if (state.status === 'absent') return accept({ type: 'RegistrationUrlCreated', data: terms })
  return state.terms.codeHash === terms.codeHash ? accept() : refuse('CONFLICT')
}

/**
 * Takes one use, never more than max_uses in all. Revoked, expired and used up all give REGISTRATION_URL_INVALID. So does a
 * returned use: its registration was refused.
 */
function use(state: RegistrationUrlState, { accountId, now }: UseRegistrationUrl): Decision<RegistrationUrlEvent> {
  if (state.status === 'absent') return refuse('REGISTRATION_URL_INVALID')
  if (state.used.includes(accountId)) return accept()
  if (state.returned.includes(accountId) || !admits(state, now)) return refuse('REGISTRATION_URL_INVALID')
  const { registrationUrlId } = state.terms
  return accept({ type: 'RegistrationUrlUsed', data: { registrationUrlId, accountId, useCount: state.useCount + 1 } })
}

/** A use that does not stand cannot be returned. */
function returnUse(
  state: RegistrationUrlState,
  { accountId }: ReturnRegistrationUrlUse,
): Decision<RegistrationUrlEvent> {
  if (state.status === 'absent' || !stands(state, accountId)) return accept()
  const { registrationUrlId } = state.terms
  const useCount = state.useCount - 1
  return accept({ type: 'RegistrationUrlUseReturned', data: { registrationUrlId, accountId, useCount } })
}

/** Revoking an unknown URL does nothing. */
function revoke(state: RegistrationUrlState): Decision<RegistrationUrlEvent> {
  if (state.status === 'absent' || state.isRevoked) return accept()
  return accept({ type: 'RegistrationUrlRevoked', data: { registrationUrlId: state.terms.registrationUrlId } })
}

function evolve(state: RegistrationUrlState, event: RegistrationUrlEvent): RegistrationUrlState {
  switch (event.type) {
    case 'RegistrationUrlCreated':
      return { status: 'created', terms: event.data, isRevoked: false, useCount: 0, used: [], returned: [] }
    case 'RegistrationUrlUsed':
      return whileCreated(state, (url) => ({ ...url, ...taken(url, event.data.accountId, event.data.useCount) }))
    case 'RegistrationUrlUseReturned':
      return whileCreated(state, (url) => ({ ...url, ...givenBack(url, event.data.accountId, event.data.useCount) }))
    case 'RegistrationUrlRevoked':
      return whileCreated(state, (url) => ({ ...url, isRevoked: true }))
  }
}

function whileCreated(
  state: RegistrationUrlState,
  next: (url: RegistrationUrl) => RegistrationUrl,
): RegistrationUrlState {
  return state.status === 'created' ? { status: 'created', ...next(state) } : state
}

function taken({ used }: RegistrationUrl, account: AccountId, useCount: number): Partial<RegistrationUrl> {
  return { useCount, used: remember(used, account) }
}

function givenBack(
  { used, returned }: RegistrationUrl,
  account: AccountId,
  useCount: number,
): Partial<RegistrationUrl> {
  return { useCount, used: used.filter((id) => id !== account), returned: remember(returned, account) }
}

function remember(accounts: readonly AccountId[], account: AccountId): readonly AccountId[] {
  return [...accounts, account].slice(-rememberedUses)
}
