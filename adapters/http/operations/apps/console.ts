import {
  beginConsoleSignIn,
  endConsoleSignIn,
  refreshConsoleSignIn,
} from '../../../../application/apps/console/console-sign-in.ts'
import { perUser } from '../../bucket.ts'
import { anyone } from '../../callers.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { tokenObject } from '../../schemas/apps/replies.ts'
import { consoleCode, keptToken } from '../../schemas/apps/requests.ts'

/** Nobody is signed in yet: it counts by address. */
const signingIn = perUser('console:session', { requests: 120, seconds: 60 })

const beginConsoleSignInOperation = operation({
  name: 'Begin console sign-in',
  description: 'Gives the console an access token for the code of a sign-in.',
  route: 'POST /console/session',
  callers: anyone(),
  bucket: signingIn,
  body: consoleCode,
  keepsNoText: true,
  replies: { 200: tokenObject },
  refuses: ['INVALID_TOKEN', 'UNAUTHORIZED', 'UNKNOWN_APPLICATION'],
  useCase: beginConsoleSignIn,
  handle: ({ caller, body }, run) => run(caller, body),
})

const refreshConsoleSignInOperation = operation({
  name: 'Refresh console sign-in',
  description: 'Gives the console a new access token for the cookie of the sign-in.',
  route: 'POST /console/session/refresh',
  callers: anyone(),
  bucket: signingIn,
  body: keptToken,
  keepsNoText: true,
  replies: { 200: tokenObject },
  refuses: ['INVALID_TOKEN', 'UNAUTHORIZED', 'UNKNOWN_APPLICATION'],
  useCase: refreshConsoleSignIn,
  handle: ({ caller, body }, run) => run(caller, body),
})

const endConsoleSignInOperation = operation({
  name: 'End console sign-in',
  description: 'Ends the sign-in that the cookie belongs to, with its tokens.',
  route: 'DELETE /console/session',
  callers: anyone(),
  bucket: signingIn,
  body: keptToken,
  keepsNoText: true,
  replies: { 204: none },
  useCase: endConsoleSignIn,
  handle: ({ caller, body }, run) => run(caller, body),
})

/** What the routes of the console run. They are no part of the API: only the console's own page sends them. */
export const consoleOperations: readonly Operation[] = [
  beginConsoleSignInOperation,
  refreshConsoleSignInOperation,
  endConsoleSignInOperation,
]
