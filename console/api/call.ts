import type { AdminOperations } from '../../client/admin.ts'
import { accessToken, config, consoleUrl, renew, signInBeside } from '../session/session.ts'
import { failureOf } from './failure.ts'
import { operationOf, type OperationId } from './operations.ts'
import { connection } from './connection.ts'
import { askForProof } from './proof.ts'

type Parameters<Id extends OperationId> = AdminOperations[Id]['parameters']
type JsonOf<Content> = Content extends { content: { 'application/json': infer Json } } ? Json : undefined

/** What an operation answers with; never with a dry run here. */
export type ReplyOf<Id extends OperationId> = AdminOperations[Id] extends { responses: { 200: infer Success } }
  ? Exclude<JsonOf<Success>, { status: number; audit_entries: unknown }>
  : undefined

/** What an operation takes. */
export interface Input<Id extends OperationId> {
  readonly path?: Parameters<Id> extends { path: infer Path } ? { readonly [Name in keyof Path]: string } : undefined
  readonly query?: Parameters<Id> extends { query?: infer Query } ? Query : undefined
  readonly body?: AdminOperations[Id] extends { requestBody?: { content: { 'application/json': infer Body } } }
    ? Body
    : undefined
}

/** What a request to the API takes, whatever the operation. */
export interface RawInput {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  /** For the audit entry: X-Audit-Log-Reason. */
  readonly reason?: string
}

/** An answer of the API, with the id of its request. */
export interface Reply {
  readonly value: unknown
  readonly requestId: string | undefined
}

/** Calls an operation of the Admin API. Rejects with a Failure where it is refused. */
export async function call<Id extends OperationId>(id: Id, input: Input<Id> = {}): Promise<ReplyOf<Id>> {
  const { value } = await send(id, input as RawInput)
  return value as ReplyOf<Id>
}

/**
 * Calls an operation whose type is not known here. A sign-in that has ended meanwhile is renewed, or asked for again in a window of
 * its own, and a lost connection is tried again, as long as that cannot do anything twice: a change carries an Idempotency-Key.
 */
export async function send(id: OperationId, input: RawInput): Promise<Reply> {
  const { method } = operationOf(id)
  const headers = new Headers()
  if (input.body !== undefined) headers.set('content-type', 'application/json')
  // Headers hold Latin-1: the server decodes a reason that is percent-encoded.
  if (input.reason) headers.set('x-audit-log-reason', encodeURIComponent(input.reason))
  if (method !== 'GET') headers.set('idempotency-key', crypto.randomUUID())
  const url = await urlOf(id, input)
  const body = input.body === undefined ? undefined : JSON.stringify(input.body)
  const answer = await whileSignedIn(headers, () => connection.keep(() => fetch(url, { method, headers, body })))
  if (answer.status === 403 && headers.get(proofHeader) === null) {
    const failure = await failureOf(answer.clone())
    if (failure.code === 'SUDO_MODE_REQUIRED') {
      const proof = await askForProof(failure)
      return send(id, { ...input, body: { ...(input.body as object), ...proof } })
    }
  }
  if (!answer.ok || !isReply(answer)) throw await failureOf(answer)
  const text = await answer.text()
  return {
    value: text === '' ? undefined : JSON.parse(text),
    requestId: answer.headers.get('x-request-id') ?? undefined,
  }
}

/** Whether it is the API that answers: what stands between may send a page of its own, with any status. */
function isReply({ headers }: Response): boolean {
  const type = headers.get('content-type')
  return type === null || type.startsWith('application/json')
}

/** Asks for an answer that does not end by itself, until `signal` aborts. Rejects with a Failure where it is refused. */
export async function open(id: OperationId, input: RawInput, signal: AbortSignal): Promise<Response> {
  const url = await urlOf(id, input)
  const headers = new Headers({ accept: 'text/event-stream' })
  const answer = await whileSignedIn(headers, () => connection.keep(() => fetch(url, { headers, signal })))
  if (!answer.ok) throw await failureOf(answer)
  return answer
}

const proofHeader = 'x-service-sudo-mode-jwt'

async function whileSignedIn(headers: Headers, attempt: () => Promise<Response>): Promise<Response> {
  const authorize = async (): Promise<void> => {
    const token = await accessToken()
    if (token === undefined) await signInBeside()
    headers.set('authorization', `Bearer ${(await accessToken()) ?? ''}`)
  }
  await authorize()
  const answer = await attempt()
  if (answer.status !== 401) return answer
  if (!(await renew())) await signInBeside()
  await authorize()
  return attempt()
}

/** The address of an operation with its parameters. A list in the query is repeated, absent values are left out. */
export async function urlOf(id: OperationId, { path = {}, query = {} }: RawInput): Promise<URL> {
  const { api_url: apiUrl } = await config
  const filled = operationOf(id).path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(path[name] ?? ''),
  )
  const url = new URL(`.${filled}`, new URL(`${apiUrl.replace(/\/?$/, '/')}`, consoleUrl))
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null && one !== '') url.searchParams.append(name, String(one))
  return url
}
