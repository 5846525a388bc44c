import { accounts, anyone } from '../../callers.js'
import { perUser } from '../../bucket.js'
import { none, operation } from '../../operation.js'
import { ipAuthorization, ipAuthorizationPoll, waitingTicket } from '../../schemas/identity/ip-authorization.js'
import { alwaysSudo } from '../../sudo.js'

export const authorizeIpOperation = operation({
  name: 'Authorise IP address',
  route: 'POST /v1/auth/authorize-ip',
  callers: anyone(),
  bucket: perUser('auth:authorize_ip', { requests: 5, seconds: 60 }),
  params: none,
  query: none,
  body: ipAuthorization,
  local: true,
  keepsNoText: true,
  replies: { 204: none },
  refuses: [
    'BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED',
    'INVALID_TOKEN',
    'REGISTRATION_PENDING_APPROVAL',
    'REGISTRATION_REJECTED',
    'UNKNOWN_USER',
  ],
  handle: ({ caller, body }, { ipAuthorization: ours }) => ours.authorize(caller, body.token),
})

export const resendIpAuthorizationOperation = operation({
  name: 'Resend IP authorisation e-mail',
  route: 'POST /v1/auth/ip-authorization/resend',
  callers: anyone(),
  bucket: perUser('auth:ip_authorization_resend', { requests: 5, seconds: 60 }),
  params: none,
  query: none,
  body: waitingTicket,
  local: true,
  keepsNoText: true,
  replies: { 204: none },
  refuses: ['IP_AUTHORIZATION_RESEND_COOLDOWN', 'IP_AUTHORIZATION_RESEND_LIMIT_EXCEEDED'],
  handle: ({ caller, body }, { ipAuthorization: ours }) => ours.resend(caller, body.ticket),
})

export const pollIpAuthorizationOperation = operation({
  name: 'Poll IP authorisation',
  route: 'GET /v1/auth/ip-authorization/poll',
  callers: anyone(),
  bucket: perUser('auth:ip_authorization_poll', { requests: 60, seconds: 60 }),
  params: none,
  query: waitingTicket,
  body: none,
  local: true,
  replies: { 200: ipAuthorizationPoll },
  handle: ({ query }, { ipAuthorization: ours }) => ours.poll(query.ticket),
})

export const forgetOwnAddressesOperation = operation({
  name: 'Forget authorised IP addresses',
  route: 'DELETE /v1/users/@me/authorized-ips',
  callers: accounts(),
  bucket: perUser('user:authorized_ips:forget', { requests: 10, seconds: 60 }),
  params: none,
  query: none,
  body: none,
  sudo: alwaysSudo,
  replies: { 204: none },
  handle: ({ caller }, { ipAuthorization: ours }) => ours.forgetOwn(caller),
})
