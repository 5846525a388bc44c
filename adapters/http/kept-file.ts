import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** How a file is sent: as it is, or compressed. */
export type Encoding = 'identity' | 'gzip' | 'br'

/** The forms that are compressed, with the ends of their names in a folder. The one that clients should take stands first. */
export const compressions = { br: '.br', gzip: '.gz' } as const

/** Where the content of a file comes from. */
interface Source {
  readonly hash: () => string
  readonly read: (encoding: Encoding) => Promise<Buffer>
}

/**
 * A file that is the same for everybody as long as the process runs. It is read, or compressed, once for each way to send it, and
 * a client that has it already is told so.
 */
export class KeptFile {
  readonly #bodies = new Map<Encoding, Buffer>()
  readonly #source: Source

  constructor(source: Source) {
    this.#source = source
  }

  /** The entity tag. It is a weak one, since all encodings share it (RFC 9110, 8.8.3.3). */
  get tag(): string {
    return `W/"${this.#source.hash()}"`
  }

  async body(encoding: Encoding): Promise<Buffer> {
    const known = this.#bodies.get(encoding)
    if (known) return known
    const body = await this.#source.read(encoding)
    this.#bodies.set(encoding, body)
    return body
  }
}

/** A file of what `make` gives, which is asked at the first request. */
export function fileOf(make: () => string): KeptFile {
  let made: { readonly content: Buffer; readonly hash: string } | undefined
  const file = (): NonNullable<typeof made> => {
    if (made) return made
    const content = Buffer.from(make())
    return (made = { content, hash: hashOf(content) })
  }
  return new KeptFile({
    hash: () => file().hash,
    read: async (encoding) => compressed(file().content, encoding),
  })
}

/** A file at `url`, with its compressed forms beside it. */
export function fileAt(url: URL, hash: string): KeptFile {
  const end = (encoding: Encoding): string => (encoding === 'identity' ? '' : compressions[encoding])
  return new KeptFile({ hash: () => hash, read: (encoding) => readFile(new URL(url.href + end(encoding))) })
}

/** What an entity tag is made of. */
export function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22)
}

/** Compresses on a thread of its own. */
export async function compressed(content: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'identity') return content
  if (encoding === 'gzip') return await promisify(gzip)(content, { level: 9 })
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants
  const params = { [BROTLI_PARAM_QUALITY]: 9, [BROTLI_PARAM_SIZE_HINT]: content.byteLength }
  return await promisify(brotliCompress)(content, { params })
}
