import { aggregate } from '../kernel/aggregate-definition.ts'
import { accept, refuse, type Decision } from '../kernel/decider.ts'
import type { ClaimIdentity, ReleaseIdentity, SingleSignOnIdentityCommand } from './commands.ts'
import { singleSignOnIdentityEvents, type SingleSignOnIdentityEvent } from './events.ts'
import type { SingleSignOnIdentityState } from './state.ts'

/** One identity at an OpenID provider, which signs in to at most one account. */
export const singleSignOnIdentity = aggregate({
  category: 'single_sign_on_identity',
  identifiedBy: 'a keyed hash of issuer and subject',
  guards: 'that an identity at an OpenID provider belongs to one account (decision 15)',
  stateVersion: 1,
  events: singleSignOnIdentityEvents,
  initial: { status: 'free' },
  decide,
  evolve,
})

function decide(
  state: SingleSignOnIdentityState,
  command: SingleSignOnIdentityCommand,
): Decision<SingleSignOnIdentityEvent> {
  switch (command.type) {
    case 'ClaimIdentity':
      return claim(state, command)
    case 'ReleaseIdentity':
      return release(state, command)
  }
}

/** Refuses with CONFLICT if another account holds it: of two concurrent sign-ins, one was faster. */
function claim(
  state: SingleSignOnIdentityState,
  { identityHash, accountId }: ClaimIdentity,
): Decision<SingleSignOnIdentityEvent> {
  if (state.status === 'free') return accept({ type: 'SingleSignOnIdentityClaimed', data: { identityHash, accountId } })
  return state.accountId === accountId ? accept() : refuse('CONFLICT')
}

function release(
  state: SingleSignOnIdentityState,
  { accountId }: ReleaseIdentity,
): Decision<SingleSignOnIdentityEvent> {
  if (state.status === 'free' || state.accountId !== accountId) return accept()
  return accept({ type: 'SingleSignOnIdentityReleased', data: { identityHash: state.identityHash, accountId } })
}

function evolve(_: SingleSignOnIdentityState, { type, data }: SingleSignOnIdentityEvent): SingleSignOnIdentityState {
  switch (type) {
    case 'SingleSignOnIdentityClaimed':
      return { status: 'held', identityHash: data.identityHash, accountId: data.accountId }
    case 'SingleSignOnIdentityReleased':
      return { status: 'free' }
  }
}
