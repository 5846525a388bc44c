import type { Page } from './fetch-page.ts'

const picture_bytes_max = 8 * 1024 * 1024
/** What the bytes are is decided by whoever reads them; some servers do not say. */
const maybePicture = /^(?:image\/|application\/octet-stream\b|$)/i

/** The bytes of an answer that may be a picture; undefined for any other, and for one that has more bytes than anybody reads. */
export async function readPicture({ contentType, body }: Page): Promise<Uint8Array | undefined> {
  try {
    if (!maybePicture.test(contentType) || Number(body.headers['content-length'] ?? 0) > picture_bytes_max)
      return undefined
    const chunks: Buffer[] = []
    let read_bytes = 0
    for await (const chunk of body as AsyncIterable<Buffer>) {
      read_bytes += chunk.length
      if (read_bytes > picture_bytes_max) return undefined
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } finally {
    body.destroy()
  }
}
