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

export async function failureOf(answer: Response): Promise<Failure> {
  const text = await answer.text()
  return new Failure(answer.status, bodyIn(text), answer.headers.get('x-request-id') ?? undefined)
}

/** What stands between may answer with a page of its own: that is no text for people, and its status says enough. */
function bodyIn(text: string): RefusalBody {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? body : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
