import { accountId } from '../ids/ids.ts'
import { snowflake } from '../ids/snowflake.ts'
import { aggregate } from '../kernel/aggregate-definition.ts'
import { accept, refuse, type Decision } from '../kernel/decider.ts'
import type { AccountCommand } from './commands.ts'
import { approveRegistration, rejectRegistration } from './decisions/decide-admission.ts'
import {
  createAnonymousAccount,
  eraseBot,
  finishErasure,
  noteMessagesAnonymised,
  startErasure,
} from './decisions/decide-erasure.ts'
import {
  acceptTerms,
  changeEmailAddress,
  changePassword,
  changeProfile,
  changeTag,
  grantAcls,
  markEmailAddressBounced,
  register,
  renewPasswordHash,
  revertEmailAddress,
  setAcls,
  verifyEmailAddress,
} from './decisions/decide-identity.ts'
import { decidePremium } from './decisions/decide-premium.ts'
import { decideRecoveryKit } from './decisions/decide-recovery-kit.ts'
import { decideSecondFactors } from './decisions/decide-second-factors.ts'
import { decideSessions } from './decisions/decide-sessions.ts'
import { decideStanding } from './decisions/decide-standing.ts'
import { linkSingleSignOn } from './decisions/decide-single-sign-on.ts'
import { chooseVoiceActivitySharing } from './decisions/decide-voice-activity.ts'
import { isPremiumCommand } from '../premium/premium-commands.ts'
import { accountEvents, type AccountEvent } from './events.ts'
import { evolve } from './evolve.ts'
import type { Account, AccountState } from './state.ts'

/** A person or a bot: identity, credentials, second factors, live sessions, and its rights on the instance. */
export const account = aggregate({
  category: 'account',
  identifiedBy: 'the account id',
  guards:
    'identity, credentials, second factors, sessions, admission, flags, bans, deletion, erasure, ACLs and premium of an account',
  stateVersion: 14,
  events: accountEvents,
  subjectOf: (id) => accountId(snowflake(id)),
  initial: { status: 'absent' },
  decide,
  evolve,
})

function decide(state: AccountState, command: AccountCommand): Decision<AccountEvent> {
  if (command.type === 'RegisterAccount') return register(state, command)
  if (isAfterErasure(command)) return decideAfterErasure(state, command)
  if (state.status === 'registered') {
    if (isMeantForOthers(state, command)) return refuse('CONFLICT')
    return isLate(state, command) ? refuse('UNAUTHORIZED') : decideRegistered(state, command)
  }
  if (state.status !== 'absent') return decideErased(command)
  // Ending a session that does not exist changes nothing.
  return command.type === 'EndSession' ? accept() : refuse('UNKNOWN_USER')
}

const changesNothingErased: readonly LaterCommand['type'][] = [
  'StartErasure',
  'EraseBot',
  'EndSession',
  'EndSessions',
  'EndAllSessions',
  'SignOutEverywhere',
  'RenewPasswordHash',
]

const afterErasure = ['FinishErasure', 'NoteMessagesAnonymised', 'CreateAnonymousAccount'] as const
type AfterErasure = Extract<AccountCommand, { readonly type: (typeof afterErasure)[number] }>

function isAfterErasure(command: AccountCommand): command is AfterErasure {
  return afterErasure.some((type) => type === command.type)
}

function decideAfterErasure(state: AccountState, command: AfterErasure): Decision<AccountEvent> {
  switch (command.type) {
    case 'FinishErasure':
      return finishErasure(state, command)
    case 'NoteMessagesAnonymised':
      return noteMessagesAnonymised(state, command)
    case 'CreateAnonymousAccount':
      return createAnonymousAccount(state, command)
  }
}

/** Nobody holds the account any more. Ending what is gone already changes nothing. An erasure that began stays. */
function decideErased(command: LaterCommand): Decision<AccountEvent> {
  if (command.type === 'ScheduleDeletion' || command.type === 'CancelDeletion') return refuse('CONFLICT')
  return changesNothingErased.includes(command.type) ? accept() : refuse('UNKNOWN_USER')
}

/** Whether the command is meant for accounts without ACLs, and this one holds some. */
function isMeantForOthers({ acls }: Account, command: LaterCommand): boolean {
  return 'onlyWithoutAcls' in command && command.onlyWithoutAcls === true && acls.length > 0
}

/** Whether the session that asks has ended since its request began, or what was proved has changed. */
function isLate({ sessions, credentialVersion }: Account, command: LaterCommand): boolean {
  const bySession = 'bySession' in command ? command.bySession : undefined
  const provedUnder = 'provedUnder' in command ? command.provedUnder : undefined
  const hasEnded = bySession !== undefined && !sessions.includes(bySession)
  return hasEnded || (provedUnder !== undefined && provedUnder !== credentialVersion)
}

type LaterCommand = Exclude<AccountCommand, AfterErasure | { readonly type: 'RegisterAccount' }>

function decideRegistered(state: Account, command: LaterCommand): Decision<AccountEvent> {
  switch (command.type) {
    case 'StartSession':
    case 'EndSession':
    case 'EndSessions':
    case 'EndAllSessions':
    case 'SignOutEverywhere':
    case 'DisableAccount':
    case 'ScheduleSelfDeletion':
    case 'ReturnToAccount':
    case 'ForgetIpAddresses':
      return decideSessions(state, command)
    case 'GrantAcls':
    case 'SetAcls':
      return command.type === 'GrantAcls' ? grantAcls(state, command) : setAcls(state, command)
    case 'ChangeTag':
      return changeTag(state, command)
    case 'ChangeProfile':
      return changeProfile(state, command)
    case 'ChangePassword':
    case 'RenewPasswordHash':
      return command.type === 'ChangePassword' ? changePassword(state, command) : renewPasswordHash(state, command)
    case 'ChangeEmailAddress':
      return changeEmailAddress(state, command)
    case 'VerifyEmailAddress':
      return verifyEmailAddress(state, command)
    case 'RevertEmailAddress':
      return revertEmailAddress(state, command)
    case 'StartErasure':
    case 'EraseBot':
      return command.type === 'StartErasure' ? startErasure(state, command) : eraseBot(state, command)
    case 'MarkEmailAddressBounced':
      return markEmailAddressBounced(state, command)
    case 'AcceptTerms':
      return acceptTerms(state, command)
    case 'EnableTotp':
    case 'DisableTotp':
    case 'IssueBackupCodes':
    case 'ProveSecondFactor':
    case 'RegisterWebAuthnCredential':
    case 'RenameWebAuthnCredential':
    case 'RemoveWebAuthnCredential':
    case 'ChoosePasskeys':
    case 'DisableSecondFactors':
      return decideSecondFactors(state, command)
    case 'ChooseVoiceActivitySharing':
      return chooseVoiceActivitySharing(state, command)
    case 'LinkSingleSignOn':
      return linkSingleSignOn(state, command)
    case 'ApproveRegistration':
    case 'RejectRegistration':
      return command.type === 'ApproveRegistration' ? approveRegistration(state) : rejectRegistration(state)
    case 'CreateRecoveryKit':
    case 'RevokeRecoveryKit':
    case 'ResetByRecoveryKit':
      return decideRecoveryKit(state, command)
    default:
      return isPremiumCommand(command) ? decidePremium(state, command) : decideStanding(state, command)
  }
}
