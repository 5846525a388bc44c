import { currentUser } from '../../application/accounts/current-user.js'
import { login } from '../../application/accounts/login.js'
import { logout } from '../../application/accounts/logout.js'
import { register } from '../../application/accounts/register.js'
import { suggestUsernames } from '../../application/accounts/suggest-usernames.js'
import { readAuditLog } from '../../application/audit-log/read-audit-log.js'
import { createGuild } from '../../application/guilds/create-guild.js'
import { deleteGuild } from '../../application/guilds/delete-guild.js'
import { getGuild } from '../../application/guilds/get-guild.js'
import { leaveGuild } from '../../application/guilds/leave-guild.js'
import { listOwnGuilds } from '../../application/guilds/list-own-guilds.js'
import { completeHandoff, handoffInfo } from '../../application/handoff/complete-handoff.js'
import { cancelHandoff, fetchHandoff, handoffStatus, startHandoff } from '../../application/handoff/wait-for-handoff.js'
import { botGateway } from '../../application/instance/bot-gateway.js'
import { discoveryDocument } from '../../application/instance/discovery-document.js'
import { whereSignInIsBy } from '../../application/instance/sign-in-style.js'
import { acceptInvite } from '../../application/invites/accept-invite.js'
import { createChannelInvite } from '../../application/invites/create-channel-invite.js'
import { deleteInvite } from '../../application/invites/delete-invite.js'
import { getInvite } from '../../application/invites/get-invite.js'
import { listChannelInvites, listGuildInvites } from '../../application/invites/list-invites.js'
import { acceptTerms } from '../../application/own-account/accept-terms.js'
import { changeOwnAccount } from '../../application/own-account/change-own-account.js'
import { deleteOwnAccount, disableOwnAccount } from '../../application/own-account/leave-account.js'
import { getProfile } from '../../application/own-account/get-profile.js'
import { checkTag, getUser } from '../../application/own-account/read-users.js'
import {
  proveReplacingAddress,
  replaceBouncedAddress,
  resendToReplacingAddress,
} from '../../application/own-account/ticketed/change-bounced-address.js'
import { applyEmailChange } from '../../application/own-account/ticketed/apply-email-change.js'
import {
  completePasswordChange,
  resendPasswordChange,
  startPasswordChange,
  verifyPasswordChange,
} from '../../application/own-account/ticketed/password-change.js'
import {
  proveNewAddress,
  requestNewAddress,
  resendToNewAddress,
} from '../../application/own-account/ticketed/prove-new-address.js'
import {
  provePresentAddress,
  resendToPresentAddress,
  startEmailChange,
} from '../../application/own-account/ticketed/prove-present-address.js'
import { choosePasskeys, removePasskey, renamePasskey } from '../../application/passkeys/change-passkeys.js'
import { completeMfaByPasskey, mfaPasskeyOptions } from '../../application/passkeys/complete-mfa-by-passkey.js'
import { listPasskeys } from '../../application/passkeys/list-passkeys.js'
import { redeemPasskeyBridge, startPasskeyBridge } from '../../application/passkeys/passkey-bridge.js'
import { passkeyRegistrationOptions, registerPasskey } from '../../application/passkeys/register-passkey.js'
import { discoverablePasskeyOptions, signInByPasskey } from '../../application/passkeys/sign-in-by-passkey.js'
import { sudoPasskeyOptions } from '../../application/passkeys/sudo-by-passkey.js'
import { authorizeIp } from '../../application/ip-authorization/authorize-ip.js'
import { forgetOwnAddresses } from '../../application/ip-authorization/forget-own-addresses.js'
import {
  pollIpAuthorization,
  resendIpAuthorization,
} from '../../application/ip-authorization/wait-for-authorization.js'
import type { Ports } from '../../application/ports.js'
import {
  regenerateByChallenge,
  resendBackupCodesChallenge,
  startBackupCodesChallenge,
  verifyBackupCodesChallenge,
} from '../../application/second-factors/backup-codes-challenge.js'
import { backupCodes } from '../../application/second-factors/backup-codes.js'
import { completeWithTotp } from '../../application/second-factors/complete-with-totp.js'
import { disableTotp } from '../../application/second-factors/disable-totp.js'
import { enableTotp } from '../../application/second-factors/enable-totp.js'
import { sudoMethods } from '../../application/sudo/sudo-methods.js'
import { forgotPassword } from '../../application/recovery/forgot-password.js'
import { createRecoveryKit, recoveryKitStatus, revokeRecoveryKit } from '../../application/recovery/recovery-kit.js'
import { resetByRecoveryKit } from '../../application/recovery/reset-by-recovery-kit.js'
import { resetPassword, resetTokenValidity } from '../../application/recovery/reset-password.js'
import { revertEmailAddress } from '../../application/recovery/revert-email-address.js'
import { resendVerification, verifyEmailAddress } from '../../application/recovery/verify-email-address.js'
import { completeSignOn } from '../../application/single-sign-on/complete-sign-on.js'
import { signOnStatus } from '../../application/single-sign-on/sign-on-policy.js'
import { startSignOn } from '../../application/single-sign-on/start-sign-on.js'
import { endOwnSessions } from '../../application/sessions/end-own-sessions.js'
import { listOwnSessions } from '../../application/sessions/list-own-sessions.js'
import { sudoProofToSend, verifySudo } from '../../application/sudo/verify-sudo.js'
import { changeUserGuildSettings } from '../../application/user-settings/change-user-guild-settings.js'
import { changeUserSettings } from '../../application/user-settings/change-user-settings.js'
import { readUserSettings } from '../../application/user-settings/read-user-settings.js'
import { shareVoiceActivity } from '../../application/user-settings/share-voice-activity.js'

/** Every use case, given its ports once at start. */
export function useCases(ports: Ports) {
  return {
    accounts: {
      current: currentUser,
      login: login(ports),
      logout: logout(ports),
      register: register(ports),
      suggestUsernames: suggestUsernames(ports),
    },
    auditLogs: {
      read: readAuditLog(ports),
    },
    guilds: {
      create: createGuild(ports),
      delete: deleteGuild(ports),
      get: getGuild(ports),
      leave: leaveGuild(ports),
      listOwn: listOwnGuilds(ports),
    },
    instance: {
      botGateway: botGateway(ports),
      discoveryDocument: discoveryDocument(ports),
    },
    invites: {
      accept: acceptInvite(ports),
      createForChannel: createChannelInvite(ports),
      delete: deleteInvite(ports),
      get: getInvite(ports),
      listForChannel: listChannelInvites(ports),
      listForGuild: listGuildInvites(ports),
    },
    ...identityUseCases(ports),
  }
}

/** How people get back what is theirs, and manage it. */
function identityUseCases(ports: Ports) {
  const byEmail = whereSignInIsBy('email', ports)
  return {
    recovery: {
      forgotPassword: byEmail(forgotPassword(ports)),
      resendVerification: byEmail(resendVerification(ports)),
      resetPassword: resetPassword(ports),
      resetTokenValidity: resetTokenValidity(ports),
      revertEmailAddress: byEmail(revertEmailAddress(ports)),
      verifyEmailAddress: byEmail(verifyEmailAddress(ports)),
    },
    sessions: {
      endOwn: endOwnSessions(ports),
      listOwn: listOwnSessions(ports),
    },
    ownAccount: {
      acceptTerms: acceptTerms(ports),
      applyEmailChange: byEmail(applyEmailChange(ports)),
      change: changeOwnAccount(ports),
      completePasswordChange: byEmail(completePasswordChange(ports)),
      delete: deleteOwnAccount(ports),
      disable: disableOwnAccount(ports),
      proveNewAddress: byEmail(proveNewAddress(ports)),
      proveReplacingAddress: byEmail(proveReplacingAddress(ports)),
      replaceBouncedAddress: byEmail(replaceBouncedAddress(ports)),
      resendToReplacingAddress: byEmail(resendToReplacingAddress(ports)),
      provePresentAddress: byEmail(provePresentAddress(ports)),
      requestNewAddress: byEmail(requestNewAddress(ports)),
      resendPasswordChange: byEmail(resendPasswordChange(ports)),
      resendToNewAddress: byEmail(resendToNewAddress(ports)),
      resendToPresentAddress: byEmail(resendToPresentAddress(ports)),
      startEmailChange: byEmail(startEmailChange(ports)),
      startPasswordChange: byEmail(startPasswordChange(ports)),
      verifyPasswordChange: byEmail(verifyPasswordChange(ports)),
    },
    singleSignOn: {
      complete: completeSignOn(ports),
      start: startSignOn(ports),
      status: signOnStatus(ports),
    },
    userSettings: {
      change: changeUserSettings(ports),
      changeForGuild: changeUserGuildSettings(ports),
      read: readUserSettings(ports),
      shareVoiceActivity: shareVoiceActivity(ports),
    },
    users: {
      checkTag: checkTag(ports),
      get: getUser(ports),
      getProfile: getProfile(ports),
    },
    ...handoffUseCases(ports),
    ...provingUseCases(ports),
  }
}

/** How a device is signed in by another one. */
function handoffUseCases(ports: Ports) {
  return {
    handoffs: {
      cancel: cancelHandoff(ports),
      complete: completeHandoff(ports),
      fetch: fetchHandoff(ports),
      info: handoffInfo(ports),
      start: startHandoff(ports),
      status: handoffStatus(ports),
    },
  }
}

/** By what else than a password people prove who they are. */
function provingUseCases(ports: Ports) {
  const byEmail = whereSignInIsBy('email', ports)
  const byUsername = whereSignInIsBy('username', ports)
  return {
    passkeys: {
      choose: choosePasskeys(ports),
      completeMfa: completeMfaByPasskey(ports),
      bridge: { start: startPasskeyBridge(ports), redeem: redeemPasskeyBridge(ports) },
      discoverableOptions: discoverablePasskeyOptions(ports),
      list: listPasskeys(ports),
      mfaOptions: mfaPasskeyOptions(ports),
      register: registerPasskey(ports),
      registrationOptions: passkeyRegistrationOptions(ports),
      remove: removePasskey(ports),
      rename: renamePasskey(ports),
      signIn: signInByPasskey(ports),
      sudoOptions: sudoPasskeyOptions(ports),
    },
    recoveryKits: {
      create: byUsername(createRecoveryKit(ports)),
      reset: byUsername(resetByRecoveryKit(ports)),
      revoke: byUsername(revokeRecoveryKit(ports)),
      status: byUsername(recoveryKitStatus(ports)),
    },
    secondFactors: {
      backupCodes: backupCodes(ports),
      completeWithTotp: completeWithTotp(ports),
      disableTotp: disableTotp(ports),
      enableTotp: enableTotp(ports),
      regenerateByChallenge: byEmail(regenerateByChallenge(ports)),
      resendChallenge: byEmail(resendBackupCodesChallenge(ports)),
      startChallenge: byEmail(startBackupCodesChallenge(ports)),
      verifyChallenge: byEmail(verifyBackupCodesChallenge(ports)),
    },
    ipAuthorization: {
      authorize: authorizeIp(ports),
      forgetOwn: forgetOwnAddresses(ports),
      poll: pollIpAuthorization(ports),
      resend: resendIpAuthorization(ports),
    },
    sudo: {
      methods: sudoMethods(ports),
      verify: verifySudo(ports),
      proofToSend: sudoProofToSend(ports),
    },
  }
}

export type UseCases = ReturnType<typeof useCases>
