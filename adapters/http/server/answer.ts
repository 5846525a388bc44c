/** Names are in lower case. */
export type Headers = Readonly<Record<string, string>>

/** What is sent back: `body` is ready to send, null for none. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: string | Buffer | null
}

export const noHeaders: Headers = {}

const jsonHeaders: Headers = { 'content-type': 'application/json' }

/** A JSON answer. */
export function jsonAnswer(status: number, value: unknown, headers: Headers = noHeaders): Answer {
  return { status, headers: withHeaders(jsonHeaders, headers), body: JSON.stringify(value) }
}

/** Headers and more of them; the same object where there are none, which is so for nearly every answer. */
export function withHeaders(headers: Headers, more: Headers): Headers {
  return more === noHeaders ? headers : { ...headers, ...more }
}

export function textAnswer(status: number, text: string): Answer {
  return { status, headers: { 'content-type': 'text/plain' }, body: text }
}

export function emptyAnswer(status: number, headers: Headers = noHeaders): Answer {
  return { status, headers, body: null }
}
