import { z } from 'zod'
import { askStore, inForm, type StoreReply } from '../ask-store.ts'
import { StoreFailed } from '../store-failed.ts'
import type { StoreBSetup } from '../store-settings.ts'
import { accessTokens } from './access-tokens.ts'

/** How long one call may take, with the token that it needs. */
const call_ms_max = 15_000
/** The store does not know the token of the purchase, or not any more. */
const unknownStatuses: readonly number[] = [404, 410]
const retryableStatuses: readonly number[] = [401, 403, 408, 429]

/** Errors are written in this form. An answer in another one comes from elsewhere, such as a proxy, and says nothing of a purchase. */
const storeError = z.object({ error: z.object({ code: z.number() }) })

export interface StoreBCall<Reply> {
  readonly packageName: string
  readonly method: 'GET' | 'POST'
  /** Below the package: each part is encoded. */
  readonly path: string
  readonly body?: object
  /** The form of the answer. */
  readonly reply: z.ZodType<Reply>
  /** What a 400 says: of a read, that the token is none. */
  readonly badRequest: 'not found' | 'rejected'
}

/** Asks store B. Throws StoreFailed. */
export type AskStoreB = <Reply>(call: StoreBCall<Reply>) => Promise<Reply>

export interface StoreBTimes {
  readonly now: () => number
  /** For tests: a shorter time limit. */
  readonly answer_ms?: number | undefined
}

/** The API of store B. A request is sent again only after a 401, once, with a new token: the store has not looked at it then. */
export function storeBApi(setup: StoreBSetup, { now, answer_ms }: StoreBTimes): AskStoreB {
  const tokens = accessTokens(setup, now, answer_ms)

  async function send({ packageName, method, path, body }: StoreBCall<unknown>, signal: AbortSignal) {
    const token = await tokens.current()
    const reply = await askStore({
      method,
      url: `${setup.apiUrl}/androidpublisher/v3/applications/${encodeURIComponent(packageName)}/${path}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
      signal,
    })
    if (reply.status === 401) tokens.drop(token)
    return reply
  }

  return async (call) => {
    if (!setup.packages.includes(call.packageName)) throw new StoreFailed('rejected', 'unknown_package')
    const signal = AbortSignal.timeout(answer_ms ?? call_ms_max)
    const first = await send(call, signal)
    const answer = first.status === 401 ? await send(call, signal) : first
    if (answer.status < 200 || answer.status > 299) throw failureOf(answer, call.badRequest)
    return inForm(answer.body, call.reply)
  }
}

function failureOf({ status, body }: StoreReply, badRequest: 'not found' | 'rejected'): StoreFailed {
  const isOfStore = status >= 400 && status <= 499 && storeError.safeParse(body).success
  const detail = `http_${status}`
  if (!isOfStore || retryableStatuses.includes(status)) return new StoreFailed('unavailable', detail)
  if (unknownStatuses.includes(status)) return new StoreFailed('not found', detail)
  return new StoreFailed(status === 400 ? badRequest : 'rejected', detail)
}
