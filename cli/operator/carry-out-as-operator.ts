import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { refusalAnswer } from '../../adapters/http/errors/failure-answer.ts'
import { guildChangeOperations } from '../../adapters/http/operations/administration/guild-changes.ts'
import { guildListOperations } from '../../adapters/http/operations/administration/guild-lists.ts'
import { guildMemberOperations } from '../../adapters/http/operations/administration/guild-members.ts'
import { guildReadOperations } from '../../adapters/http/operations/administration/guild-reads.ts'
import { inverseOperations } from '../../adapters/http/operations/administration/inverses.ts'
import { mailOperations } from '../../adapters/http/operations/administration/mails.ts'
import { userBanOperations } from '../../adapters/http/operations/administration/user-bans.ts'
import { userDeletionOperations } from '../../adapters/http/operations/administration/user-deletion.ts'
import { userFactOperations } from '../../adapters/http/operations/administration/user-facts.ts'
import { adminUserPeopleOperations } from '../../adapters/http/operations/administration/user-people.ts'
import { userPurchaseOperations } from '../../adapters/http/operations/administration/user-purchases.ts'
import { userReadOperations } from '../../adapters/http/operations/administration/user-reads.ts'
import { isSchema, type Operation, type Schema } from '../../adapters/http/operation.ts'
import { textOf, type Answer } from '../../adapters/http/answer.ts'
import { carryOut, type CarryOutParts, type CheckedRequest } from '../../adapters/http/server/carry-out.ts'
import { parse } from '../../adapters/http/request/input/input.ts'
import { meterOf } from '../../adapters/http/request/meter.ts'
import { uuid7 } from '../../application/commands/derive-id.ts'
import type { AdminAudit } from '../../application/ports/admin-audit.ts'
import type { CommandOrigin } from '../../application/ports/command-origins.ts'
import type { EntryId } from '../../domain/ids/ids.ts'
import { refusal } from '../../domain/kernel/refusal.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'

import { setPremiumOperation } from './premium-operation.ts'
import { newOperatorId } from '../commands/operator-context.ts'
import { operatorAccount } from './operator.ts'
import { operatorAuditLog } from './operator-audit-log.ts'
import { allPorts, type OperatorPorts } from './operator-ports.ts'

/** An operation of the Admin API, as an operator asks for it. */
export interface OperatorRequest {
  /** The name of the operation. */
  readonly operation: string
  readonly params?: unknown
  readonly query?: unknown
  /** The JSON body; left out for an operation without one. */
  readonly body?: unknown
  /** The body as parsed, in place of it. */
  readonly wishes?: unknown
  /** For the audit log; left out for none. */
  readonly reason?: string | undefined
  /** Further metadata of the entry in the audit log. */
  readonly metadata?: Readonly<Record<string, string>>
}

export interface Done {
  /** The JSON of the answer. */
  readonly reply: unknown
  /** The act's entry in the admin audit log; undefined if it leaves none. */
  readonly entryId: EntryId | undefined
}

const operations: readonly Operation[] = [
  ...userBanOperations,
  ...userDeletionOperations,
  ...userFactOperations,
  ...adminUserPeopleOperations,
  ...userReadOperations,
  ...guildReadOperations,
  ...guildListOperations,
  ...guildChangeOperations,
  ...guildMemberOperations,
  ...mailOperations,
  ...userPurchaseOperations,
  setPremiumOperation,
  ...inverseOperations,
]

const commandId_bytes = 10

/**
 * Carries out a declared operation without HTTP, with the validation, the use case and the audit entry that a request has.
 * Rejects with a text for the operator if it is refused.
 */
export async function carryOutAsOperator(ports: OperatorPorts, asked: OperatorRequest): Promise<Done> {
  const operation = operations.find(({ name }) => name === asked.operation)
  if (!operation) throw new Error(`No command carries out ${asked.operation}`)
  const recorded: EntryId[] = []
  const parts: CarryOutParts = {
    sudoChecks: noSudo,
    readModels: ports.readModels,
    adminAudit: noting(operatorAuditLog(ports, asked.metadata), (id) => recorded.push(id)),
    checkReplies: false,
    draining: new AbortController().signal,
  }
  const { answer } = await carryOut(parts, requestOf(operation, ports, asked), newOrigin())
  return { reply: bodyOf(answer), entryId: recorded[0] }
}

function requestOf(
  operation: Operation,
  ports: OperatorPorts,
  { params, query = {}, body, wishes, reason }: OperatorRequest,
): CheckedRequest {
  const parsed = {
    params: read(operation.params, params),
    query: read(operation.query, query),
    body: wishes ?? read(operation.body, body),
  }
  return {
    operation,
    handle: operation.open(allPorts(ports)),
    facts: { ...noFacts, id: randomUUID(), reason },
    authenticated: { account: operatorAccount, credential: { kind: 'command_line' } },
    language: 'en',
    input: { ...parsed, dryRun: false, sudo: undefined, json: undefined, bytes: new Uint8Array(), files: [] },
    meter: meterOf(operation.name),
  }
}

/** What the headers of a request would say. */
const noFacts = {
  clientRequestId: undefined,
  echoedId: '',
  ip: '',
  userAgent: null,
  capabilities: new Set<string>(),
  locale: 'en-US',
  authorization: undefined,
  sudoProof: null,
  idempotencyKey: undefined,
  delivery: { event: null, id: null },
}

function read(schema: Schema, given: unknown): unknown {
  if (!isSchema(schema)) return undefined
  const { value, faults } = parse(schema, given, true)
  if (faults.length > 0) bodyOf(refusalAnswer(refusal('INVALID_FORM_BODY', ...faults), 'en'))
  return value
}

function newOrigin(): CommandOrigin {
  const now_ms = Date.now()
  return {
    commandId: uuid7(now_ms, randomBytes(commandId_bytes)),
    now: timestamp(now_ms),
    mayRepeat: false,
    isKeyed: false,
    newId: newOperatorId,
    randomBytes,
  }
}

const noSudo: CarryOutParts['sudoChecks'] = {
  verify: () => Promise.reject(new Error('No command needs sudo mode')),
  proofToSend: () => Promise.resolve(null),
}

function noting(log: AdminAudit, onRecorded: (entry: EntryId) => void): AdminAudit {
  return {
    ...log,
    async record(entry, context) {
      await log.record(entry, context)
      if (context.adminAction) onRecorded(context.adminAction.entryId)
    },
  }
}

const errorBody = z.object({
  code: z.string(),
  message: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).default([]),
})

/** The JSON of an answer. Throws if it is a refusal, with its message and code. */
function bodyOf(answer: Answer): unknown {
  const json: unknown = JSON.parse(textOf(answer) ?? 'null')
  if (answer.status < 400) return json
  const { code, message, errors } = errorBody.parse(json)
  const details = errors.map(({ path, message: fault }) => `${path}: ${fault}`)
  throw new RefusedToOperator(code, [message, ...details].join(' '))
}

/** The operation is refused. */
export class RefusedToOperator extends Error {
  override readonly name = 'RefusedToOperator'
  /** The code that it refuses with. */
  readonly code: string

  constructor(code: string, text: string) {
    super(`${text} (${code})`)
    this.code = code
  }
}
