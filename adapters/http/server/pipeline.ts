import { sessionOf } from '../../../application/access/by-session.ts'
import { viewerOf } from '../../../application/caller.ts'
import { fileBounds } from '../../../application/access/file-bounds.ts'
import { networkOf, oneClient } from '../../../domain/network/network-of.ts'
import { fileBoundsByToken } from '../../../application/communities/webhooks/by-token/file-bounds-by-token.ts'
import { requireShownToken } from '../../../application/communities/webhooks/by-token/require-by-token.ts'
import type { FileBounds } from '../../../application/ports/attachments.ts'
import type { KeyedQueue } from '../../../application/commands/keyed-queue.ts'
import { Refused, reject } from '../../../application/commands/refused.ts'
import type { ContentFilter } from '../../../application/content-rules/content-filter.ts'
import type { OpenDryRun } from '../../../application/dry-runs/dry-run.ts'
import type { Ports } from '../../../application/ports.ts'
import type { CommandOrigin, CommandOrigins } from '../../../application/ports/command-origins.ts'
import { serviceAmong, type Callers } from '../callers.ts'
import { requireAllowedCaller } from '../authentication/allowed-callers.ts'
import type { Authenticated, ResolveCredential } from '../authentication/credential.ts'
import type { Bucket } from '../bucket.ts'
import type { Idempotency, Outcome } from '../idempotency/idempotency.ts'
import type { KeyedRequest } from '../idempotency/keyed-request.ts'
import { identityOf } from '../limits/identity.ts'
import type { Cost, Payer } from '../limits/costs.ts'
import { isCharged, payerOf, type Admission, type LimitedRequest } from '../limits/request-limits.ts'
import type { Operation } from '../operation.ts'
import { withHeaders, type Answer } from '../answer.ts'
import { become, carryOutEach } from './become.ts'
import { carryOut, type CarryOutParts, type CheckedRequest } from './carry-out.ts'
import type { Exchange, Work } from '../request/exchange.ts'
import { requireAllowedContent } from './allowed-content.ts'
import { foretold } from './foretold.ts'
import { parseParams, readInput, type ReadForm } from '../request/input/input.ts'
import { readFiles } from '../request/input/read-files.ts'
import type { Shares } from '../request/shares/shares.ts'

export interface PipelineParts extends CarryOutParts {
  readonly ports: Ports
  readonly resolveCredential: ResolveCredential
  /** Whether local ways to sign in are closed; asked at each request to one of them. */
  readonly isSingleSignOnEnforced: () => Promise<boolean>
  readonly limits: (request: LimitedRequest) => Promise<Admission>
  /**
   * Whether a session counts only once the limits are asked, which learn as of which position the request is answered: before that a
   * cache may know one that is over.
   */
  readonly resolvesTwice: boolean
  /** Charges what a request consumed, once it is answered. */
  readonly charge: (payer: Payer, cost: Cost) => void
  readonly origins: CommandOrigins
  readonly openDryRun: OpenDryRun
  readonly idempotency: Idempotency
  /** Whether an operator still has to set the instance up. If absent, never. */
  readonly isBeingSetUp?: () => Promise<boolean>
  readonly contentFilter: Pick<ContentFilter, 'blocks'>
  /**
   * Admits one large body at a time for each sender. The next one is not read, and has no slot at work, until the one before
   * it is answered.
   */
  readonly imageTurns: KeyedQueue
  /** The slots of requests whose files are arriving. */
  readonly uploads: Shares
}

/**
 * The way of a request to an operation (rules/http-and-limits#order-of-checks): credential, single sign-on gate, global
 * bucket, route bucket, callers, then path and query and body together, the content filter, then the handler. Whether
 * the operation exists for the caller is asked after the limits, too: a refusal before them could be had without end.
 * The in-flight ceiling stands before all of it. Path parameters are parsed first, since the bucket may be parted by
 * one, but what is wrong with them is said in its turn.
 */
export function pipeline(operation: Operation, parts: PipelineParts): Work<Answer> {
  const rules = {
    adminKeys: operation.callers.kind === 'admin',
    schemesInAnyCase: operation.schemesInAnyCase,
  }
  const handle = operation.open(parts.ports)
  return async (exchange) => {
    const { facts } = exchange
    const sender = await parts.resolveCredential(facts.authorization, rules)
    exchange.nameSender(sender)
    if (operation.local && (await parts.isSingleSignOnEnforced())) reject('SSO_REQUIRED')
    const params = parseParams(operation.params, exchange.params)
    const partition = partitionOf(operation.bucket, params.value)
    const admission = await parts.limits({
      bucket: operation.bucket,
      partition,
      authenticated: sender,
      ip: facts.ip,
      language: exchange.language,
    })
    if (!admission.admitted) return admission.answer
    if (!existsFor(sender, operation, parts.ports.instance, facts)) reject('NOT_FOUND')
    const isAskedAgain = parts.resolvesTwice && sender?.credential.kind === 'session'
    const authenticated = isAskedAgain ? await parts.resolveCredential(facts.authorization, rules) : sender
    if (!(await isForSetup(operation.callers, authenticated, parts)))
      requireAllowedCaller(operation.callers, authenticated)
    const inTurn = (carry: () => Promise<Answer>): Promise<Answer> => {
      exchange.share.leave()
      return parts.imageTurns.run(identityOf(authenticated, facts.ip), carry)
    }
    const carry = async (): Promise<Answer> => {
      const form = formReader(parts, operation, exchange, authenticated)
      const input = await readInput(operation, exchange, params, form)
      try {
        exchange.meter.measure(() => requireAllowedContent(parts.contentFilter, operation, input))
        const { language, meter } = exchange
        return await run(parts, { operation, handle, facts, authenticated, language, input, meter }, exchange)
      } finally {
        for (const { file } of input.files) await parts.ports.attachmentFiles.discard(file)
      }
    }
    const told = isByToken(operation) ? () => carry().catch(onlyWithToken(parts.ports, exchange)) : carry
    const answer = await charged(parts, exchange, authenticated, operation.takesImage ? () => inTurn(told) : told)
    const { status, headers, body } = answer
    return status < 400 ? { status, headers: withHeaders(headers, admission.headers), body } : answer
  }
}

const isByToken = ({ callers }: Operation): boolean => callers.kind === 'public' && callers.withToken

/** Handles what is wrong with a request by a token: whoever shows a wrong one hears of nothing else. */
function onlyWithToken(ports: Ports, { params }: Exchange): (error: unknown) => Promise<never> {
  return async (error) => {
    if (error instanceof Refused) await requireShownToken(ports, named(params, 'webhook_id'), named(params, 'token'))
    throw error
  }
}

/** Reads the form of an operation that takes files, within the limits of the caller in the channel; undefined for any other one. */
function formReader(
  { ports, uploads }: PipelineParts,
  operation: Operation,
  exchange: Exchange,
  authenticated: Authenticated | undefined,
): ReadForm | undefined {
  if (!operation.takesFiles) return undefined
  const boundsOf = fileBoundsFor(ports, operation, exchange, authenticated)
  if (!boundsOf) return undefined
  return async () => {
    const bounds = await boundsOf()
    const { ip } = exchange.facts
    const holder = { identity: identityOf(authenticated, ip), address: networkOf(ip, oneClient), isKnown: true }
    if (!uploads.take(holder, 1)) return reject('SERVICE_UNAVAILABLE')
    try {
      return await readFiles(exchange, bounds, ports.attachmentFiles)
    } finally {
      uploads.give(holder, 1)
    }
  }
}

/** How to find what files a request may send: by the account in the channel of its path, or by the token of its path. */
function fileBoundsFor(
  ports: Ports,
  operation: Operation,
  { params }: Exchange,
  authenticated: Authenticated | undefined,
): (() => Promise<FileBounds>) | undefined {
  if (isByToken(operation)) return () => fileBoundsByToken(ports, named(params, 'webhook_id'), named(params, 'token'))
  return authenticated && (() => fileBounds(ports, authenticated.account, named(params, 'channel_id')))
}

/** A parameter of the path as it was sent. */
const named = (params: unknown, parameter: string): string => partitionOf({ parameter }, params) ?? ''

/** Charges the sender for what a request consumed, whatever its outcome. */
async function charged(
  { charge }: PipelineParts,
  { facts, meter, share }: Exchange,
  authenticated: Authenticated | undefined,
  carry: () => Promise<Answer>,
): Promise<Answer> {
  let answered_bytes = 0
  try {
    const answer = await carry()
    answered_bytes = bytesOf(answer)
    return answer
  } finally {
    if (isCharged(authenticated))
      charge(payerOf(authenticated, facts.ip), {
        processor_ms: meter.spent_ms,
        bytes: share.held_bytes + answered_bytes,
      })
  }
}

function bytesOf({ body }: Answer): number {
  // A reply that is written page by page is not counted: only lists for administrators are such replies.
  return typeof body === 'string' || Buffer.isBuffer(body) ? Buffer.byteLength(body) : 0
}

/** Whether an operation exists for a caller: some do on hosted instances alone, some for thread access alone. */
function existsFor(
  authenticated: Authenticated | undefined,
  { hostedOnly, needsThreads }: Operation,
  { hosted }: Ports['instance'],
  facts: Exchange['facts'],
): boolean {
  if (hostedOnly && !hosted) return false
  return !needsThreads || hasThreadAccess(authenticated, facts)
}

/** Bots have thread access, and sessions that declare channel_threads. */
function hasThreadAccess(authenticated: Authenticated | undefined, { capabilities }: Exchange['facts']): boolean {
  return authenticated !== undefined && viewerOf({ credential: authenticated.credential, capabilities }).threadAccess
}

/** Until the instance is set up, any session may call its configuration. */
async function isForSetup(
  callers: Callers,
  authenticated: Authenticated | undefined,
  { isBeingSetUp }: PipelineParts,
): Promise<boolean> {
  if (callers.kind !== 'admin' || !callers.duringSetup) return false
  if (!authenticated || sessionOf(authenticated) === undefined) return false
  return (await isBeingSetUp?.()) ?? false
}

/** With an Idempotency-Key, a POST request does its work once. */
async function run(parts: PipelineParts, request: CheckedRequest, exchange: Exchange): Promise<Answer> {
  const { operation, input } = request
  const { becomes } = operation
  if (input.dryRun) {
    if (!becomes) return foretold(parts, [request])
    const { requests } = await become(becomes, parts.ports, request, parts.origins.fresh())
    return foretold(
      parts,
      requests.map((each) => each.request),
    )
  }
  const carry = async (origin: CommandOrigin): Promise<Outcome> => {
    if (!becomes) return carryOut(parts, request, origin)
    const became = await become(becomes, parts.ports, request, origin)
    return carryOutEach(became, origin, (each, its) => carryOut(parts, each, its))
  }
  const keyed = keyedRequest(request, exchange)
  return keyed ? parts.idempotency.once(keyed, carry) : (await carry(parts.origins.fresh())).answer
}

/** The request by its key; undefined for one without. A delivery is its path's own, whoever brings it and whatever it says. */
function keyedRequest(
  { operation, facts, authenticated, input }: CheckedRequest,
  { path, search }: Exchange,
): KeyedRequest | undefined {
  const { method, fromStore, callers } = operation
  if (method !== 'POST' || fromStore) return undefined
  if (serviceAmong(callers) === 'delivery' && facts.delivery.id !== null)
    return { identity: `delivery to ${path}`, key: facts.delivery.id, content: [method, path] }
  if (facts.idempotencyKey === undefined) return undefined
  const content = [method, path, search, input.bytes]
  return { identity: identityOf(authenticated, facts.ip), key: facts.idempotencyKey, content }
}

/**
 * Gives one value for all spellings of an id. Values that can't be ids share one bucket, so that nonsense creates no new ones.
 */
function partitionOf({ parameter }: Pick<Bucket, 'parameter'>, params: unknown): string | null {
  if (parameter === null || typeof params !== 'object' || params === null) return null
  const value: unknown = Reflect.get(params, parameter)
  return typeof value === 'string' ? value : null
}
