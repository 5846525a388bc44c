import type { IncomingMessage } from 'node:http'
import { Parser } from 'htmlparser2'

const page_bytes_max = 8 * 1024 * 1024

/** What the head of a page says of it: `title`, and its meta elements by property or name, the first of each. */
export type PageFacts = ReadonlyMap<string, string>

/** Reads a page up to the end of its head. Rejects if the page has more bytes than anybody reads, or breaks off. */
export async function readFacts(body: IncomingMessage, charset: string | undefined): Promise<PageFacts> {
  const facts = new Map<string, string>()
  let isRead = false
  let title: string | undefined
  const parser = new Parser({
    onopentag(name, { property, name: named, content }) {
      if (name === 'body') isRead = true
      if (name === 'title') title ??= ''
      const fact = (property ?? named)?.toLowerCase()
      if (name === 'meta' && fact !== undefined && content && !facts.has(fact)) facts.set(fact, content)
    },
    ontext(text) {
      if (title !== undefined && !facts.has('title')) title += text
    },
    onclosetag(name) {
      if (name === 'head') isRead = true
      if (name === 'title' && title !== undefined && !facts.has('title')) facts.set('title', title)
    },
  })
  const decoder = decoderOf(charset)
  let read_bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    read_bytes += chunk.length
    if (read_bytes > page_bytes_max) throw new Error('The page is too long')
    parser.write(decoder.decode(chunk, { stream: true }))
    if (isRead) break
  }
  parser.end()
  return facts
}

function decoderOf(charset: string | undefined) {
  try {
    return new TextDecoder(charset)
  } catch (error) {
    // An encoding that nobody knows.
    if (!(error instanceof RangeError)) throw error
    return new TextDecoder()
  }
}
