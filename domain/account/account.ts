import { accountId } from '../ids/ids.ts'
import { snowflake } from '../ids/snowflake.ts'
import { aggregate } from '../kernel/aggregate-definition.ts'
import { accept, decideBy, refuse, type Decision, type Decisions } from '../kernel/decider.ts'
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
import { recoveryKitDecisions } from './decisions/decide-recovery-kit.ts'
import { secondFactorDecisions } from './decisions/decide-second-factors.ts'
import { sessionDecisions } from './decisions/decide-sessions.ts'
import { standingDecisions } from './decisions/decide-standing.ts'
import { linkSingleSignOn } from './decisions/decide-single-sign-on.ts'
import { chooseVoiceActivitySharing } from './decisions/decide-voice-activity.ts'
import { premiumDecisions } from '../premium/decide-premium.ts'
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
  if (isAfterErasure(command)) return decideBy(decisionsAfterErasure, state, command)
  if (state.status === 'registered') {
    if (isMeantForOthers(state, command)) return refuse('CONFLICT')
    return isLate(state, command) ? refuse('UNAUTHORIZED') : decideBy(decisions, state, command)
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

type AfterErasure = Extract<
  AccountCommand,
  { readonly type: 'FinishErasure' | 'NoteMessagesAnonymised' | 'CreateAnonymousAccount' }
>

function isAfterErasure(command: AccountCommand): command is AfterErasure {
  return Object.hasOwn(decisionsAfterErasure, command.type)
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

/** How each command is decided while somebody holds the account. */
const decisions: Decisions<Account, LaterCommand, AccountEvent> = {
  ...sessionDecisions,
  ...secondFactorDecisions,
  ...recoveryKitDecisions,
  ...standingDecisions,
  ...premiumDecisions,
  GrantAcls: grantAcls,
  SetAcls: setAcls,
  ChangeTag: changeTag,
  ChangeProfile: changeProfile,
  ChangePassword: changePassword,
  RenewPasswordHash: renewPasswordHash,
  ChangeEmailAddress: changeEmailAddress,
  VerifyEmailAddress: verifyEmailAddress,
  RevertEmailAddress: revertEmailAddress,
  MarkEmailAddressBounced: markEmailAddressBounced,
  AcceptTerms: acceptTerms,
  ChooseVoiceActivitySharing: chooseVoiceActivitySharing,
  LinkSingleSignOn: linkSingleSignOn,
  ApproveRegistration: approveRegistration,
  RejectRegistration: rejectRegistration,
  StartErasure: startErasure,
  EraseBot: eraseBot,
}

/** How each command is decided whatever has become of the account. */
const decisionsAfterErasure: Decisions<AccountState, AfterErasure, AccountEvent> = {
  FinishErasure: finishErasure,
  NoteMessagesAnonymised: noteMessagesAnonymised,
  CreateAnonymousAccount: createAnonymousAccount,
}
