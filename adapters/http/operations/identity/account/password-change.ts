import { accounts } from '../../../callers.js'
import { perUser } from '../../../bucket.js'
import { none, operation } from '../../../operation.js'
import {
  changeCode,
  changedPassword,
  changeTicket,
  issuedProof,
  newPasswordBody,
  startedPasswordChange,
} from '../../../schemas/identity/account/own-account.js'

const minute_s = 60

/** Reference identity 6.6. */
export const startPasswordChangeOperation = operation({
  name: 'Start password change',
  route: 'POST /v1/users/@me/password-change/start',
  callers: accounts(),
  bucket: perUser('user:password_change:start', { requests: 10, seconds: minute_s }),
  params: none,
  query: none,
  body: none,
  replies: { 200: startedPasswordChange },
  refuses: ['EMAIL_UNAVAILABLE_ON_INSTANCE'],
  handle: ({ caller }, { ownAccount }) => ownAccount.startPasswordChange(caller),
})

export const resendPasswordChangeOperation = operation({
  name: 'Resend password change code',
  route: 'POST /v1/users/@me/password-change/resend',
  callers: accounts(),
  bucket: perUser('user:password_change:resend', { requests: 10, seconds: minute_s }),
  params: none,
  query: none,
  body: changeTicket,
  keepsNoText: true,
  replies: { 204: none },
  refuses: ['EMAIL_UNAVAILABLE_ON_INSTANCE'],
  handle: ({ caller, body }, { ownAccount }) => ownAccount.resendPasswordChange(caller, body.ticket),
})

export const verifyPasswordChangeOperation = operation({
  name: 'Verify password change code',
  route: 'POST /v1/users/@me/password-change/verify',
  callers: accounts(),
  bucket: perUser('user:password_change:verify', { requests: 20, seconds: minute_s }),
  params: none,
  query: none,
  body: changeCode,
  keepsNoText: true,
  replies: { 200: issuedProof },
  refuses: ['EMAIL_UNAVAILABLE_ON_INSTANCE'],
  handle: ({ caller, body }, { ownAccount }) => ownAccount.verifyPasswordChange(caller, body.ticket, body.code),
})

export const completePasswordChangeOperation = operation({
  name: 'Complete password change',
  route: 'POST /v1/users/@me/password-change/complete',
  callers: accounts(),
  bucket: perUser('user:password_change:complete', { requests: 10, seconds: minute_s }),
  params: none,
  query: none,
  body: newPasswordBody,
  keepsNoText: true,
  replies: { 200: changedPassword },
  refuses: ['EMAIL_UNAVAILABLE_ON_INSTANCE'],
  handle: ({ caller, body }, { ownAccount }) => ownAccount.completePasswordChange(caller, body),
})
