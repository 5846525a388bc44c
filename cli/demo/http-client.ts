import { z } from 'zod'
import type { Timeline } from './timeline.ts'

/** A person of the story who calls the API. */
export interface HttpClient {
  readonly name: string
  /** Sends one request and parses its answer. Rejects, with the code, if the answer is not a success. */
  call<Body extends z.ZodType>(method: string, path: string, answer: Body, body?: object): Promise<z.output<Body>>
  /** Sets the token for the calls from now on. */
  signIn(token: string): void
}

const errorBody = z.object({ code: z.string(), message: z.string(), retry_after: z.number().optional() })

/** An answer that is not a success. */
export class AnsweredError extends Error {
  override readonly name = 'AnsweredError'
  readonly status: number
  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** An answer without a body. */
export const noBody = z.undefined()

/** Opens a client that writes each request and answer into the timeline. */
export function httpClient(api: string, name: string, timeline: Timeline): HttpClient {
  let token: string | undefined
  return {
    name,
    signIn: (given) => {
      token = given
    },
    async call(method, path, answer, body) {
      timeline.add('request', name, `${method} ${path}${body ? ` ${JSON.stringify(shown(body))}` : ''}`)
      const headers = {
        ...(token === undefined ? {} : { authorization: token }),
        ...(body ? { 'content-type': 'application/json' } : {}),
      }
      const response = await fetch(`${api}${path}`, {
        method,
        headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const text = await response.text()
      const parsed: unknown = text === '' ? undefined : JSON.parse(text)
      timeline.add('answer', name, `${response.status}${summary(parsed)}`)
      if (response.ok) return answer.parse(parsed)
      const { code, message, retry_after: wait_seconds } = errorBody.parse(parsed)
      const reason =
        wait_seconds === undefined
          ? ` was answered with ${response.status} ${code}: ${message}`
          : `: ${message} ${waitHint(wait_seconds)}`
      throw new AnsweredError(`${method} ${path}${reason}`, response.status)
    },
  }
}

/** Registering is limited to 3 accounts an hour for each address, and a first run of the story needs two. */
function waitHint(seconds: number): string {
  return `Try again in ${Math.ceil(seconds / 60)} minutes, or start the server with RATE_LIMITS=off.`
}

/** Passwords are not shown on the screen. */
function shown(body: object): object {
  return 'password' in body ? { ...body, password: '•••' } : body
}

const shownMembers = ['id', 'code', 'name', 'uses', 'max_uses', 'member_count', 'user_id']

function summary(body: unknown): string {
  if (Array.isArray(body)) return ` ${body.length} entries`
  if (typeof body !== 'object' || body === null) return ''
  const members = Object.entries(body).filter(
    ([name, value]) => shownMembers.includes(name) && (typeof value === 'string' || typeof value === 'number'),
  )
  return ` ${members.map(([name, value]) => `${name}=${String(value)}`).join(' ')}`
}
