import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { PagedReply } from '../paged-reply.ts'
import { ClientTooSlow, timed } from '../timed-pieces.ts'

/** A client that takes longer for a page no longer holds the server's memory. */
const page_ms_max = 30_000
/** Between two pages, so that a long list leaves the processor to requests that somebody waits for. */
const rest_ms = 2

/**
 * The JSON array of a reply, a page at a time. The first page is read before this resolves, so that what fails by then is answered
 * like any other error; what fails later ends the connection. `check` sees every page before it is written.
 */
export async function pagedBody(
  { pages }: PagedReply<unknown>,
  check: (page: readonly unknown[]) => void,
): Promise<Readable> {
  const iterator = pages[Symbol.asyncIterator]()
  const first = await iterator.next()
  if (!first.done) check(first.value)
  const giveUp = (): void => void body.destroy(new ClientTooSlow())
  const body = Readable.from(timed(texts(first, iterator, check), page_ms_max, giveUp), { highWaterMark: 1 })
  return body
}

async function* texts(
  first: IteratorResult<readonly unknown[]>,
  iterator: AsyncIterator<readonly unknown[]>,
  check: (page: readonly unknown[]) => void,
): AsyncGenerator<string> {
  let before = '['
  for (let page = first; !page.done; page = await iterator.next()) {
    if (page !== first) {
      await pause(rest_ms)
      check(page.value)
    }
    if (page.value.length === 0) continue
    yield before + JSON.stringify(page.value).slice(1, -1)
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}
