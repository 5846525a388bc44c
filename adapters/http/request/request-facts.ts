import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { lengthOf, normalised } from '../../../domain/text/normalise.ts'
import type { Delivery } from '../delivery.ts'
import { sudoHeader } from '../sudo.ts'
import type { ClientAddress } from './client-address.ts'
import { cut, headerText } from './header-text.ts'
import { localeOf } from './locale.ts'

/** What the headers say, for every request and operation alike. */
export interface RequestFacts {
  /** The request's own id in events, logs and traces: a new UUID, so that no two requests share one. */
  readonly id: string
  /** X-Request-ID, if it is an id: 1-128 printable ASCII characters. The client may send the same one again. */
  readonly clientRequestId: string | undefined
  /** The X-Request-ID of the answer: the client's own, unchanged, if it is ASCII, otherwise `id`. */
  readonly echoedId: string
  readonly ip: string
  readonly userAgent: string | null
  readonly capabilities: ReadonlySet<string>
  readonly locale: string
  /** X-Audit-Log-Reason. */
  readonly reason: string | undefined
  readonly authorization: string | undefined
  /** X-Service-Sudo-Mode-JWT. */
  readonly sudoProof: string | null
  /** As it was sent. idempotencyKey of ../idempotency checks it. */
  readonly idempotencyKey: string | undefined
  /** X-GitHub-Event and X-GitHub-Delivery. */
  readonly delivery: Delivery
}

const userAgent_max = 512
const reason_max = 512
const capabilities_max = 64

export function requestFacts(raw: IncomingMessage, addressOf: ClientAddress): RequestFacts {
  const { headers } = raw
  const userAgent = headers['user-agent']
  const chosenId = one(headers['x-request-id'])
  const id = randomUUID()
  return {
    id,
    clientRequestId: clientRequestId(chosenId),
    echoedId: chosenId !== undefined && canBeSent(chosenId) ? chosenId : id,
    ip: addressOf(raw.socket.remoteAddress, one(headers['x-forwarded-for'])),
    userAgent: userAgent === undefined ? null : cut(headerText(userAgent), userAgent_max),
    capabilities: capabilitiesOf(one(headers['x-service-features'])),
    locale: localeOf(headers['accept-language']),
    reason: auditLogReason(one(headers['x-audit-log-reason'])),
    authorization: headers.authorization,
    sudoProof: one(headers[sudoHeader]) ?? null,
    idempotencyKey: one(headers['idempotency-key']),
    delivery: { event: one(headers['x-github-event']) ?? null, id: deliveryId(one(headers['x-github-delivery'])) },
  }
}

/** An id of up to 128 printable characters; null for anything else. */
function deliveryId(given: string | undefined): string | null {
  return clientRequestId(given) ?? null
}

/** Node joins most repeated headers; this type remains for those that it does not join. */
function one(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' || value === undefined ? value : value.join(', ')
}

/** Non-empty ASCII: Node writes other characters of a header in another encoding than it reads them in. */
function canBeSent(text: string): boolean {
  return /^[\t\x20-\x7e]+$/.test(text)
}

/** The id that a client chose; undefined where it is none. */
export function clientRequestId(given: string | undefined): string | undefined {
  return given !== undefined && /^[\x21-\x7e]{1,128}$/.test(given) ? given : undefined
}

/** Names of `[a-z0-9_]`, in lower case, the first 64. Other names are no capability and are left out. */
export function capabilitiesOf(header: string | undefined): ReadonlySet<string> {
  const names = (header ?? '').split(',').map((name) => name.trim().toLowerCase())
  return new Set(names.filter((name) => /^[a-z0-9_]{1,64}$/.test(name)).slice(0, capabilities_max))
}

/**
 * The reason for the audit log: verbatim, but trimmed and without control characters and right-to-left overrides. A reason that
 * is then blank or longer than 512 characters counts as absent.
 */
export function auditLogReason(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const reason = normalised(headerText(header).replace(/\p{Cc}/gu, ''))
  return reason !== '' && lengthOf(reason) <= reason_max ? reason : undefined
}
