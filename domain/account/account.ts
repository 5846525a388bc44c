import { refuse, type Decider, type Decision } from '../kernel/decider.js'
import type { AccountCommand } from './commands.js'
import {
  acceptTerms,
  changeEmailAddress,
  changePassword,
  changeProfile,
  changeTag,
  grantAcls,
  register,
  revertEmailAddress,
  verifyEmailAddress,
} from './decide-identity.js'
import {
  choosePasskeys,
  disableTotp,
  enableTotp,
  issueBackupCodes,
  proveSecondFactor,
  registerCredential,
  removeCredential,
  renameCredential,
} from './decide-second-factors.js'
import { disable, endSession, endSessions, returnTo, scheduleSelfDeletion, startSession } from './decide-sessions.js'
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
  if (state.status === 'registered') return decideRegistered(state, command)
  // Ending a session that is not there changes nothing, whoever's it was.
  return command.type === 'EndSession' ? { outcome: 'accepted', events: [] } : refuse('UNKNOWN_USER')
}

type LaterCommand = Exclude<AccountCommand, { readonly type: 'RegisterAccount' }>

function decideRegistered(state: Account, command: LaterCommand): Decision<AccountEvent> {
  switch (command.type) {
    case 'StartSession':
      return startSession(state, command)
    case 'EndSession':
      return endSession(state, command)
    case 'EndSessions':
      return endSessions(state, command)
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
    case 'AcceptTerms':
      return acceptTerms(state, command)
    case 'EnableTotp':
      return enableTotp(state, command)
    case 'DisableTotp':
      return disableTotp(state, command)
    case 'IssueBackupCodes':
      return issueBackupCodes(state, command)
    case 'ProveSecondFactor':
      return proveSecondFactor(state, command)
    case 'RegisterWebAuthnCredential':
      return registerCredential(state, command)
    case 'RenameWebAuthnCredential':
      return renameCredential(state, command)
    case 'RemoveWebAuthnCredential':
      return removeCredential(state, command)
    case 'ChoosePasskeys':
      return choosePasskeys(state, command)
  }
}
