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
import { botGateway } from '../../application/instance/bot-gateway.js'
import { discoveryDocument } from '../../application/instance/discovery-document.js'
import { acceptInvite } from '../../application/invites/accept-invite.js'
import { createChannelInvite } from '../../application/invites/create-channel-invite.js'
import { deleteInvite } from '../../application/invites/delete-invite.js'
import { getInvite } from '../../application/invites/get-invite.js'
import { listChannelInvites, listGuildInvites } from '../../application/invites/list-invites.js'
import { acceptTerms } from '../../application/own-account/accept-terms.js'
import { changeOwnAccount } from '../../application/own-account/change-own-account.js'
import { deleteOwnAccount, disableOwnAccount } from '../../application/own-account/leave-account.js'
import { checkTag, getUser } from '../../application/own-account/read-users.js'
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
import { resetPassword, resetTokenValidity } from '../../application/recovery/reset-password.js'
import { revertEmailAddress } from '../../application/recovery/revert-email-address.js'
import { resendVerification, verifyEmailAddress } from '../../application/recovery/verify-email-address.js'
import { endOwnSessions } from '../../application/sessions/end-own-sessions.js'
import { listOwnSessions } from '../../application/sessions/list-own-sessions.js'
import { sudoProofToSend, verifySudo } from '../../application/sudo/verify-sudo.js'

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
  return {
    recovery: {
      forgotPassword: forgotPassword(ports),
      resendVerification: resendVerification(ports),
      resetPassword: resetPassword(ports),
      resetTokenValidity: resetTokenValidity(ports),
      revertEmailAddress: revertEmailAddress(ports),
      verifyEmailAddress: verifyEmailAddress(ports),
    },
    sessions: {
      endOwn: endOwnSessions(ports),
      listOwn: listOwnSessions(ports),
    },
    ownAccount: {
      acceptTerms: acceptTerms(ports),
      applyEmailChange: applyEmailChange(ports),
      change: changeOwnAccount(ports),
      completePasswordChange: completePasswordChange(ports),
      delete: deleteOwnAccount(ports),
      disable: disableOwnAccount(ports),
      proveNewAddress: proveNewAddress(ports),
      provePresentAddress: provePresentAddress(ports),
      requestNewAddress: requestNewAddress(ports),
      resendPasswordChange: resendPasswordChange(ports),
      resendToNewAddress: resendToNewAddress(ports),
      resendToPresentAddress: resendToPresentAddress(ports),
      startEmailChange: startEmailChange(ports),
      startPasswordChange: startPasswordChange(ports),
      verifyPasswordChange: verifyPasswordChange(ports),
    },
    users: {
      checkTag: checkTag(ports),
      get: getUser(ports),
    },
    ...provingUseCases(ports),
  }
}

/** By what else than a password people prove who they are. */
function provingUseCases(ports: Ports) {
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
    secondFactors: {
      backupCodes: backupCodes(ports),
      completeWithTotp: completeWithTotp(ports),
      disableTotp: disableTotp(ports),
      enableTotp: enableTotp(ports),
      regenerateByChallenge: regenerateByChallenge(ports),
      resendChallenge: resendBackupCodesChallenge(ports),
      startChallenge: startBackupCodesChallenge(ports),
      verifyChallenge: verifyBackupCodesChallenge(ports),
    },
    sudo: {
      methods: sudoMethods(ports),
      verify: verifySudo(ports),
      proofToSend: sudoProofToSend(ports),
    },
  }
}

export type UseCases = ReturnType<typeof useCases>
