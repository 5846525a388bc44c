import { applyEmailChange } from '../../../../../application/identity/own-account/ticketed/apply-email-change.ts'
import {
  proveReplacingAddress,
  replaceBouncedAddress,
  resendToReplacingAddress,
} from '../../../../../application/identity/own-account/ticketed/change-bounced-address.ts'
import {
  proveNewAddress,
  requestNewAddress,
  resendToNewAddress,
} from '../../../../../application/identity/own-account/ticketed/prove-new-address.ts'
import {
  provePresentAddress,
  resendToPresentAddress,
  startEmailChange,
} from '../../../../../application/identity/own-account/ticketed/prove-present-address.ts'
import { accounts } from '../../../callers.ts'
import { perUser } from '../../../bucket.ts'
import { none, operation, type Operation } from '../../../operation.ts'
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
} from '../../../schemas/identity/account/own-account.ts'
import { alwaysSudo } from '../../../sudo.ts'
import { privateUserSchema } from '../../../../../application/wire-objects/identity/user-objects.ts'

/** Steps that mail a code, and steps that accept one. */
const mailing = { requests: 10, seconds: 60 }
const proving = { requests: 20, seconds: 60 }

const startEmailChangeOperation = operation({
  name: 'Start e-mail change',
  description: "Starts to change the caller's e-mail address; mails a code to the current one if it is verified.",
  route: 'POST /v1/users/@me/email-change/start',
  callers: accounts(),
  signIn: 'email',
  bucket: perUser('user:email_change:start', mailing),
  replies: { 200: startedEmailChange },
  useCase: startEmailChange,
  handle: ({ caller }, run) => run(caller),
})

const resendToPresentAddressOperation = operation({
  name: 'Resend code to present e-mail address',
  description: 'Mails a new code to the current address; the earlier one becomes invalid.',
  route: 'POST /v1/users/@me/email-change/resend-original',
  callers: accounts(),
  signIn: 'email',
  bucket: perUser('user:email_change:resend_original', mailing),
  body: changeTicket,
  keepsNoText: true,
  replies: { 204: none },
  useCase: resendToPresentAddress,
  handle: ({ caller, body }, run) => run(caller, body.ticket),
})

const provePresentAddressOperation = operation({
  name: 'Verify present e-mail address',
  description: 'Proves the current e-mail address by the code mailed to it.',
  route: 'POST /v1/users/@me/email-change/verify-original',
  callers: accounts(),
  signIn: 'email',
  bucket: perUser('user:email_change:verify_original', proving),
  body: changeCode,
  keepsNoText: true,
  replies: { 200: originalProof },
  useCase: provePresentAddress,
  handle: ({ caller, body }, run) => run(caller, body.ticket, body.code),
})

const requestNewAddressOperation = operation({
  name: 'Request new e-mail address',
  description: 'Mails a code to the new address; a repeated call may name another address.',
  route: 'POST /v1/users/@me/email-change/request-new',
  callers: accounts(),
  signIn: 'email',
  bucket: perUser('user:email_change:request_new', mailing),
  body: newAddress,
  keepsNoText: true,
  replies: { 200: requestedAddress },
  refuses: ['CONTENT_BLOCKED'],
  useCase: requestNewAddress,
  handle: ({ caller, body }, run) => run(caller, body),
})

const resendToNewAddressOperation = operation({
  name: 'Resend code to new e-mail address',
  description: 'Mails a new code to the new address.',
  route: 'POST /v1/users/@me/email-change/resend-new',
  callers: accounts(),
  signIn: 'email',
  bucket: perUser('user:email_change:resend_new', mailing),
  body: changeTicket,
  keepsNoText: true,
  replies: { 204: none },
  useCase: resendToNewAddress,
  handle: ({ caller, body }, run) => run(caller, body.ticket),
})

const proveNewAddressOperation = operation({
  name: 'Verify new e-mail address',
  description: 'Proves the new e-mail address by the code mailed to it, and gives the token that applies the change.',
  route: 'POST /v1/users/@me/email-change/verify-new',
  callers: accounts(),
  signIn: 'email',
  bucket: perUser('user:email_change:verify_new', proving),
  body: newAddressCode,
  keepsNoText: true,
  replies: { 200: issuedEmailToken },
  useCase: proveNewAddress,
  handle: ({ caller, body }, run) => run(caller, body),
})

const applyEmailChangeOperation = operation({
  name: 'Apply e-mail change',
  description: "Changes the address of the caller's account to the one that a token proves; sessions survive.",
  route: 'POST /v1/users/@me/email-change/apply',
  callers: accounts(),
  signIn: 'email',
  bucket: perUser('user:email_change:apply', proving),
  body: emailTokenBody,
  sudo: alwaysSudo,
  keepsNoText: true,
  replies: { 200: privateUserSchema },
  useCase: applyEmailChange,
  handle: ({ caller, body }, run) => run(caller, body.email_token),
})

const replaceBouncedAddressOperation = operation({
  name: 'Request new e-mail address in place of a bounced one',
  description: 'Mails a code to an address that is to replace one that no mail reaches.',
  route: 'POST /v1/users/@me/email-change/bounced/request-new',
  callers: accounts(),
  signIn: 'email',
  bucket: perUser('user:email_change:bounced_request_new', mailing),
  body: replacingAddress,
  keepsNoText: true,
  replies: { 200: requestedAddress },
  refuses: ['CONTENT_BLOCKED'],
  useCase: replaceBouncedAddress,
  handle: ({ caller, body }, run) => run(caller, body.newEmail),
})

const resendToReplacingAddressOperation = operation({
  name: 'Resend code to e-mail address in place of a bounced one',
  description: 'Mails a new code; the earlier one becomes invalid.',
  route: 'POST /v1/users/@me/email-change/bounced/resend-new',
  callers: accounts(),
  signIn: 'email',
  bucket: perUser('user:email_change:bounced_resend_new', mailing),
  body: changeTicket,
  keepsNoText: true,
  replies: { 204: none },
  useCase: resendToReplacingAddress,
  handle: ({ caller, body }, run) => run(caller, body.ticket),
})

const proveReplacingAddressOperation = operation({
  name: 'Verify e-mail address in place of a bounced one',
  description: 'Proves the new address by its code and gives it to the account, verified; sessions survive.',
  route: 'POST /v1/users/@me/email-change/bounced/verify-new',
  callers: accounts(),
  signIn: 'email',
  bucket: perUser('user:email_change:bounced_verify_new', proving),
  body: changeCode,
  keepsNoText: true,
  replies: { 200: privateUserSchema },
  useCase: proveReplacingAddress,
  handle: ({ caller, body }, run) => run(caller, body.ticket, body.code),
})

/** Changing the e-mail address. */
export const emailChangeOperations: readonly Operation[] = [
  startEmailChangeOperation,
  resendToPresentAddressOperation,
  provePresentAddressOperation,
  requestNewAddressOperation,
  resendToNewAddressOperation,
  proveNewAddressOperation,
  applyEmailChangeOperation,
  replaceBouncedAddressOperation,
  resendToReplacingAddressOperation,
  proveReplacingAddressOperation,
]
