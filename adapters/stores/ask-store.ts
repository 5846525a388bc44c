import { z } from 'zod'
import { jsonIn } from './json-in.ts'
import { StoreFailed } from './store-failed.ts'

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
  /** The JSON of the body; undefined for one that is not JSON, and null for an empty body. */
  readonly body: unknown
}

/**
 * What a store answers to a change: nothing, or an object without members. Anything else comes from elsewhere, such as a proxy, and the
 * change is not made.
 */
export const nothingToRead = z.union([z.null(), z.strictObject({})]).transform(() => null)

/** The answer in its form. Throws StoreFailed, `unavailable`, for any other: it does not come from the store. */
export function inForm<Reply>(body: unknown, schema: z.ZodType<Reply>): Reply {
  const { data, error } = schema.safeParse(body)
  if (error) throw new StoreFailed('unavailable', 'unreadable_answer')
  return data
}

/**
 * Sends one request and reads its answer; follows no redirects. Throws StoreFailed, `unavailable`, if there is no answer in time,
 * if the connection breaks, or if the answer is too long.
 */
export async function askStore({ url, body, ...request }: StoreRequest): Promise<StoreReply> {
  try {
    const answer = await fetch(url, { ...request, body: body ?? null, redirect: 'manual' })
    const text = await textOf(answer)
    return { status: answer.status, body: text === '' ? null : jsonIn(text) }
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

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError'
}
