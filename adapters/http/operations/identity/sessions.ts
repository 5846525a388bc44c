import { accounts } from '../../callers.js'
import { perUser } from '../../bucket.js'
import { none, operation } from '../../operation.js'
import { authSessions, endedSessions } from '../../schemas/identity/sessions.js'
import { alwaysSudo } from '../../sudo.js'

export const listOwnSessionsOperation = operation({
  name: 'List own sessions',
  route: 'GET /v1/auth/sessions',
  callers: accounts(),
  bucket: perUser('auth:sessions', { requests: 40, seconds: 10 }),
  params: none,
  query: none,
  body: none,
  replies: { 200: authSessions },
  handle: ({ caller }, { sessions }) => sessions.listOwn(caller),
})

export const endOwnSessionsOperation = operation({
  name: 'End own sessions',
  route: 'POST /v1/auth/sessions/logout',
  callers: accounts(),
  bucket: perUser('auth:sessions:logout', { requests: 20, seconds: 10 }),
  params: none,
  query: none,
  body: endedSessions,
  keepsNoText: true,
  replies: { 204: none },
  sudo: alwaysSudo,
  handle: ({ caller, body }, { sessions }) => sessions.endOwn(caller, body.tokenHashes),
})

/** No operation of the reference: decision 53. */
export const signOutEverywhereOperation = operation({
  name: 'Sign out everywhere',
  route: 'POST /v1/auth/sessions/logout-all',
  callers: accounts(),
  bucket: perUser('auth:sessions:logout_all', { requests: 5, seconds: 60 }),
  params: none,
  query: none,
  body: none,
  replies: { 204: none },
  sudo: alwaysSudo,
  handle: ({ caller }, { sessions }) => sessions.signOutEverywhere(caller),
})
