import type { z } from 'zod'

/** An export never writes a longer line. */
export const line_bytes_max = 16 * 1024 * 1024

const newline = 0x0a

/**
 * The lines of a stream of bytes, without their newlines, as they arrive. Rejects if a line is too long, or if the last one
 * does not end: then the file was cut off.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Buffer[]> {
  let rest = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : Buffer.from(chunk)
    const lines: Buffer[] = []
    let start = 0
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      lines.push(bytes.subarray(start, end))
      start = end + 1
    }
    rest = bytes.subarray(start)
    if (rest.length > line_bytes_max) throw new Error(`The file has a line of more than ${line_bytes_max} bytes`)
    if (lines.length > 0) yield lines
  }
  if (rest.length > 0) throw new Error('The file ends in the middle of a line: it is not whole')
}

/** Regroups pages of any size into blocks of `size`; the last block may be smaller. */
export async function* blocksOf<Thing>(
  pages: AsyncIterable<readonly Thing[]>,
  size: number,
): AsyncGenerator<readonly Thing[]> {
  let block: Thing[] = []
  for await (const page of pages) {
    for (const thing of page) {
      block.push(thing)
      if (block.length < size) continue
      yield block
      block = []
    }
  }
  if (block.length > 0) yield block
}

/** The things of pages, one after the other. */
export async function* each<Thing>(pages: AsyncIterable<readonly Thing[]>): AsyncGenerator<Thing, undefined> {
  for await (const page of pages) yield* page
  return undefined
}

/** The JSON value of a line; undefined if it is none. */
export function jsonOf(line: Buffer | string): unknown {
  try {
    return JSON.parse(line.toString('utf8'))
  } catch (error) {
    return error instanceof SyntaxError ? undefined : error
  }
}

/** What is wrong with a line. */
export function faultOf({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`).join('; ')
}
