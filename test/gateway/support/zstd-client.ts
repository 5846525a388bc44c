import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { zstd } from '../../../gateway/connections/compression.ts'
import { Client, type Inflate } from './client.ts'

/** A client whose payloads are compressed in both directions: one zstd stream for each, and one message for each payload. */
export class ZstdClient extends Client {
  /** How many bytes came, compressed. */
  received_bytes = 0
  sent_bytes = 0
  readonly #outbound = createZstdCompress({ params: { [zstd.c.compressionLevel]: 3 } })

  constructor(url: string) {
    super(url, {}, { isSilent: true, inflating: () => inflating((bytes) => (this.received_bytes += bytes)) })
  }

  /** Sends a payload compressed. */
  override raw(payload: string | Buffer): void {
    const chunks: Buffer[] = []
    const take = (chunk: Buffer): void => void chunks.push(chunk)
    this.#outbound.on('data', take)
    this.#outbound.write(payload)
    this.#outbound.flush(zstd.flush, () => {
      while (this.#outbound.read() !== null);
      this.#outbound.off('data', take)
      this.uncompressed(Buffer.concat(chunks))
    })
  }

  /** Sends bytes as they are. */
  uncompressed(bytes: Buffer): void {
    this.sent_bytes += bytes.length
    super.raw(bytes)
  }
}

/** Inflates the messages of a server, which belong to one stream. Fails for a message that is not binary. */
function inflating(onBytes: (bytes: number) => void): Inflate {
  const inbound = createZstdDecompress({})
  const messages: Buffer[] = []
  let isBusy = false
  return (message, isBinary, deliver) => {
    if (!isBinary) throw new Error('a message of a compressed connection is not compressed')
    onBytes(message.length)
    messages.push(message)
    const next = (): void => {
      const [first] = messages.splice(0, 1)
      isBusy = first !== undefined
      if (!first) return
      const chunks: Buffer[] = []
      const take = (chunk: Buffer): void => void chunks.push(chunk)
      inbound.on('data', take)
      inbound.write(first, () => {
        while (inbound.read() !== null);
        inbound.off('data', take)
        deliver(Buffer.concat(chunks))
        next()
      })
    }
    if (!isBusy) next()
  }
}
