import type { Caller, Requester } from '../../../application/caller.ts'
import { commandContext, type CommandContext } from '../../../application/commands/command-context.ts'
import { Refused } from '../../../application/commands/refused.ts'
import type { AdminAudit } from '../../../application/ports/admin-audit.ts'
import type { CommandOrigin } from '../../../application/ports/command-origins.ts'
import type { Actor } from '../../../application/ports/event-store.ts'
import { beforeAll } from '../../../domain/kernel/position.ts'
import type { ReadModels } from '../../../application/ports/read-models.ts'
import { errorCodes } from '../../../domain/kernel/error-codes.ts'
import type { Refusal } from '../../../domain/kernel/refusal.ts'
import type { Language } from '../../../domain/text/languages.ts'
import { serviceAmong } from '../callers.ts'
import type { Authenticated } from '../authentication/credential.ts'
import { refusalAnswer } from '../errors/failure-answer.ts'
import type { Outcome } from '../idempotency/idempotency.ts'
import { actionOf } from '../admin-audit-rule.ts'
import type { NoteAudited, NoteSecondEntry } from '../audit-notes.ts'
import { PlainReply } from '../plain-reply.ts'
import { HeadedReply } from '../headed-reply.ts'
import { LiveReply } from '../live-reply.ts'
import { PagedReply } from '../paged-reply.ts'
import { isSchema, type Handler, type Operation } from '../operation.ts'
import { redirection } from '../redirection.ts'
import {
  emptyAnswer,
  jsonTextAnswer,
  jsonHeaders,
  noHeaders,
  notStored,
  redirectAnswer,
  withHeaders,
  type Answer,
  type Headers,
} from '../answer.ts'
import { adminActionOf, adminCredentialOf } from './admin-action.ts'
import { checkReply } from './check-reply.ts'
import type { Input } from '../request/input/input.ts'
import { fileAnswer } from '../file-answer.ts'
import { KeptFile } from '../kept-file.ts'
import { liveBody, liveHeaders } from './live-body.ts'
import type { Meter } from '../request/meter.ts'
import { pagedBody } from './paged-body.ts'
import type { RequestFacts } from '../request/request-facts.ts'
import { isAlways, sudoMode, type SudoChecks } from './sudo-mode.ts'

export interface CarryOutParts {
  readonly sudoChecks: SudoChecks
  readonly readModels: ReadModels
  readonly adminAudit: AdminAudit
  readonly checkReplies: boolean
  /** Aborts when the server stops: what is sent as it comes ends then. */
  readonly draining: AbortSignal
}

/** A request that has passed every check. */
export interface CheckedRequest {
  readonly operation: Operation
  readonly handle: Handler
  readonly facts: RequestFacts
  readonly authenticated: Authenticated | undefined
  readonly language: Language
  readonly input: Input
  readonly meter: Meter
}

/** The actor of a request without an account. */
const anonymous: Actor = { kind: 'system', name: 'anonymous' }
const commandLine: Actor = { kind: 'system', name: 'command line' }

type Mutable<Value> = { -readonly [Member in keyof Value]: Value[Member] }
type HandlerRequest = Parameters<Handler>[0]

/**
 * Runs the handler of an operation. Then waits until the read models hold what it wrote, or what another command had already
 * done, so that the caller can read it. A refusal is an outcome; every other error is thrown.
 */
export async function carryOut(parts: CarryOutParts, request: CheckedRequest, origin: CommandOrigin): Promise<Outcome> {
  const context = contextOf(request, origin)
  try {
    const answer = await handled(parts, request, context)
    await readable(parts, context)
    return { answer, counts: request.operation.keepsNoAnswer ? 'open' : 'final' }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    // If recording the entry failed, the act is still done, and a process manager records it.
    const { code } = error.refusal
    if (context.written > beforeAll && errorCodes[code] < 500) await parts.adminAudit.refused(context, code)
    await readable(parts, context)
    return {
      answer: refusalAnswer(error.refusal, request.language),
      counts: countsAs(error.refusal, context, request.operation),
    }
  }
}

async function handled(
  parts: CarryOutParts,
  { operation, handle, facts, authenticated, input, meter }: CheckedRequest,
  context: CommandContext,
): Promise<Answer> {
  const { params, query, body, files } = input
  const caller = callerOf(facts, authenticated, context)
  const sudo = sudoMode(parts.sudoChecks, operation, { caller, input, proof: facts.sudoProof })
  if (isAlways(operation.sudo)) await sudo.prove()
  // The check of callers has made sure of an account where the operation declares one; schemas have parsed the rest.
  const noted: AuditNotes = { metadata: {}, personal: {}, second: undefined }
  const noteAudited: NoteAudited = (metadata, personal = {}) => {
    noted.metadata = { ...noted.metadata, ...metadata }
    noted.personal = { ...noted.personal, ...personal }
  }
  const noteSecondEntry: NoteSecondEntry = (metadata) => {
    noted.second = metadata
  }
  const notes = { noteAudited, noteSecondEntry }
  const { delivery } = facts
  const request = { caller, params, query, body, files, delivery, proveSudo: sudo.onDemand, ...notes } as HandlerRequest
  const reply = await meter.measure(() => handle(request))
  if (reply instanceof KeptFile) return fileAnswer(reply, jsonHeaders)
  if (reply instanceof PlainReply)
    return { status: 200, headers: { 'content-type': reply.contentType }, body: reply.text }
  const check = (each: unknown): void => {
    if (parts.checkReplies) checkReply(operation, each)
  }
  const paged = reply instanceof PagedReply ? await pagedBody(reply, check) : undefined
  const isLive = reply instanceof LiveReply
  const ownReply = reply instanceof HeadedReply ? reply.body : reply
  if (!paged && !isLive) check(ownReply)
  await audit(parts, operation, request, reply, noted)
  const given = withHeaders(await sudo.headers(), reply instanceof HeadedReply ? reply.headers : noHeaders)
  if (isLive) {
    const body = liveBody(reply, { draining: parts.draining, check: (item) => check([item]) })
    return { status: operation.success.status, headers: liveHeaders, body }
  }
  if (paged) return { status: operation.success.status, headers: withHeaders(jsonHeaders, given), body: paged }
  return meter.measure(() => answerWith(operation, ownReply, given))
}

function answerWith({ success, takesForm }: Operation, reply: unknown, given: Headers): Answer {
  const { status, schema, holdsSecret } = success
  if (schema === redirection) return redirectAnswer(redirection.parse(reply).location)
  const headers = takesForm || holdsSecret ? withHeaders(notStored, given) : given
  if (!isSchema(schema)) return emptyAnswer(status, headers)
  if (reply === undefined) return emptyAnswer(204, headers)
  return jsonTextAnswer(status, JSON.stringify(reply), headers)
}

/** Copied member by member, like the context: spreads would take longer than everything else here. */
function callerOf(facts: RequestFacts, authenticated: Authenticated | undefined, context: CommandContext): Requester {
  const requester: Requester & Partial<Mutable<Authenticated>> = {
    context,
    ip: facts.ip,
    userAgent: facts.userAgent,
    capabilities: facts.capabilities,
    locale: facts.locale,
    authorization: facts.authorization ?? null,
  }
  if (authenticated) {
    requester.account = authenticated.account
    requester.credential = authenticated.credential
  }
  return requester
}

function contextOf(request: CheckedRequest, origin: CommandOrigin): CommandContext {
  const { facts, authenticated, meter } = request
  return commandContext({
    commandId: origin.commandId,
    now: origin.now,
    mayRepeat: origin.mayRepeat,
    isKeyed: origin.isKeyed,
    newId: () => origin.newId(),
    randomBytes: (count) => origin.randomBytes(count),
    correlationId: facts.id,
    clientRequestId: facts.clientRequestId,
    causationId: origin.commandId,
    operation: request.operation.name,
    actor: authenticated ? actorOf(authenticated) : anonymous,
    reason: facts.reason,
    adminAction: adminActionOf(request, origin),
    noteSpent: meter.note,
  })
}

function actorOf({ account, credential }: Authenticated): Actor {
  if (credential.kind === 'command_line') return commandLine
  if (credential.kind === 'admin_key') return { kind: 'admin_key', id: credential.keyId, accountId: account.id }
  return { kind: 'account', id: account.id }
}

/** The metadata that the handler of a request has noted. */
interface AuditNotes {
  metadata: Readonly<Record<string, string>>
  personal: Readonly<Record<string, string>>
  /** Those of the second entry; undefined if there is none. */
  second: Readonly<Record<string, string>> | undefined
}

async function audit(
  parts: CarryOutParts,
  { adminAudit }: Operation,
  request: HandlerRequest,
  reply: unknown,
  noted: AuditNotes,
): Promise<void> {
  const action = 'none' in adminAudit ? null : actionOf(adminAudit, request)
  if ('none' in adminAudit || action === null) return
  // Only operations for administrators have a rule, and those have a caller.
  const { account, credential, context } = request.caller as Caller
  const by = { adminId: account.id, credential: adminCredentialOf(credential) }
  const { target, targetId, metadata, also } = adminAudit
  const id = targetId?.(request, reply) ?? '0'
  const personalMetadata = { ...adminAudit.personalMetadata?.(request, reply), ...noted.personal }
  const entry = {
    action,
    ...by,
    target: { type: target, id },
    metadata: { ...metadata?.(request, reply), ...noted.metadata },
    ...(Object.keys(personalMetadata).length > 0 && { personalMetadata }),
  }
  await parts.adminAudit.record(entry, context)
  if (!also || !noted.second) return
  const second = { action: also.action, ...by, target: { type: also.target, id }, metadata: noted.second }
  await parts.adminAudit.record(second, context)
}

async function readable({ readModels }: CarryOutParts, { settled }: CommandContext): Promise<void> {
  if (settled > beforeAll) await readModels.reached(settled)
}

/**
 * A refusal that the same request may avoid later, for example with a proof in its header, is not kept for its Idempotency-Key.
 * The same holds for the refusal of a repeat if its first try may have had an answer that is not kept.
 */
function countsAs(
  { code }: Refusal,
  { written, mayRepeat }: CommandContext,
  { callers, keepsNoAnswer }: Pick<Operation, 'callers' | 'keepsNoAnswer'>,
): Outcome['counts'] {
  const status = errorCodes[code]
  if (keepsNoAnswer && mayRepeat) return 'open'
  const invalid = code === 'INVALID_FORM_BODY' || code === 'VALIDATION_ERROR' || code === 'SUDO_MODE_REQUIRED'
  const mayComeAgain = invalid || serviceAmong(callers) === 'delivery'
  if (!mayComeAgain && status !== 409 && status !== 429 && status < 500) return 'final'
  return written > beforeAll || mayRepeat || status >= 500 ? 'open' : 'void'
}
