import type { AdminOperations, AdminPaths } from '../../client/admin.ts'
import { openApi } from '../../client/api.ts'
import { accessToken, config, consoleUrl, renew, signInBeside } from '../session/session.ts'
import { Failure, failureIn } from './failure.ts'
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
  const headers = new Headers()
  // Headers hold Latin-1: the server decodes a reason that is percent-encoded.
  if (input.reason) headers.set('x-audit-log-reason', encodeURIComponent(input.reason))
  if (operationOf(id).method !== 'GET') headers.set('idempotency-key', crypto.randomUUID())
  const { data, error, response } = await ask(id, input, { headers, body: input.body })
  if (response.ok) return { value: data, requestId: response.headers.get('x-request-id') ?? undefined }
  const failure = failureIn(error, response)
  if (failure.code !== 'SUDO_MODE_REQUIRED') throw failure
  const proof = await askForProof(failure)
  return send(id, { ...input, body: { ...(input.body as object), ...proof } })
}

/** Asks for an answer that does not end by itself, until `signal` aborts. Rejects with a Failure where it is refused. */
export async function open(
  id: OperationId,
  input: RawInput,
  signal: AbortSignal,
): Promise<ReadableStream<BufferSource>> {
  const headers = { accept: 'text/event-stream' }
  const { data, error, response } = await ask(id, input, { headers, signal, parseAs: 'stream' })
  if (!response.ok) throw failureIn(error, response)
  return data as ReadableStream<BufferSource>
}

type Ask = (
  method: string,
  path: string,
  init: object,
) => Promise<{ readonly data?: unknown; readonly error?: unknown; readonly response: Response }>

/** The client's call of an operation that is known only when the console runs. */
const asking = config.then(
  ({ api_url: apiUrl }) =>
    openApi<AdminPaths>({ url: new URL(apiUrl, consoleUrl).href, fetch: whileSignedIn }).request as unknown as Ask,
)

async function ask(id: OperationId, { path, query = {} }: RawInput, init: object): ReturnType<Ask> {
  const operation = operationOf(id)
  const filled = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
  return (await asking)(operation.method.toLowerCase(), operation.path, { params: { path, query: filled }, ...init })
}

async function whileSignedIn(request: Request): Promise<Response> {
  const { url, method, headers, signal } = request
  const body = method === 'GET' ? null : (await request.text()) || null
  const attempt = async (): Promise<Response> => {
    if ((await accessToken()) === undefined) await signInBeside()
    headers.set('authorization', `Bearer ${(await accessToken()) ?? ''}`)
    return connection.keep(() => fetch(url, { method, headers, body, signal }))
  }
  let answer = await attempt()
  if (answer.status === 401) {
    if (!(await renew())) await signInBeside()
    answer = await attempt()
  }
  if (answer.ok && !isReply(answer)) throw new Failure(answer.status, {}, undefined)
  return answer
}

/** Whether it is the API that answers: what stands between may send a page of its own, with any status. */
function isReply({ headers }: Response): boolean {
  const type = headers.get('content-type')
  return type === null || /^(application\/json|text\/event-stream)/.test(type)
}
