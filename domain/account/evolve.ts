import { evolveSecondFactors } from './evolve-second-factors.js'
import type { AccountEvent, AccountRegistered, EmailAddressChanged } from './events.js'
import { newProfile } from './profile.js'
import { noSecondFactors, type Account, type AccountState } from './state.js'

/** The state after an event. An account that was never registered stays absent. */
export function evolve(state: AccountState, event: AccountEvent): AccountState {
  if (event.type === 'AccountRegistered') return { status: 'registered', ...registered(event.data) }
  return state.status === 'registered' ? { status: 'registered', ...evolveRegistered(state, event) } : state
}

type LaterEvent = Exclude<AccountEvent, { readonly type: 'AccountRegistered' }>

function evolveRegistered(record: Account, event: LaterEvent): Account {
  switch (event.type) {
    case 'SessionStarted':
      return { ...record, sessions: [...without(record.sessions, event.data.tokenHash), event.data.tokenHash] }
    case 'SessionEnded':
      return { ...record, sessions: without(record.sessions, event.data.tokenHash) }
    case 'AclsGranted':
      return { ...record, acls: event.data.acls }
    case 'TagChanged':
      return { ...record, username: event.data.username, discriminator: event.data.discriminator }
    case 'ProfileChanged':
      return { ...record, profile: { ...record.profile, ...event.data.changes } }
    case 'PasswordChanged':
      return withNewCredentials({ ...record, passwordHash: event.data.passwordHash })
    case 'EmailAddressChanged':
      return emailAddressChanged(record, event.data)
    case 'EmailAddressVerified':
      return { ...record, emailVerified: true }
    case 'AccountDisabled':
      return { ...record, isDisabled: true }
    case 'AccountEnabled':
      return { ...record, isDisabled: false }
    case 'SelfDeletionScheduled':
      return { ...record, selfDeletionDueAt: event.data.dueAt }
    case 'SelfDeletionCancelled':
      return { ...record, selfDeletionDueAt: null }
    case 'TermsAccepted':
      return { ...record, termsAcceptedAt: event.data.acceptedAt }
    case 'TotpDisabled':
    case 'WebAuthnCredentialRemoved':
      return withNewCredentials(withSecondFactors(record, event))
    case 'TotpEnabled':
    case 'TotpStepSpent':
    case 'BackupCodesIssued':
    case 'BackupCodesRevoked':
    case 'BackupCodeConsumed':
    case 'WebAuthnCredentialRegistered':
    case 'WebAuthnCredentialRenamed':
    case 'WebAuthnCredentialUsed':
    case 'PasskeysChosenAsSecondFactor':
      return withSecondFactors(record, event)
  }
}

function withSecondFactors(record: Account, event: Parameters<typeof evolveSecondFactors>[1]): Account {
  return { ...record, secondFactors: evolveSecondFactors(record.secondFactors, event) }
}

function emailAddressChanged(record: Account, { email, verified, changedAt, takesBack }: EmailAddressChanged): Account {
  const latestRevert = takesBack === undefined ? record.latestRevert : { takesBack, at: changedAt }
  return { ...record, email, emailVerified: verified, latestRevert }
}

function withNewCredentials(record: Account): Account {
  return { ...record, credentialVersion: record.credentialVersion + 1 }
}

function registered({ accountId, globalName, ...identity }: AccountRegistered): Account {
  return {
    id: accountId,
    ...identity,
    profile: newProfile(globalName),
    latestRevert: null,
    acls: [],
    termsAcceptedAt: null,
    sessions: [],
    isDisabled: false,
    selfDeletionDueAt: null,
    secondFactors: noSecondFactors,
    credentialVersion: 0,
  }
}

function without(sessions: readonly string[], tokenHash: string): readonly string[] {
  return sessions.filter((session) => session !== tokenHash)
}
