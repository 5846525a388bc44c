/** Names are in lower case. */
export type Headers = Readonly<Record<string, string>>

/** What is sent back: `body` is ready to send, null for none. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: string | Buffer | null
}

export const noHeaders: Headers = {}
/** Of answers that tell tokens, keys, codes or other secrets: nobody between keeps them (RFC 6749, 5.1; RFC 9111, 5.2.2.5). */
export const notStored: Headers = { 'cache-control': 'no-store', pragma: 'no-cache' }

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

/** Sends the client somewhere else; what is not ASCII in the URL is encoded. */
export function redirectAnswer(location: string): Answer {
  return emptyAnswer(302, { location: new URL(location).href, ...notStored })
}

export function emptyAnswer(status: number, headers: Headers = noHeaders): Answer {
  return { status, headers, body: null }
}
