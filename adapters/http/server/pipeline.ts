import { reject } from '../../../application/commands/refused.js'
import type { CommandOrigins } from '../../../application/ports/command-origins.js'
import { requireAccess } from '../authentication/access-policy.js'
import type { ResolveCredential } from '../authentication/credential.js'
import type { Bucket } from '../bucket.js'
import type { Idempotency } from '../idempotency/idempotency.js'
import { identityOf } from '../limits/identity.js'
import type { Admission, LimitedRequest } from '../limits/request-limits.js'
import type { Operation } from '../operation.js'
import { withHeaders, type Answer } from './answer.js'
import { carryOut, type CarryOutParts, type CheckedRequest } from './carry-out.js'
import type { Exchange, Work } from './exchange.js'
import { parseParams, readInput } from './input.js'

export interface PipelineParts extends CarryOutParts {
  readonly resolveCredential: ResolveCredential
  /** Whether local ways to sign in are closed; asked at each request to one. */
  readonly isSingleSignOnEnforced: () => Promise<boolean>
  readonly limits: (request: LimitedRequest) => Promise<Admission>
  readonly origins: CommandOrigins
  readonly idempotency: Idempotency
}

/**
 * The way of a request to an operation, in the supplement's order: credential, single sign-on gate, global bucket, route bucket,
 * access policy, then path and query and body together, then the handler. The in-flight ceiling stands before all of it. Path
 * parameters are parsed first, since the bucket may be parted by one, but what is wrong with them is said in its turn.
 */
export function pipeline(operation: Operation, parts: PipelineParts): Work<Answer> {
  return async (exchange) => {
    const { facts } = exchange
    const authenticated = await parts.resolveCredential(facts.authorization)
    exchange.sender = authenticated ? 'account' : facts.authorization ? 'unresolved' : 'nobody'
    if (operation.local && (await parts.isSingleSignOnEnforced())) reject('SSO_REQUIRED')
    const params = parseParams(operation.params, exchange.params)
    const partition = partitionOf(operation.bucket, params.value)
    const admission = await parts.limits({ bucket: operation.bucket, partition, authenticated, ip: facts.ip })
    if (!admission.admitted) return admission.answer
    requireAccess(operation.access, authenticated)
    const input = await readInput(operation, exchange, params)
    const answer = await run(parts, { operation, facts, authenticated, input }, exchange)
    const { status, headers, body } = answer
    return status < 400 ? { status, headers: withHeaders(headers, admission.headers), body } : answer
  }
}

/** With an Idempotency-Key, a POST request does its work once. */
async function run(parts: PipelineParts, request: CheckedRequest, { path, search }: Exchange): Promise<Answer> {
  const { operation, facts, authenticated, input } = request
  if (operation.method !== 'POST' || facts.idempotencyKey === undefined)
    return (await carryOut(parts, request, parts.origins.fresh())).answer
  const keyed = {
    identity: identityOf(authenticated, facts.ip),
    key: facts.idempotencyKey,
    content: [operation.method, path, search, input.bytes],
  }
  return parts.idempotency.once(keyed, (origin) => carryOut(parts, request, origin))
}

/** One value for all spellings of an id; all that can't be one share a bucket, so that nonsense makes no new ones. */
function partitionOf({ parameter }: Bucket, params: unknown): string | null {
  if (parameter === null || typeof params !== 'object' || params === null) return null
  const value: unknown = Reflect.get(params, parameter)
  return typeof value === 'string' ? value : null
}
