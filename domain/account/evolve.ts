import { withNetwork, withSignIn } from './decisions/authorized-networks.ts'
import { endedSessions } from './ended-sessions.ts'
import { evolveSecondFactors } from './evolve-second-factors.ts'
import { evolveStanding, profileChanged } from './evolve-standing.ts'
import type { AccountEvent, AccountRegistered, EmailAddressChanged, RecoveryKitCreated } from './events.ts'
import type { SessionStarted } from './session-events.ts'
import { evolvePremium, isPremiumEvent } from '../premium/evolve-premium.ts'
import { noPremium } from '../premium/premium.ts'
import { secondsAfter } from '../kernel/timestamp.ts'
import { newProfile } from './profile.ts'
import {
  noSecondFactors,
  revert_s,
  standingChange,
  standingChanges_max,
  type Account,
  type AccountState,
  type RecoveryKit,
} from './state.ts'

/** The state after an event. An account that was never registered stays absent. */
export function evolve(state: AccountState, event: AccountEvent): AccountState {
  if (event.type === 'AccountRegistered') return { status: 'registered', ...registered(event.data) }
  if (isAboutErasure(event)) return afterwards(state, event)
  return state.status === 'registered' ? { status: 'registered', ...evolveRegistered(state, event) } : state
}

const erasureTypes = [
  'AccountErasureStarted',
  'AccountErased',
  'MessagesAnonymised',
  'AnonymousAccountCreated',
] as const
type ErasureEvent = Extract<AccountEvent, { readonly type: (typeof erasureTypes)[number] }>
type LaterEvent = Exclude<AccountEvent, ErasureEvent | { readonly type: 'AccountRegistered' }>

function isAboutErasure(event: AccountEvent): event is ErasureEvent {
  return erasureTypes.some((type) => type === event.type)
}

/** The state keeps nothing of the holder. */
function afterwards(state: AccountState, { type, data }: ErasureEvent): AccountState {
  if (type === 'AnonymousAccountCreated') return { status: 'erased', id: data.accountId, messagesAnonymised: true }
  if (state.status === 'absent') return state
  if (type === 'AccountErasureStarted') return { status: 'erasing', id: state.id }
  return { status: 'erased', id: state.id, messagesAnonymised: type === 'MessagesAnonymised' }
}

function evolveRegistered(record: Account, event: LaterEvent): Account {
  if (isPremiumEvent(event)) return { ...record, premium: evolvePremium(record.premium, event) }
  switch (event.type) {
    case 'SessionStarted':
      return sessionStarted(record, event.data)
    case 'SessionEnded':
    case 'SessionsEnded':
      return sessionsEnded(record, new Set(endedSessions(event)))
    case 'DelegationsEnded':
      return { ...record, delegationVersion: event.data.version }
    case 'IpAddressAuthorized':
      return { ...record, authorizedNetworks: withNetwork(record.authorizedNetworks, event.data.network) }
    case 'IpAddressesForgotten':
      return { ...record, authorizedNetworks: [], signInNetworks: record.signInNetworks && [] }
    case 'AclsGranted':
    case 'AclsSet':
      return aclsChanged(record, event.data.acls)
    case 'TagChanged':
      return { ...record, username: event.data.username, discriminator: event.data.discriminator }
    case 'ProfileChanged':
      return profileChanged(record, event.data.changes)
    case 'PasswordChanged':
    case 'PasswordHashRenewed':
      return passwordHashed(record, event)
    case 'EmailAddressChanged':
      return emailAddressChanged(record, event.data)
    case 'EmailAddressVerified':
    case 'EmailAddressBounced':
      return addressTried(record, event)
    case 'TermsAccepted':
      return { ...record, termsAcceptedAt: event.data.acceptedAt }
    case 'VoiceActivitySharingChosen':
      return { ...record, voiceActivitySharing: { shared: event.data.shared, chosenAt: event.data.chosenAt } }
    case 'SingleSignOnLinked':
    case 'SingleSignOnUnlinked':
      return linkChanged(record, event)
    case 'RegistrationApproved':
    case 'RegistrationRejected':
      return { ...record, admission: event.type === 'RegistrationApproved' ? 'admitted' : 'rejected' }
    case 'RecoveryKitCreated':
    case 'RecoveryKitRevoked':
    case 'RecoveryKitUsed':
      return { ...record, recoveryKit: event.type === 'RecoveryKitCreated' ? kitIn(event.data) : null }
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
    default:
      return evolveStanding(record, event)
  }
}

/** A renewed hash is of the same password, so proofs that were made with it hold. */
function passwordHashed(record: Account, { type, data: { passwordHash } }: PasswordHashed): Account {
  const hashed = { ...record, passwordHash }
  return type === 'PasswordChanged' ? withNewCredentials(hashed) : hashed
}

type PasswordHashed = Extract<AccountEvent, { readonly type: 'PasswordChanged' | 'PasswordHashRenewed' }>

function aclsChanged(record: Account, acls: readonly string[]): Account {
  const gains = acls.some((acl) => !record.acls.includes(acl))
  return { ...record, acls, aclGains: record.aclGains + (gains ? 1 : 0) }
}

function sessionStarted(record: Account, { tokenHash, ip, fromUnknownNetwork }: SessionStarted): Account {
  return {
    ...record,
    sessions: [...without(record.sessions, tokenHash), tokenHash],
    signInNetworks: withSignIn(record.signInNetworks, ip),
    latestSignIn: { tokenHash, fromUnknownNetwork: fromUnknownNetwork === true },
  }
}

function sessionsEnded(record: Account, ended: ReadonlySet<string>): Account {
  return { ...record, sessions: record.sessions.filter((tokenHash) => !ended.has(tokenHash)) }
}

function withSecondFactors(record: Account, event: Parameters<typeof evolveSecondFactors>[1]): Account {
  return { ...record, secondFactors: evolveSecondFactors(record.secondFactors, event) }
}

function emailAddressChanged(record: Account, data: EmailAddressChanged): Account {
  const { email, verified, keepsBounce = false } = data
  const addressChanges = record.addressChanges + 1
  const emailBounced = keepsBounce && record.emailBounced
  const standingChanges = changesAfter(record, { ...data, number: addressChanges })
  return { ...record, email, emailVerified: verified, emailBounced, addressChanges, standingChanges }
}

function changesAfter(
  record: Account,
  { number, changedAt, takesBack, keepsBounce }: EmailAddressChanged & { readonly number: number },
): Account['standingChanges'] {
  const since = secondsAfter(changedAt, -revert_s)
  const standingChanges = record.standingChanges.filter(({ at }) => at >= since)
  const tells = record.emailVerified && !keepsBounce ? record.email : null
  if (takesBack === undefined)
    return [...standingChanges, { number, at: changedAt, tells }].slice(0, standingChanges_max)
  const reverted = standingChange(record, takesBack)
  return reverted ? standingChanges.filter((change) => change.number < reverted.number) : standingChanges
}

/** The state after mails to the address arrived or bounced. */
function addressTried(record: Account, event: TriedEvent): Account {
  if (event.type === 'EmailAddressBounced') return { ...record, emailBounced: true }
  const standingChanges = event.data.adopts ? [] : record.standingChanges
  return { ...record, emailVerified: true, emailBounced: false, standingChanges }
}

function linkChanged(record: Account, { type, data }: LinkEvent): Account {
  const { issuer, identityHash } = data
  const others = record.singleSignOn.filter((link) => link.identityHash !== identityHash)
  if (type === 'SingleSignOnUnlinked') return withNewCredentials({ ...record, singleSignOn: others })
  return { ...record, singleSignOn: [...others, { issuer, identityHash, addressChanges: record.addressChanges }] }
}

type TriedEvent = Extract<AccountEvent, { readonly type: 'EmailAddressVerified' | 'EmailAddressBounced' }>

type LinkEvent = Extract<AccountEvent, { readonly type: 'SingleSignOnLinked' | 'SingleSignOnUnlinked' }>

function kitIn({ keyHash, createdAt }: RecoveryKitCreated): RecoveryKit {
  return { keyHash, createdAt }
}

function withNewCredentials(record: Account): Account {
  return { ...record, credentialVersion: record.credentialVersion + 1 }
}

function registered(data: AccountRegistered): Account {
  const {
    accountId,
    globalName,
    awaitsApproval = false,
    botOwnerId,
    registrationUrlId,
    clientIp,
    termsAcceptedAt,
    ...identity
  } = data
  return {
    id: accountId,
    ...identity,
    admission: awaitsApproval ? 'pending' : 'admitted',
    profile: newProfile(globalName),
    emailBounced: false,
    addressChanges: 0,
    standingChanges: [],
    acls: [],
    aclGains: 0,
    flags: '0',
    premiumFlags: 0,
    premium: noPremium,
    traits: [],
    bot: botOwnerId !== undefined,
    system: false,
    botOwnerId: botOwnerId ?? null,
    termsAcceptedAt: termsAcceptedAt ?? null,
    sessions: [],
    authorizedNetworks: [],
    signInNetworks: null,
    latestSignIn: null,
    bannedUntil: null,
    deletion: null,
    messageDeletion: null,
    secondFactors: noSecondFactors,
    recoveryKit: null,
    credentialVersion: 0,
    delegationVersion: 0,
    voiceActivitySharing: null,
    singleSignOn: [],
  }
}

function without(sessions: readonly string[], tokenHash: string): readonly string[] {
  return sessions.filter((session) => session !== tokenHash)
}
