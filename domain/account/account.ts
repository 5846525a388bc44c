import { accept, refuse, type Decider, type Decision } from '../kernel/decider.js'
import { forgetIpAddresses } from './authorized-networks.js'
import type { AccountCommand } from './commands.js'
import { approveRegistration, rejectRegistration } from './decide-admission.js'
import { finishErasure, startErasure } from './decide-erasure.js'
import {
  acceptTerms,
  changeEmailAddress,
  changePassword,
  changeProfile,
  changeTag,
  grantAcls,
  markEmailAddressBounced,
  register,
  revertEmailAddress,
  verifyEmailAddress,
} from './decide-identity.js'
import { createRecoveryKit, resetByRecoveryKit, revokeRecoveryKit } from './decide-recovery-kit.js'
import { decideSecondFactors } from './decide-second-factors.js'
import { disable, endSession, endSessions, returnTo, scheduleSelfDeletion, startSession } from './decide-sessions.js'
import { linkSingleSignOn } from './decide-single-sign-on.js'
import { chooseVoiceActivitySharing } from './decide-voice-activity.js'
import type { AccountEvent } from './events.js'
import { evolve } from './evolve.js'
import type { Account, AccountState } from './state.js'

/** A person or a bot: identity, credentials, second factors, live sessions and what it may do on the instance. */
export const account: Decider<AccountState, AccountCommand, AccountEvent> = {
  category: 'account',
  initial: { status: 'absent' },
  decide,
  evolve,
}

function decide(state: AccountState, command: AccountCommand): Decision<AccountEvent> {
  if (command.type === 'RegisterAccount') return register(state, command)
  if (command.type === 'FinishErasure') return finishErasure(state, command)
  if (state.status === 'registered') return decideRegistered(state, command)
  if (state.status !== 'absent') return decideErased(command)
  // Ending a session that is not there changes nothing, whoever's it was.
  return command.type === 'EndSession' ? { outcome: 'accepted', events: [] } : refuse('UNKNOWN_USER')
}

/** Nobody has the account any more. That what is gone is to go changes nothing. */
function decideErased(command: LaterCommand): Decision<AccountEvent> {
  return ['StartErasure', 'EndSession', 'EndSessions'].includes(command.type) ? accept() : refuse('UNKNOWN_USER')
}

type LaterCommand = Exclude<AccountCommand, { readonly type: 'RegisterAccount' | 'FinishErasure' }>

function decideRegistered(state: Account, command: LaterCommand): Decision<AccountEvent> {
  switch (command.type) {
    case 'StartSession':
      return startSession(state, command)
    case 'EndSession':
      return endSession(state, command)
    case 'EndSessions':
      return endSessions(state, command)
    case 'ForgetIpAddresses':
      return forgetIpAddresses(state)
    case 'GrantAcls':
      return grantAcls(state, command)
    case 'ChangeTag':
      return changeTag(state, command)
    case 'ChangeProfile':
      return changeProfile(state, command)
    case 'ChangePassword':
      return changePassword(state, command)
    case 'ChangeEmailAddress':
      return changeEmailAddress(state, command)
    case 'VerifyEmailAddress':
      return verifyEmailAddress(state)
    case 'RevertEmailAddress':
      return revertEmailAddress(state, command)
    case 'DisableAccount':
      return disable(state)
    case 'ScheduleSelfDeletion':
      return scheduleSelfDeletion(state, command)
    case 'ReturnToAccount':
      return returnTo(state)
    case 'StartErasure':
      return startErasure(state, command)
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
      return decideSecondFactors(state, command)
    case 'ChooseVoiceActivitySharing':
      return chooseVoiceActivitySharing(state, command)
    case 'LinkSingleSignOn':
      return linkSingleSignOn(state, command)
    case 'ApproveRegistration':
    case 'RejectRegistration':
      return command.type === 'ApproveRegistration' ? approveRegistration(state) : rejectRegistration(state)
    case 'CreateRecoveryKit':
      return createRecoveryKit(state, command)
    case 'RevokeRecoveryKit':
      return revokeRecoveryKit(state)
    case 'ResetByRecoveryKit':
      return resetByRecoveryKit(state, command)
  }
}
