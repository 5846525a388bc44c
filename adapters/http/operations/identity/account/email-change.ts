import { accounts } from '../../../callers.js'
import { perUser } from '../../../bucket.js'
import { none, operation } from '../../../operation.js'
import {
  changeCode,
  changeTicket,
  emailTokenBody,
  issuedEmailToken,
  newAddress,
  newAddressCode,
  originalProof,
  replacingAddress,
  requestedAddress,
  startedEmailChange,
} from '../../../schemas/identity/account/own-account.js'
import { currentUser } from '../../../schemas/identity/account/users.js'
import { alwaysSudo } from '../../../sudo.js'

/** Reference identity 6.5: steps that mail a code, and steps that take one. */
const mailing = { requests: 10, seconds: 60 }
const proving = { requests: 20, seconds: 60 }

export const startEmailChangeOperation = operation({
  name: 'Start e-mail change',
  route: 'POST /v1/users/@me/email-change/start',
  callers: accounts(),
  bucket: perUser('user:email_change:start', mailing),
  params: none,
  query: none,
  body: none,
  replies: { 200: startedEmailChange },
  refuses: ['EMAIL_UNAVAILABLE_ON_INSTANCE'],
  handle: ({ caller }, { ownAccount }) => ownAccount.startEmailChange(caller),
})

export const resendToPresentAddressOperation = operation({
  name: 'Resend code to present e-mail address',
  route: 'POST /v1/users/@me/email-change/resend-original',
  callers: accounts(),
  bucket: perUser('user:email_change:resend_original', mailing),
  params: none,
  query: none,
  body: changeTicket,
  keepsNoText: true,
  replies: { 204: none },
  refuses: ['EMAIL_UNAVAILABLE_ON_INSTANCE'],
  handle: ({ caller, body }, { ownAccount }) => ownAccount.resendToPresentAddress(caller, body.ticket),
})

export const provePresentAddressOperation = operation({
  name: 'Verify present e-mail address',
  route: 'POST /v1/users/@me/email-change/verify-original',
  callers: accounts(),
  bucket: perUser('user:email_change:verify_original', proving),
  params: none,
  query: none,
  body: changeCode,
  keepsNoText: true,
  replies: { 200: originalProof },
  refuses: ['EMAIL_UNAVAILABLE_ON_INSTANCE'],
  handle: ({ caller, body }, { ownAccount }) => ownAccount.provePresentAddress(caller, body.ticket, body.code),
})

export const requestNewAddressOperation = operation({
  name: 'Request new e-mail address',
  route: 'POST /v1/users/@me/email-change/request-new',
  callers: accounts(),
  bucket: perUser('user:email_change:request_new', mailing),
  params: none,
  query: none,
  body: newAddress,
  keepsNoText: true,
  replies: { 200: requestedAddress },
  refuses: ['CONTENT_BLOCKED', 'EMAIL_UNAVAILABLE_ON_INSTANCE'],
  handle: ({ caller, body }, { ownAccount }) => ownAccount.requestNewAddress(caller, body),
})

export const resendToNewAddressOperation = operation({
  name: 'Resend code to new e-mail address',
  route: 'POST /v1/users/@me/email-change/resend-new',
  callers: accounts(),
  bucket: perUser('user:email_change:resend_new', mailing),
  params: none,
  query: none,
  body: changeTicket,
  keepsNoText: true,
  replies: { 204: none },
  refuses: ['EMAIL_UNAVAILABLE_ON_INSTANCE'],
  handle: ({ caller, body }, { ownAccount }) => ownAccount.resendToNewAddress(caller, body.ticket),
})

export const proveNewAddressOperation = operation({
  name: 'Verify new e-mail address',
  route: 'POST /v1/users/@me/email-change/verify-new',
  callers: accounts(),
  bucket: perUser('user:email_change:verify_new', proving),
  params: none,
  query: none,
  body: newAddressCode,
  keepsNoText: true,
  replies: { 200: issuedEmailToken },
  refuses: ['EMAIL_UNAVAILABLE_ON_INSTANCE'],
  handle: ({ caller, body }, { ownAccount }) => ownAccount.proveNewAddress(caller, body),
})

export const applyEmailChangeOperation = operation({
  name: 'Apply e-mail change',
  route: 'POST /v1/users/@me/email-change/apply',
  callers: accounts(),
  bucket: perUser('user:email_change:apply', proving),
  params: none,
  query: none,
  body: emailTokenBody,
  sudo: alwaysSudo,
  keepsNoText: true,
  replies: { 200: currentUser },
  refuses: ['EMAIL_UNAVAILABLE_ON_INSTANCE'],
  handle: ({ caller, body }, { ownAccount }) => ownAccount.applyEmailChange(caller, body.email_token),
})

export const replaceBouncedAddressOperation = operation({
  name: 'Request new e-mail address in place of a bounced one',
  route: 'POST /v1/users/@me/email-change/bounced/request-new',
  callers: accounts(),
  bucket: perUser('user:email_change:bounced_request_new', mailing),
  params: none,
  query: none,
  body: replacingAddress,
  keepsNoText: true,
  replies: { 200: requestedAddress },
  refuses: ['CONTENT_BLOCKED', 'EMAIL_UNAVAILABLE_ON_INSTANCE'],
  handle: ({ caller, body }, { ownAccount }) => ownAccount.replaceBouncedAddress(caller, body.newEmail),
})

export const resendToReplacingAddressOperation = operation({
  name: 'Resend code to e-mail address in place of a bounced one',
  route: 'POST /v1/users/@me/email-change/bounced/resend-new',
  callers: accounts(),
  bucket: perUser('user:email_change:bounced_resend_new', mailing),
  params: none,
  query: none,
  body: changeTicket,
  keepsNoText: true,
  replies: { 204: none },
  refuses: ['EMAIL_UNAVAILABLE_ON_INSTANCE'],
  handle: ({ caller, body }, { ownAccount }) => ownAccount.resendToReplacingAddress(caller, body.ticket),
})

export const proveReplacingAddressOperation = operation({
  name: 'Verify e-mail address in place of a bounced one',
  route: 'POST /v1/users/@me/email-change/bounced/verify-new',
  callers: accounts(),
  bucket: perUser('user:email_change:bounced_verify_new', proving),
  params: none,
  query: none,
  body: changeCode,
  keepsNoText: true,
  replies: { 200: currentUser },
  refuses: ['EMAIL_UNAVAILABLE_ON_INSTANCE'],
  handle: ({ caller, body }, { ownAccount }) => ownAccount.proveReplacingAddress(caller, body.ticket, body.code),
})
