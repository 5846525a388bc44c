import {
  completePasswordChange,
  resendPasswordChange,
  startPasswordChange,
  verifyPasswordChange,
} from '../../../../../application/identity/own-account/ticketed/password-change.ts'
import { accounts } from '../../../callers.ts'
import { perUser } from '../../../bucket.ts'
import { none, operation, type Operation } from '../../../operation.ts'
import {
  changeCode,
  changedPassword,
  changeTicket,
  issuedProof,
  newPasswordBody,
  startedPasswordChange,
} from '../../../schemas/identity/account/own-account.ts'

const minute_s = 60

const startPasswordChangeOperation = operation({
  name: 'Start password change',
  description: 'Mails a code that lets the caller choose a new password.',
  route: 'POST /v1/users/@me/password-change/start',
  callers: accounts(),
  signIn: 'email',
  bucket: perUser('user:password_change:start', { requests: 10, seconds: minute_s }),
  replies: { 200: startedPasswordChange },
  useCase: startPasswordChange,
  handle: ({ caller }, run) => run(caller),
})

const resendPasswordChangeOperation = operation({
  name: 'Resend password change code',
  description: 'Mails a new code; the earlier code and its proof become invalid.',
  route: 'POST /v1/users/@me/password-change/resend',
  callers: accounts(),
  signIn: 'email',
  bucket: perUser('user:password_change:resend', { requests: 10, seconds: minute_s }),
  body: changeTicket,
  keepsNoText: true,
  replies: { 204: none },
  useCase: resendPasswordChange,
  handle: ({ caller, body }, run) => run(caller, body.ticket),
})

const verifyPasswordChangeOperation = operation({
  name: 'Verify password change code',
  description: 'Proves the caller by the mailed code, and gives what completes the change.',
  route: 'POST /v1/users/@me/password-change/verify',
  callers: accounts(),
  signIn: 'email',
  bucket: perUser('user:password_change:verify', { requests: 20, seconds: minute_s }),
  body: changeCode,
  keepsNoText: true,
  replies: { 200: issuedProof },
  useCase: verifyPasswordChange,
  handle: ({ caller, body }, run) => run(caller, body.ticket, body.code),
})

const completePasswordChangeOperation = operation({
  name: 'Complete password change',
  description: "Changes the account's password; all sessions end, and a new one starts.",
  route: 'POST /v1/users/@me/password-change/complete',
  callers: accounts(),
  signIn: 'email',
  bucket: perUser('user:password_change:complete', { requests: 10, seconds: minute_s }),
  body: newPasswordBody,
  keepsNoText: true,
  replies: { 200: changedPassword },
  useCase: completePasswordChange,
  handle: ({ caller, body }, run) => run(caller, body),
})

/** Changing the password. */
export const passwordChangeOperations: readonly Operation[] = [
  startPasswordChangeOperation,
  resendPasswordChangeOperation,
  verifyPasswordChangeOperation,
  completePasswordChangeOperation,
]
