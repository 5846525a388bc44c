import { signOutEverywhere } from '../../../../application/identity/sessions/sign-out-everywhere.ts'
import { endOwnSessions } from '../../../../application/identity/sessions/end-own-sessions.ts'
import { listOwnSessions } from '../../../../application/identity/sessions/list-own-sessions.ts'
import { accounts } from '../../callers.ts'
import { perUser } from '../../bucket.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { authSessions, endedSessions } from '../../schemas/identity/sessions.ts'
import { alwaysSudo } from '../../sudo.ts'

const listOwnSessionsOperation = operation({
  name: 'List own sessions',
  description: "The live sessions of the caller's account, latest activity first.",
  route: 'GET /v1/auth/sessions',
  callers: accounts(),
  bucket: perUser('auth:sessions', { requests: 40, seconds: 10 }),
  replies: { 200: authSessions },
  useCase: listOwnSessions,
  handle: ({ caller }, run) => run(caller),
})

const endOwnSessionsOperation = operation({
  name: 'End own sessions',
  description: "Ends the sessions of the caller's account that have these hashes; ignores other hashes.",
  route: 'POST /v1/auth/sessions/logout',
  callers: accounts(),
  bucket: perUser('auth:sessions:logout', { requests: 20, seconds: 10 }),
  body: endedSessions,
  keepsNoText: true,
  replies: { 204: none },
  sudo: alwaysSudo,
  useCase: endOwnSessions,
  handle: ({ caller, body }, run) => run(caller, body.tokenHashes),
})

/** Beyond ending single sessions, it ends what acts for the account elsewhere (decision 159). */
const signOutEverywhereOperation = operation({
  name: 'Sign out everywhere',
  description:
    "Ends every session of the caller's account, and everything else that acts for it: authorisations, handoffs, bot tokens.",
  route: 'POST /v1/auth/sessions/logout-all',
  callers: accounts(),
  bucket: perUser('auth:sessions:logout_all', { requests: 5, seconds: 60 }),
  replies: { 204: none },
  sudo: alwaysSudo,
  useCase: signOutEverywhere,
  handle: ({ caller }, run) => run(caller),
})

/** The sessions of an account. */
export const sessionOperations: readonly Operation[] = [
  listOwnSessionsOperation,
  endOwnSessionsOperation,
  signOutEverywhereOperation,
]
