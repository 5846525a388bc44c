import { accept, refuse, type Decider, type Decision } from '../kernel/decider.js'
import type { ClaimIdentity, ReleaseIdentity, SingleSignOnIdentityCommand } from './commands.js'
import type { SingleSignOnIdentityEvent } from './events.js'
import type { SingleSignOnIdentityState } from './state.js'

/** One identity at an OpenID provider, which signs in to at most one account. */
export const singleSignOnIdentity: Decider<
  SingleSignOnIdentityState,
  SingleSignOnIdentityCommand,
  SingleSignOnIdentityEvent
> = {
  category: 'single_sign_on_identity',
  initial: { status: 'free' },
  decide,
  evolve,
}

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
