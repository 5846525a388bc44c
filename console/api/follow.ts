import { open, type RawInput } from './call.ts'
import type { OperationId } from './operations.ts'

/** An item of an answer that does not end by itself, with the position after which a reader goes on. */
export interface Followed<Item> {
  readonly id: string
  readonly item: Item
}

const again_ms = 1000

/**
 * Reads server-sent events, and goes on after the last one as often as the answer ends or the connection is lost, until `signal`
 * aborts. Rejects with a Failure where the server refuses. An EventSource would send no Authorization header.
 */
export async function* follow<Item>(
  id: OperationId,
  input: RawInput,
  signal: AbortSignal,
): AsyncGenerator<Followed<Item>> {
  let { after } = input.query ?? {}
  while (!signal.aborted) {
    const body = await open(id, { ...input, query: { ...input.query, after } }, signal)
    try {
      for await (const block of blocksOf(body)) {
        const followed = itemIn<Item>(block)
        if (!followed) continue
        after = followed.id
        yield followed
      }
    } catch (error) {
      // What reading a body rejects with where the connection is lost.
      if (!(error instanceof TypeError)) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, again_ms))
  }
}

/** The blocks of a text of server-sent events: empty lines stand between them. */
async function* blocksOf(body: ReadableStream<BufferSource>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (text + value).split('\n\n')
      text = blocks.pop() ?? ''
      yield* blocks
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** What a block tells; undefined for one that only keeps the connection open. */
function itemIn<Item>(block: string): Followed<Item> | undefined {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const [, name, value] = /^(id|data): ?(.*)$/.exec(line) ?? []
    if (name !== undefined && value !== undefined) fields.set(name, (fields.get(name) ?? '') + value)
  }
  const [id, data] = [fields.get('id'), fields.get('data')]
  return id === undefined || data === undefined ? undefined : { id, item: JSON.parse(data) }
}
