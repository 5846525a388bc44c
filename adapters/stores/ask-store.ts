import { StoreFailed } from './store-failed.js'

/** The longest answer, in bytes after decompression. A page of store A's notification history has up to 20 signed notifications. */
export const answer_bytes_max = 4 * 1024 * 1024

export interface StoreRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** From the settings, never from what a store or a client says. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Ends the request, and the reading of its answer. */
  readonly signal: AbortSignal
}

export interface StoreReply {
  readonly status: number
  /** The JSON of the body; undefined for an empty body, and for one that is not JSON. */
  readonly body: unknown
}

/**
 * Sends one request and reads its answer; follows no redirects. Throws StoreFailed, `unavailable`, if there is no answer in time,
 * if the connection breaks, or if the answer is too long.
 */
export async function askStore({ url, body, ...request }: StoreRequest): Promise<StoreReply> {
  try {
    const answer = await fetch(url, { ...request, body: body ?? null, redirect: 'manual' })
    return { status: answer.status, body: jsonIn(await textOf(answer)) }
  } catch (error) {
    if (error instanceof StoreFailed) throw error
    throw new StoreFailed('unavailable', isTimeout(error) ? 'timeout' : 'connection', { cause: error })
  }
}

async function textOf(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > answer_bytes_max) throw new StoreFailed('unavailable', 'answer_too_long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError'
}
