import { anyone } from '../../callers.js'
import { perUser } from '../../bucket.js'
import { none, operation } from '../../operation.js'
import {
  handoffCode,
  handoffCompletion,
  handoffInfo,
  handoffPoll,
  handoffStatus,
  startedHandoff,
} from '../../schemas/identity/handoff.js'

/** Reference identity 4.2, rows 24-29. */
const rare = { requests: 10, seconds: 60 }
const polling = perUser('auth:handoff:status', { requests: 60, seconds: 60 })

export const startHandoffOperation = operation({
  name: 'Start handoff',
  route: 'POST /v1/auth/handoff/initiate',
  callers: anyone(),
  bucket: perUser('auth:handoff:initiate', rare),
  params: none,
  query: none,
  body: none,
  replies: { 200: startedHandoff },
  handle: ({ caller }, { handoffs }) => handoffs.start(caller),
})

export const getHandoffInfoOperation = operation({
  name: 'Get handoff info',
  route: 'GET /v1/auth/handoff/:code/info',
  callers: anyone(),
  bucket: perUser('auth:handoff:info', rare),
  params: handoffCode,
  query: none,
  body: none,
  replies: { 200: handoffInfo },
  refuses: ['INVALID_HANDOFF_CODE'],
  handle: ({ caller, params }, { handoffs }) => handoffs.info(caller, params.code),
})

/** Reads the Authorization header by rules of its own, where its body has no token. */
export const completeHandoffOperation = operation({
  name: 'Complete handoff',
  route: 'POST /v1/auth/handoff/complete',
  callers: anyone(),
  bucket: perUser('auth:handoff:complete', rare),
  params: none,
  query: none,
  body: handoffCompletion,
  keepsNoText: true,
  replies: { 204: none },
  refuses: [
    'ACCESS_DENIED',
    'BOT_USER_AUTH_SESSION_CREATION_DENIED',
    'INVALID_HANDOFF_CODE',
    'INVALID_TOKEN',
    'REGISTRATION_PENDING_APPROVAL',
    'REGISTRATION_REJECTED',
    'SESSION_TOKEN_MISMATCH',
    'UNAUTHORIZED',
  ],
  handle: ({ caller, body }, { handoffs }) => handoffs.complete(caller, body),
})

export const getHandoffStatusOperation = operation({
  name: 'Get handoff status',
  route: 'GET /v1/auth/handoff/:code/status',
  callers: anyone(),
  bucket: polling,
  params: handoffCode,
  query: none,
  body: none,
  replies: { 200: handoffStatus },
  refuses: ['INVALID_HANDOFF_CODE'],
  handle: ({ params }, { handoffs }) => handoffs.status(params.code),
})

export const fetchHandoffOperation = operation({
  name: 'Fetch handoff',
  route: 'POST /v1/auth/handoff/:code/status',
  callers: anyone(),
  bucket: polling,
  params: handoffCode,
  query: none,
  body: handoffPoll,
  keepsNoText: true,
  replies: { 200: handoffStatus },
  refuses: ['INVALID_HANDOFF_CODE'],
  handle: ({ params, body }, { handoffs }) => handoffs.fetch(params.code, body.poll_secret),
})

export const cancelHandoffOperation = operation({
  name: 'Cancel handoff',
  route: 'DELETE /v1/auth/handoff/:code',
  callers: anyone(),
  bucket: perUser('auth:handoff:cancel', rare),
  params: handoffCode,
  query: none,
  body: none,
  replies: { 204: none },
  refuses: ['INVALID_HANDOFF_CODE'],
  handle: ({ params }, { handoffs }) => handoffs.cancel(params.code),
})
