import { completeHandoff, getHandoffInfo } from '../../../../application/identity/handoff/complete-handoff.ts'
import {
  cancelHandoff,
  fetchHandoff,
  getHandoffStatus,
  startHandoff,
} from '../../../../application/identity/handoff/wait-for-handoff.ts'
import { anyone } from '../../callers.ts'
import { perUser } from '../../bucket.ts'
import { none, operation, type Operation } from '../../operation.ts'
import {
  handoffCode,
  handoffCompletion,
  handoffInfo,
  handoffPoll,
  handoffStatus,
  startedHandoff,
} from '../../schemas/identity/handoff.ts'

const rare = { requests: 10, seconds: 60 }
const polling = perUser('auth:handoff:status', { requests: 60, seconds: 60 })

const startHandoffOperation = operation({
  name: 'Start handoff',
  description: 'Starts to wait for another device to sign this one in.',
  route: 'POST /v1/auth/handoff/initiate',
  callers: anyone(),
  bucket: perUser('auth:handoff:initiate', rare),
  replies: { 200: startedHandoff },
  useCase: startHandoff,
  handle: ({ caller }, run) => run(caller),
})

const getHandoffInfoOperation = operation({
  name: 'Get handoff info',
  description: 'Describes the device that waits under a code.',
  route: 'GET /v1/auth/handoff/:code/info',
  callers: anyone(),
  bucket: perUser('auth:handoff:info', rare),
  params: handoffCode,
  replies: { 200: handoffInfo },
  refuses: ['INVALID_HANDOFF_CODE'],
  useCase: getHandoffInfo,
  handle: ({ caller, params }, run) => run(caller, params.code),
})

/** Reads the Authorization header by its own rules if its body has no token. */
const completeHandoffOperation = operation({
  name: 'Complete handoff',
  description: "Signs in the device that waits under a code, by a session of the caller's account.",
  route: 'POST /v1/auth/handoff/complete',
  callers: anyone(),
  bucket: perUser('auth:handoff:complete', rare),
  body: handoffCompletion,
  keepsNoText: true,
  replies: { 204: none },
  refuses: [
    'ACCESS_DENIED',
    'ACCOUNT_SUSPENDED_PERMANENTLY',
    'ACCOUNT_SUSPENDED_TEMPORARILY',
    'BOT_USER_AUTH_SESSION_CREATION_DENIED',
    'INVALID_HANDOFF_CODE',
    'INVALID_TOKEN',
    'REGISTRATION_PENDING_APPROVAL',
    'REGISTRATION_REJECTED',
    'SESSION_TOKEN_MISMATCH',
    'UNAUTHORIZED',
  ],
  useCase: completeHandoff,
  handle: ({ caller, body }, run) => run(caller, body),
})

const getHandoffStatusOperation = operation({
  name: 'Get handoff status',
  description: 'Tells whether a code is still valid; a completed one reads as pending.',
  route: 'GET /v1/auth/handoff/:code/status',
  callers: anyone(),
  bucket: polling,
  params: handoffCode,
  replies: { 200: handoffStatus },
  refuses: ['INVALID_HANDOFF_CODE'],
  useCase: getHandoffStatus,
  handle: ({ params }, run) => run(params.code),
})

const fetchHandoffOperation = operation({
  name: 'Fetch handoff',
  description: 'Gives the waiting device its session, once the handoff is completed.',
  route: 'POST /v1/auth/handoff/:code/status',
  callers: anyone(),
  bucket: polling,
  params: handoffCode,
  body: handoffPoll,
  keepsNoText: true,
  replies: { 200: handoffStatus },
  refuses: ['INVALID_HANDOFF_CODE'],
  useCase: fetchHandoff,
  handle: ({ params, body }, run) => run(params.code, body.poll_secret),
})

const cancelHandoffOperation = operation({
  name: 'Cancel handoff',
  description: 'Cancels the handoff of a code, whoever asks.',
  route: 'DELETE /v1/auth/handoff/:code',
  callers: anyone(),
  bucket: perUser('auth:handoff:cancel', rare),
  params: handoffCode,
  replies: { 204: none },
  refuses: ['INVALID_HANDOFF_CODE'],
  useCase: cancelHandoff,
  handle: ({ params }, run) => run(params.code),
})

/** Signing in a device from another one. */
export const handoffOperations: readonly Operation[] = [
  startHandoffOperation,
  getHandoffInfoOperation,
  completeHandoffOperation,
  getHandoffStatusOperation,
  fetchHandoffOperation,
  cancelHandoffOperation,
]
