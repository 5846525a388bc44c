import type { Operation } from '../../operation.js'
import { completeWithTotpOperation, loginOperation, logoutOperation, registerOperation } from './auth.js'
import { disableTotpOperation, enableTotpOperation, getBackupCodesOperation, listSudoMethodsOperation } from './mfa.js'
import {
  regenerateBackupCodesOperation,
  resendBackupCodesChallengeOperation,
  startBackupCodesChallengeOperation,
  verifyBackupCodesChallengeOperation,
} from './backup-codes-challenge.js'
import { endOwnSessionsOperation, listOwnSessionsOperation, signOutEverywhereOperation } from './sessions.js'
import {
  forgotPasswordOperation,
  resendVerificationOperation,
  resetPasswordOperation,
  resetTokenValidityOperation,
  revertEmailAddressOperation,
  suggestUsernamesOperation,
  verifyEmailAddressOperation,
} from './recovery.js'
import {
  cancelHandoffOperation,
  completeHandoffOperation,
  fetchHandoffOperation,
  getHandoffInfoOperation,
  getHandoffStatusOperation,
  startHandoffOperation,
} from './handoff.js'
import {
  authorizeIpOperation,
  forgetOwnAddressesOperation,
  pollIpAuthorizationOperation,
  resendIpAuthorizationOperation,
} from './ip-authorization.js'
import { completeSignOnOperation, getSignOnStatusOperation, startSignOnOperation } from './single-sign-on.js'
import {
  completeMfaByPasskeyOperation,
  createDiscoverablePasskeyOptionsOperation,
  createMfaPasskeyOptionsOperation,
  redeemPasskeyBridgeOperation,
  signInByPasskeyOperation,
  startPasskeyBridgeOperation,
} from './passkey-sign-in.js'
import {
  choosePasskeysOperation,
  createRegistrationOptionsOperation,
  createSudoPasskeyOptionsOperation,
  listPasskeysOperation,
  registerPasskeyOperation,
  removePasskeyOperation,
  renamePasskeyOperation,
} from './passkeys.js'
import {
  createRecoveryKitOperation,
  deleteRecoveryKitOperation,
  getRecoveryKitOperation,
  resetByRecoveryKitOperation,
} from './recovery-kit.js'

/** How people come in, prove who they are, and get back what is theirs. */
export const identityOperations: readonly Operation[] = [
  registerOperation,
  loginOperation,
  completeWithTotpOperation,
  logoutOperation,
  enableTotpOperation,
  disableTotpOperation,
  getBackupCodesOperation,
  startBackupCodesChallengeOperation,
  resendBackupCodesChallengeOperation,
  verifyBackupCodesChallengeOperation,
  regenerateBackupCodesOperation,
  listSudoMethodsOperation,
  listOwnSessionsOperation,
  endOwnSessionsOperation,
  signOutEverywhereOperation,
  verifyEmailAddressOperation,
  resendVerificationOperation,
  forgotPasswordOperation,
  resetTokenValidityOperation,
  resetPasswordOperation,
  revertEmailAddressOperation,
  suggestUsernamesOperation,
  startHandoffOperation,
  getHandoffInfoOperation,
  completeHandoffOperation,
  getHandoffStatusOperation,
  fetchHandoffOperation,
  cancelHandoffOperation,
  authorizeIpOperation,
  resendIpAuthorizationOperation,
  pollIpAuthorizationOperation,
  getSignOnStatusOperation,
  startSignOnOperation,
  completeSignOnOperation,
  createMfaPasskeyOptionsOperation,
  completeMfaByPasskeyOperation,
  createDiscoverablePasskeyOptionsOperation,
  signInByPasskeyOperation,
  startPasskeyBridgeOperation,
  redeemPasskeyBridgeOperation,
  forgetOwnAddressesOperation,
  listPasskeysOperation,
  createRegistrationOptionsOperation,
  registerPasskeyOperation,
  renamePasskeyOperation,
  removePasskeyOperation,
  choosePasskeysOperation,
  createSudoPasskeyOptionsOperation,
  getRecoveryKitOperation,
  createRecoveryKitOperation,
  deleteRecoveryKitOperation,
  resetByRecoveryKitOperation,
]
