/** Names are in lower case. */
export type Headers = Readonly<Record<string, string>>

/** What is sent back: `body` is ready to send, null for none. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: string | Buffer | null
}

const noHeaders: Headers = {}

/** A JSON answer. */
export function jsonAnswer(status: number, value: unknown, headers: Headers = noHeaders): Answer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) }
}

export function textAnswer(status: number, text: string): Answer {
  return { status, headers: { 'content-type': 'text/plain' }, body: text }
}

export function emptyAnswer(status: number): Answer {
  return { status, headers: noHeaders, body: null }
}
