import { accounts } from '../../../callers.js'
import { perUser } from '../../../bucket.js'
import { none, operation } from '../../../operation.js'
import { accountPatch, termsAcceptance } from '../../../schemas/identity/account/own-account.js'
import { currentUser } from '../../../schemas/identity/account/users.js'
import { alwaysSudo, alwaysSudoWithoutProof, sudoOnDemand } from '../../../sudo.js'

const hour_s = 3600

/** Shared by all that changes what the account says of itself (reference identity 6.2 and 6.3). */
const updates = perUser('user:update', { requests: 20, seconds: 60 })

export const modifyCurrentUserOperation = operation({
  name: 'Modify current user',
  route: 'PATCH /v1/users/@me',
  callers: accounts(),
  bucket: updates,
  params: none,
  query: none,
  body: accountPatch,
  takesImage: true,
  sudo: sudoOnDemand,
  replies: { 200: currentUser },
  refuses: ['CONFLICT', 'EMAIL_UNAVAILABLE_ON_INSTANCE', 'MISSING_ACCESS', 'PROFILE_EMAIL_VERIFICATION_REQUIRED'],
  handle: ({ caller, body, proveSudo }, { ownAccount }) => ownAccount.change(caller, body, proveSudo),
})

export const disableCurrentUserOperation = operation({
  name: 'Disable current user',
  route: 'POST /v1/users/@me/disable',
  callers: accounts(),
  bucket: perUser('user:account:disable', { requests: 5, seconds: hour_s }),
  params: none,
  query: none,
  body: none,
  sudo: alwaysSudoWithoutProof,
  replies: { 204: none },
  handle: ({ caller }, { ownAccount }) => ownAccount.disable(caller),
})

export const deleteCurrentUserOperation = operation({
  name: 'Delete current user',
  route: 'POST /v1/users/@me/delete',
  callers: accounts(),
  bucket: perUser('user:account:delete', { requests: 5, seconds: hour_s }),
  params: none,
  query: none,
  body: none,
  sudo: alwaysSudo,
  replies: { 204: none },
  refuses: ['USER_OWNS_GUILDS'],
  handle: ({ caller }, { ownAccount }) => ownAccount.delete(caller),
})

export const acceptTermsOperation = operation({
  name: 'Accept terms',
  route: 'POST /v1/users/@me/terms-acceptance',
  callers: accounts(),
  bucket: updates,
  params: none,
  query: none,
  body: termsAcceptance,
  keepsNoText: true,
  replies: { 200: currentUser },
  handle: ({ caller }, { ownAccount }) => ownAccount.acceptTerms(caller),
})
