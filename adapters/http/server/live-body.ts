import { PassThrough, pipeline, Readable } from 'node:stream'
import { pause } from '../../../application/concurrency/pauses.ts'
import type { Headers } from '../answer.ts'
import type { LiveItem, LiveReply } from '../live-reply.ts'
import { ClientTooSlow, timed } from '../timed-pieces.ts'

/** How long a client may leave a piece of the answer unread. Then its connection is closed. */
const piece_ms_max = 30_000
/** A line that says nothing, so that proxies keep an idle answer open, and a client that is gone is noticed. */
const idle_ms = 15_000
/** After that the answer ends and the client asks again: who may ask is checked again with that. */
const life_ms = 5 * 60_000

/** A proxy may neither keep the answer nor gather it. */
export const liveHeaders: Headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

/**
 * The text of server-sent events: an id and the item as JSON for each. Ends with the client, after `life_ms`, and once `draining`
 * aborts. `check` sees every item before it is written.
 */
export function liveBody(
  reply: LiveReply<unknown>,
  { draining, check }: { readonly draining: AbortSignal; readonly check: (item: unknown) => void },
): Readable {
  const gone = new AbortController()
  const signal = AbortSignal.any([draining, gone.signal, AbortSignal.timeout(life_ms)])
  // Of its own, since a generator that waits for its next piece does not see that the client has gone.
  const body = new PassThrough()
  body.once('close', () => gone.abort())
  const giveUp = (): void => void body.destroy(new ClientTooSlow())
  const pieces = timed(texts(reply.open(signal), check, signal), piece_ms_max, giveUp)
  // What fails ends `body` with its error, which whoever sends it reports.
  pipeline(Readable.from(pieces, { highWaterMark: 1 }), body, () => undefined)
  return body
}

async function* texts(
  items: AsyncIterable<LiveItem<unknown>>,
  check: (item: unknown) => void,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const iterator = items[Symbol.asyncIterator]()
  yield ': the events from here on\n\n'
  let next = iterator.next()
  try {
    while (!signal.aborted) {
      const waited = new AbortController()
      const idle = pause(idle_ms, AbortSignal.any([waited.signal, signal])).then(() => 'idle' as const)
      const result = await Promise.race([next, idle])
      waited.abort()
      if (result === 'idle') {
        if (!signal.aborted) yield ':\n\n'
        continue
      }
      if (result.done === true) return
      check(result.value.item)
      yield `id: ${result.value.id}\ndata: ${JSON.stringify(result.value.item)}\n\n`
      next = iterator.next()
    }
  } finally {
    void iterator.return?.()
  }
}
