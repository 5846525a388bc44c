import { authorizeIp } from '../../../../application/identity/ip-authorization/authorize-ip.ts'
import {
  pollIpAuthorization,
  resendIpAuthorization,
} from '../../../../application/identity/ip-authorization/wait-for-authorization.ts'
import { anyone } from '../../callers.ts'
import { perUser } from '../../bucket.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { ipAuthorization, ipAuthorizationPoll, waitingTicket } from '../../schemas/identity/ip-authorization.ts'

const authorizeIpOperation = operation({
  name: 'Authorise IP address',
  description: 'Lets a waiting device in by its mailed token, whoever presents it.',
  route: 'POST /v1/auth/authorize-ip',
  callers: anyone(),
  bucket: perUser('auth:authorize_ip', { requests: 5, seconds: 60 }),
  body: ipAuthorization,
  local: true,
  keepsNoText: true,
  replies: { 204: none },
  refuses: [
    'ACCOUNT_SUSPENDED_PERMANENTLY',
    'ACCOUNT_SUSPENDED_TEMPORARILY',
    'BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED',
    'INVALID_TOKEN',
    'REGISTRATION_PENDING_APPROVAL',
    'REGISTRATION_REJECTED',
    'UNKNOWN_USER',
  ],
  useCase: authorizeIp,
  handle: ({ caller, body }, run) => run(caller, body.token),
})

const resendIpAuthorizationOperation = operation({
  name: 'Resend IP authorisation e-mail',
  description: 'Mails another token for a waiting device, once.',
  route: 'POST /v1/auth/ip-authorization/resend',
  callers: anyone(),
  bucket: perUser('auth:ip_authorization_resend', { requests: 5, seconds: 60 }),
  body: waitingTicket,
  local: true,
  keepsNoText: true,
  replies: { 204: none },
  refuses: ['IP_AUTHORIZATION_RESEND_COOLDOWN', 'IP_AUTHORIZATION_RESEND_LIMIT_EXCEEDED'],
  useCase: resendIpAuthorization,
  handle: ({ caller, body }, run) => run(caller, body.ticket),
})

const pollIpAuthorizationOperation = operation({
  name: 'Poll IP authorisation',
  description: 'The state of a waiting sign-in: the same session each time, for 60 s after its start.',
  route: 'GET /v1/auth/ip-authorization/poll',
  callers: anyone(),
  bucket: perUser('auth:ip_authorization_poll', { requests: 60, seconds: 60 }),
  query: waitingTicket,
  local: true,
  replies: { 200: ipAuthorizationPoll },
  useCase: pollIpAuthorization,
  handle: ({ query }, run) => run(query.ticket),
})

/** Signing in from an address that the account has not used before. */
export const ipAuthorizationOperations: readonly Operation[] = [
  authorizeIpOperation,
  resendIpAuthorizationOperation,
  pollIpAuthorizationOperation,
]
