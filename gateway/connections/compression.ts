import type { Transform } from 'node:stream'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { inboundFrame_bytes_max } from '../limits.ts'
import { closings, type Closing } from '../protocol/closings.ts'

// The types of Node are older than zstd in it.
declare module 'node:zlib' {
  interface ZstdSettings {
    readonly chunkSize?: number
    readonly params?: Readonly<Record<number, number>>
  }
  interface ZstdStream extends Transform {
    flush(kind: number, done: () => void): void
    close(): void
  }
  function createZstdCompress(settings: ZstdSettings): ZstdStream
  function createZstdDecompress(settings: ZstdSettings): ZstdStream
}

/** Numbers of zstd.h. */
export const zstd = {
  c: { compressionLevel: 100, windowLog: 101, hashLog: 102, chainLog: 103 },
  d: { windowLogMax: 100 },
  flush: 1,
} as const

/** What a client asks for in its query. Everything else means none. */
export function asksForCompression(query: URLSearchParams): boolean {
  return query.get('compress') === 'zstd-stream' && ['1', 'true'].includes(query.get('stream') ?? '')
}

/**
 * Level 3, with tables and a window for payloads, not for files: a tenth of the memory. A client's own window may be that of level 3
 * for files.
 */
const outbound = {
  params: {
    [zstd.c.compressionLevel]: 3,
    [zstd.c.windowLog]: 16,
    [zstd.c.hashLog]: 14,
    [zstd.c.chainLog]: 14,
  },
}
const inbound = { chunkSize: inboundFrame_bytes_max, params: { [zstd.d.windowLogMax]: 21 } }

/** The one zstd stream in which a connection sends its payloads. Each comes out whole before the next goes in. */
export class Compressor {
  readonly #stream = createZstdCompress(outbound)
  readonly #onError: (error: unknown) => void
  #waiting: { readonly payload: Buffer; readonly deliver: (compressed: Buffer) => void }[] = []
  #chunks: Buffer[] = []
  #isBusy = false

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
    this.#stream.on('data', (chunk: Buffer) => this.#chunks.push(chunk))
    this.#stream.on('error', (error) => {
      this.#onError(error)
    })
  }

  /** Compresses a payload after all earlier ones. An empty one gives nothing, once they are done. */
  compress(payload: Buffer, deliver: (compressed: Buffer) => void): void {
    this.#waiting.push({ payload, deliver })
    if (!this.#isBusy) this.#next()
  }

  close(): void {
    this.#waiting = []
    this.#stream.close()
  }

  #next(): void {
    const next = this.#waiting.shift()
    this.#isBusy = next !== undefined
    if (!next) return
    if (next.payload.length > 0) this.#stream.write(next.payload)
    this.#stream.flush(zstd.flush, () => {
      if (this.#stream.destroyed) return
      // What is not given out yet comes as `data` by this.
      while (this.#stream.read() !== null);
      const compressed = Buffer.concat(this.#chunks)
      this.#chunks = []
      next.deliver(compressed)
      this.#next()
    })
  }
}

/** The one zstd stream in which a client sends its payloads. */
export class Decompressor {
  readonly #stream = createZstdDecompress(inbound)
  readonly #onPayload: (payload: Buffer) => void
  readonly #onFailure: (closing: Closing) => void
  #waiting: Buffer[] = []
  #chunks: Buffer[] = []
  #bytes = 0
  #isBusy = false
  #hasFailed = false

  /** `onFailure` is called at most once, and nothing after it. */
  constructor(onPayload: (payload: Buffer) => void, onFailure: (closing: Closing) => void) {
    this.#onPayload = onPayload
    this.#onFailure = onFailure
    this.#stream.on('data', (chunk: Buffer) => {
      this.#take(chunk)
    })
    this.#stream.on('error', () => {
      this.#fail(closings.decompressionFailed)
    })
  }

  /** Takes one message of the client. */
  decompress(message: Buffer): void {
    this.#waiting.push(message)
    if (!this.#isBusy) this.#next()
  }

  close(): void {
    this.#waiting = []
    this.#stream.close()
  }

  #next(): void {
    const message = this.#waiting.shift()
    this.#isBusy = message !== undefined
    if (!message) return
    this.#stream.write(message, (error) => {
      if (error || this.#stream.destroyed) return
      while (this.#stream.read() !== null);
      const payload = Buffer.concat(this.#chunks)
      this.#chunks = []
      this.#bytes = 0
      if (this.#stream.destroyed) return
      this.#onPayload(payload)
      this.#next()
    })
  }

  /** Stops at the first byte too many: a few bytes may stand for any number. */
  #take(chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > inboundFrame_bytes_max) this.#fail(closings.payloadTooLarge)
    else this.#chunks.push(chunk)
  }

  #fail(closing: Closing): void {
    if (this.#hasFailed) return
    this.#hasFailed = true
    this.close()
    this.#onFailure(closing)
  }
}
