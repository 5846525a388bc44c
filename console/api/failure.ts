import { HttpError } from 'react-admin'

/** The body of every refusal of the API. */
interface RefusalBody {
  readonly code?: string
  readonly message?: string
  readonly errors?: readonly { readonly path: string; readonly code: string; readonly message: string }[]
}

/** A refusal, or a failure, of the API: its words, what is wrong with which member, and what to name to an operator. */
export class Failure extends HttpError {
  readonly code: string
  readonly requestId: string | undefined
  readonly fields: Readonly<Record<string, string>>

  constructor(status: number, body: RefusalBody, requestId: string | undefined) {
    const fields = Object.fromEntries((body.errors ?? []).map(({ path, message }) => [path, message]))
    const about = [`${status}`, body.code, requestId].filter((part) => part !== undefined).join(' · ')
    super(`${body.message ?? 'The server gave no reason.'} (${about})`, status, { ...body, errors: fields })
    this.code = body.code ?? String(status)
    this.requestId = requestId
    this.fields = fields
  }
}

/** Of the body of an answer, as the client gives it. What stands between may answer with a page: its status says enough. */
export function failureIn(body: unknown, { status, headers }: Response): Failure {
  const said = typeof body === 'object' && body !== null ? body : {}
  return new Failure(status, said, headers.get('x-request-id') ?? undefined)
}
