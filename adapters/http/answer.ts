import type { Readable } from 'node:stream'
import type { ErrorCode } from '../../domain/kernel/error-codes.ts'
import type { KeptFile } from './kept-file.ts'

/** Names are in lower case. */
export type Headers = Readonly<Record<string, string>>

/**
 * The answer to send: `body` is ready to send, null for none. Only what is too large for memory is a stream. A file is sent in the
 * form that the client asks for.
 */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: string | Buffer | Readable | KeptFile | null
  /** The code of a refusal, for metrics. */
  readonly refused?: ErrorCode
}

export const noHeaders: Headers = {}
/** For answers with tokens, keys, codes or other secrets: no cache may store them (RFC 6749, 5.1; RFC 9111, 5.2.2.5). */
export const notStored: Headers = { 'cache-control': 'no-store', pragma: 'no-cache' }

export const jsonHeaders: Headers = { 'content-type': 'application/json' }

/** A JSON answer. */
export function jsonAnswer(status: number, value: unknown, headers: Headers = noHeaders): Answer {
  return jsonTextAnswer(status, JSON.stringify(value), headers)
}

/** The same, of what is JSON already. */
export function jsonTextAnswer(status: number, body: string, headers: Headers = noHeaders): Answer {
  return { status, headers: withHeaders(jsonHeaders, headers), body }
}

/** Adds headers. Gives the same object if there is nothing to add, as for nearly every answer. */
export function withHeaders(headers: Headers, more: Headers): Headers {
  return more === noHeaders ? headers : { ...headers, ...more }
}

export function textAnswer(status: number, text: string): Answer {
  return { status, headers: { 'content-type': 'text/plain' }, body: text }
}

/** Redirects the client. Characters of the URL that are not ASCII are encoded. */
export function redirectAnswer(location: string): Answer {
  return emptyAnswer(302, { location: new URL(location).href, ...notStored })
}

export function emptyAnswer(status: number, headers: Headers = noHeaders): Answer {
  return { status, headers, body: null }
}

/** The Retry-After header for a wait in seconds: whole seconds, rounded up, at least 1. */
export function retryAfterHeader(seconds: number): Headers {
  return { 'retry-after': String(Math.max(1, Math.ceil(seconds))) }
}

/** The body of an answer as text; null without a body. Throws for a stream and a file. */
export function textOf({ body }: Pick<Answer, 'body'>): string | null {
  if (body === null || typeof body === 'string') return body
  if (Buffer.isBuffer(body)) return body.toString()
  throw new Error('The body of the answer is a stream or a file')
}
