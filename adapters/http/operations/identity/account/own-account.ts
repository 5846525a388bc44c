import { getCurrentUser } from '../../../../../application/identity/accounts/current-user.ts'
import { acceptTerms } from '../../../../../application/identity/own-account/accept-terms.ts'
import { changeOwnAccount } from '../../../../../application/identity/own-account/change-own-account.ts'
import { deleteOwnAccount, disableOwnAccount } from '../../../../../application/identity/own-account/leave-account.ts'
import { accounts } from '../../../callers.ts'
import { perUser } from '../../../bucket.ts'
import { none, operation, type Operation } from '../../../operation.ts'
import { accountPatch, termsAcceptance } from '../../../schemas/identity/account/own-account.ts'
import { alwaysSudo, alwaysSudoWithoutProof, sudoOnDemand } from '../../../sudo.ts'
import { privateUserSchema } from '../../../../../application/wire-objects/identity/user-objects.ts'

const hour_s = 3600

/** Shared by the account and its settings. */
export const currentUserReads = perUser('user:settings:get', { requests: 40, seconds: 10 })

/** Shared by all operations that modify the account's own data. */
const updates = perUser('user:update', { requests: 20, seconds: 60 })

const getCurrentUserOperation = operation({
  name: 'Get current user',
  description: "The caller's own account.",
  route: 'GET /v1/users/@me',
  callers: accounts({ bots: true, scope: 'identify' }),
  bucket: currentUserReads,
  replies: { 200: privateUserSchema },
  useCase: getCurrentUser,
  handle: ({ caller }, run) => run(caller),
})

const modifyCurrentUserOperation = operation({
  name: 'Modify current user',
  description: "Changes the caller's own account; a bot changes its username, avatar, banner and bio.",
  route: 'PATCH /v1/users/@me',
  callers: accounts({ bots: true }),
  bucket: updates,
  body: accountPatch,
  exampleBody: { bio: 'Mathematician' },
  takesImage: true,
  sudo: sudoOnDemand,
  replies: { 200: privateUserSchema },
  refuses: [
    'CONFLICT',
    'EMAIL_UNAVAILABLE_ON_INSTANCE',
    'MISSING_ACCESS',
    'PROFILE_EMAIL_VERIFICATION_REQUIRED',
    'USERNAME_NOT_AVAILABLE',
  ],
  useCase: changeOwnAccount,
  handle: ({ caller, body, proveSudo }, run) => run(caller, body, proveSudo),
})

const disableCurrentUserOperation = operation({
  name: 'Disable current user',
  description: "Disables the caller's account and ends all its sessions; signing in enables it again.",
  route: 'POST /v1/users/@me/disable',
  callers: accounts(),
  bucket: perUser('user:account:disable', { requests: 5, seconds: hour_s }),
  sudo: alwaysSudoWithoutProof,
  replies: { 204: none },
  useCase: disableOwnAccount,
  handle: ({ caller }, run) => run(caller),
})

const deleteCurrentUserOperation = operation({
  name: 'Delete current user',
  description:
    "Schedules the deletion of the caller's account, ends all its sessions and mails the date; signing in before then cancels the deletion.",
  route: 'POST /v1/users/@me/delete',
  callers: accounts(),
  bucket: perUser('user:account:delete', { requests: 5, seconds: hour_s }),
  sudo: alwaysSudo,
  replies: { 204: none },
  refuses: ['USER_OWNS_GUILDS'],
  useCase: deleteOwnAccount,
  handle: ({ caller }, run) => run(caller),
})

const acceptTermsOperation = operation({
  name: 'Accept terms',
  description: 'Records that the caller accepts the terms and the privacy policy now.',
  route: 'POST /v1/users/@me/terms-acceptance',
  callers: accounts(),
  bucket: updates,
  body: termsAcceptance,
  keepsNoText: true,
  replies: { 200: privateUserSchema },
  useCase: acceptTerms,
  handle: ({ caller }, run) => run(caller),
})

/** The caller's own account. */
export const ownAccountOperations: readonly Operation[] = [
  getCurrentUserOperation,
  modifyCurrentUserOperation,
  disableCurrentUserOperation,
  deleteCurrentUserOperation,
  acceptTermsOperation,
]
