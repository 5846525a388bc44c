import { completeHandoff, handoffInfo } from '../../../application/identity/handoff/complete-handoff.js'
import {
  cancelHandoff,
  fetchHandoff,
  handoffStatus,
  startHandoff,
} from '../../../application/identity/handoff/wait-for-handoff.js'
import { whereSignInIsBy } from '../../../application/administration/instance/sign-in-style.js'
import { choosePasskeys, removePasskey, renamePasskey } from '../../../application/identity/passkeys/change-passkeys.js'
import {
  completeMfaByPasskey,
  mfaPasskeyOptions,
} from '../../../application/identity/passkeys/complete-mfa-by-passkey.js'
import { listPasskeys } from '../../../application/identity/passkeys/list-passkeys.js'
import { redeemPasskeyBridge, startPasskeyBridge } from '../../../application/identity/passkeys/passkey-bridge.js'
import { passkeyRegistrationOptions, registerPasskey } from '../../../application/identity/passkeys/register-passkey.js'
import {
  discoverablePasskeyOptions,
  signInByPasskey,
} from '../../../application/identity/passkeys/sign-in-by-passkey.js'
import { sudoPasskeyOptions } from '../../../application/identity/passkeys/sudo-by-passkey.js'
import { authorizeIp } from '../../../application/identity/ip-authorization/authorize-ip.js'
import { forgetOwnAddresses } from '../../../application/identity/ip-authorization/forget-own-addresses.js'
import {
  pollIpAuthorization,
  resendIpAuthorization,
} from '../../../application/identity/ip-authorization/wait-for-authorization.js'
import type { Ports } from '../../../application/ports.js'
import {
  regenerateByChallenge,
  resendBackupCodesChallenge,
  startBackupCodesChallenge,
  verifyBackupCodesChallenge,
} from '../../../application/identity/second-factors/backup-codes-challenge.js'
import { backupCodes } from '../../../application/identity/second-factors/backup-codes.js'
import { completeWithTotp } from '../../../application/identity/second-factors/complete-with-totp.js'
import { disableTotp } from '../../../application/identity/second-factors/disable-totp.js'
import { enableTotp } from '../../../application/identity/second-factors/enable-totp.js'
import { sudoMethods } from '../../../application/identity/sudo/sudo-methods.js'
import {
  createRecoveryKit,
  recoveryKitStatus,
  revokeRecoveryKit,
} from '../../../application/identity/recovery/recovery-kit.js'
import { resetByRecoveryKit } from '../../../application/identity/recovery/reset-by-recovery-kit.js'
import { sudoProofToSend, verifySudo } from '../../../application/identity/sudo/verify-sudo.js'

/** By what else than a password people prove who they are. */
export function provingUseCases(ports: Ports) {
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

/** How a device is signed in by another one. */
export function handoffUseCases(ports: Ports) {
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
