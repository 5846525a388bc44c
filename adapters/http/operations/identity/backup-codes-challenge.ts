import {
  regenerateByChallenge,
  resendBackupCodesChallenge,
  startBackupCodesChallenge,
  verifyBackupCodesChallenge,
} from '../../../../application/identity/second-factors/backup-codes-challenge.ts'
import { accounts } from '../../callers.ts'
import { perUser } from '../../bucket.ts'
import { none, operation, type Operation } from '../../operation.ts'
import {
  backupCodesOutput,
  challengeAnswer,
  challengeProof,
  challengeTicket,
  startedChallenge,
  verifiedBackupCodes,
} from '../../schemas/identity/mfa.ts'

const minute_s = 60

const startBackupCodesChallengeOperation = operation({
  name: 'Start backup codes challenge',
  description: 'Mails the caller a code, which shows the backup codes without sudo mode.',
  route: 'POST /v1/users/@me/mfa/backup-codes/challenge',
  callers: accounts(),
  signIn: 'email',
  bucket: perUser('user:mfa:backup_codes_challenge:start', { requests: 6, seconds: minute_s }),
  replies: { 200: startedChallenge },
  refuses: ['MFA_EMAIL_VERIFICATION_REQUIRED', 'TWO_FACTOR_REQUIRED'],
  useCase: startBackupCodesChallenge,
  handle: ({ caller }, run) => run(caller),
})

const resendBackupCodesChallengeOperation = operation({
  name: 'Resend backup codes challenge',
  description: 'Mails a new code; the earlier one becomes invalid.',
  route: 'POST /v1/users/@me/mfa/backup-codes/challenge/resend',
  callers: accounts(),
  signIn: 'email',
  bucket: perUser('user:mfa:backup_codes_challenge:resend', { requests: 6, seconds: minute_s }),
  body: challengeTicket,
  keepsNoText: true,
  replies: { 204: none },
  useCase: resendBackupCodesChallenge,
  handle: ({ caller, body }, run) => run(caller, body.ticket),
})

const verifyBackupCodesChallengeOperation = operation({
  name: 'Verify backup codes challenge',
  description: 'Uses up the mailed code, and gives the proof that the backup codes are shown for.',
  route: 'POST /v1/users/@me/mfa/backup-codes/challenge/verify',
  callers: accounts(),
  signIn: 'email',
  bucket: perUser('user:mfa:backup_codes_challenge:verify', { requests: 20, seconds: minute_s }),
  body: challengeAnswer,
  keepsNoText: true,
  replies: { 200: verifiedBackupCodes },
  useCase: verifyBackupCodesChallenge,
  handle: ({ caller, body }, run) => run(caller, body.ticket, body.code),
})

const regenerateBackupCodesOperation = operation({
  name: 'Regenerate backup codes by challenge',
  description: 'Replaces the backup codes by the proof of the challenge, and ends the challenge.',
  route: 'POST /v1/users/@me/mfa/backup-codes/challenge/regenerate',
  callers: accounts(),
  signIn: 'email',
  bucket: perUser('user:mfa:backup_codes_challenge:regenerate', { requests: 6, seconds: minute_s }),
  body: challengeProof,
  keepsNoText: true,
  replies: { 200: backupCodesOutput },
  refuses: ['TWO_FACTOR_REQUIRED'],
  useCase: regenerateByChallenge,
  handle: ({ caller, body }, run) => run(caller, body.ticket, body.proof),
})

/** New backup codes, confirmed by a mailed code. */
export const backupCodesChallengeOperations: readonly Operation[] = [
  startBackupCodesChallengeOperation,
  resendBackupCodesChallengeOperation,
  verifyBackupCodesChallengeOperation,
  regenerateBackupCodesOperation,
]
