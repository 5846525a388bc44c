import createFetchClient, { type Client } from 'openapi-fetch'
import type { paths } from '../dist/client-api/api.d.ts'
import { pause } from './pause.ts'

/** The operations of the API, as its OpenAPI document has them: by path, then by method. */
export type ApiPaths = paths

/** Calls operations: `api.GET('/v1/users/@me')`. What each takes and answers is typed by its path. */
export type Api<Paths extends object = ApiPaths> = Client<Paths, 'application/json'>

export interface ApiSettings {
  /** Where the API is, as in `https://chat.example`. */
  readonly url: string
  /** The credential, as the header Authorization has it: a session token, or `Bot`, a space and a bot token. */
  readonly token?: string
  /** Sends a request. Default: the global fetch. */
  readonly fetch?: (request: Request) => Promise<Response>
}

/** How long a request is held back in all. One that would have to wait longer is answered with what the server says. */
const wait_ms_max = 60_000

/**
 * Opens a client of the API, or of the one whose paths are given. Where an answer says how long to wait, it waits and sends the request
 * again: after 429, and after 503 where nothing can be done twice, which is a GET or a request with an Idempotency-Key. Requests that
 * wait for the same bucket go one after another.
 */
export function openApi<Paths extends object = ApiPaths>({ url, token, fetch: send = fetch }: ApiSettings): Api<Paths> {
  const lines = new Lines()
  return createFetchClient<Paths, 'application/json'>({
    baseUrl: url,
    ...(token === undefined ? {} : { headers: { authorization: token } }),
    fetch: (request) => sendPatiently(request, send, lines),
  })
}

async function sendPatiently(
  request: Request,
  send: NonNullable<ApiSettings['fetch']>,
  lines: Lines,
): Promise<Response> {
  const deadline = Date.now() + wait_ms_max
  let again = request.clone()
  let answer = await send(request)
  const after = (): number | undefined => {
    const instant = Date.now() + (waitOf(request, answer) ?? Infinity)
    return instant > deadline ? undefined : instant
  }
  let instant = after()
  if (instant === undefined) return answer
  return lines.inTurn(answer.headers.get('x-ratelimit-bucket') ?? '', async () => {
    while (instant !== undefined) {
      await answer.body?.cancel()
      await pause(Math.max(0, instant - Date.now()), request.signal)
      const sent = again
      again = sent.clone()
      answer = await send(sent)
      instant = after()
    }
    return answer
  })
}

/** How long to wait before the request is sent again; undefined where it must not be. */
function waitOf({ method, headers }: Request, answer: Response): number | undefined {
  const isHarmless = method === 'GET' || headers.has('idempotency-key')
  if (answer.status !== 429 && !(answer.status === 503 && isHarmless)) return undefined
  const wait_seconds = secondsIn(answer)
  return wait_seconds === undefined ? undefined : wait_seconds * 1000
}

function secondsIn({ headers }: Response): number | undefined {
  const wait_seconds = Number.parseInt(headers.get('retry-after') ?? '', 10)
  return Number.isNaN(wait_seconds) ? undefined : wait_seconds
}

/** What waits, by what it waits for. */
class Lines {
  readonly #ends = new Map<string, Promise<unknown>>()

  /** Does something once all that came before it in its line is done, whatever became of that. */
  inTurn<Value>(name: string, act: () => Promise<Value>): Promise<Value> {
    const done = (this.#ends.get(name) ?? Promise.resolve()).then(act)
    const end = done
      .catch(() => undefined)
      .then(() => {
        if (this.#ends.get(name) === end) this.#ends.delete(name)
      })
    this.#ends.set(name, end)
    return done
  }
}

/** An answer that is not a success: what the server says of it, or what stands between says instead. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** As in `UNKNOWN_GUILD`; empty where no server of ours has answered. */
  readonly code: string
  /** The answer as it came, parsed where it is JSON. */
  readonly body: unknown
  /** Where the server says how long to wait, after which the client has not waited itself. */
  readonly retryAfter_seconds: number | undefined
  /** For the operator, who finds it in the log. */
  readonly requestId: string | undefined

  constructor(body: unknown, response: Response) {
    const { code, message } = refusalIn(body)
    super(code === undefined ? `The server answered with ${response.status}` : `${code}: ${message}`)
    this.status = response.status
    this.code = code ?? ''
    this.body = body
    this.retryAfter_seconds = secondsIn(response)
    this.requestId = response.headers.get('x-request-id') ?? undefined
  }
}

function refusalIn(body: unknown): { readonly code?: string; readonly message?: string } {
  return typeof body === 'object' && body !== null ? body : {}
}

/** What a call is answered with. Rejects with an ApiError where that is no success: `await dataOf(api.GET('/v1/users/@me'))`. */
export async function dataOf<Data>(
  call: Promise<{ readonly data?: Data; readonly error?: unknown; readonly response: Response }>,
): Promise<Data> {
  const { data, error, response } = await call
  if (!response.ok) throw new ApiError(error, response)
  return data as Data
}
