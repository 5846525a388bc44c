import { field } from '../../domain/kernel/refusal.ts'
import { requireUnlistedFile } from '../content-rules/require-unlisted-file.ts'
import { reject } from '../commands/refused.ts'
import type { Asker } from '../ports/asker.ts'
import type { ReadImage } from '../ports/images.ts'
import type { Ports } from '../ports.ts'

/** The ports that reading an image needs. */
export type ReadingNeeds = Pick<Ports, 'blocklistBox' | 'images' | 'queries'>

/** An image in a request body, and the member that carries it. */
export interface SentImage {
  /** The member's path, such as `icon`. */
  readonly path: string
  readonly bytes: Uint8Array
  /** The maximum size in bytes: a limit of the sender. */
  readonly bytes_max: number
}

/**
 * Reads an image from a request body. Refuses with IMAGE_SIZE_EXCEEDS_LIMIT, with CONTENT_BLOCKED for a listed file,
 * with INVALID_IMAGE_FORMAT for anything that cannot be read as an image, and with RATE_LIMITED as `Images.read` does. See
 * rules/http-and-limits#images.
 */
export async function readImage(
  needs: ReadingNeeds,
  asker: Asker,
  { path, bytes, bytes_max }: SentImage,
): Promise<ReadImage> {
  if (bytes.length > bytes_max) reject('INVALID_FORM_BODY', field(path, 'IMAGE_SIZE_EXCEEDS_LIMIT'))
  await requireUnlistedFile(needs, bytes)
  return readOrRefuse(needs, asker, path, bytes)
}

/**
 * Decodes an image whose size in bytes was checked. Refuses with INVALID_IMAGE_FORMAT, and with IMAGE_SIZE_EXCEEDS_LIMIT for one of too
 * many pixels or frames (docs/beside-history.md, Images).
 */
export async function readOrRefuse(
  { images }: Pick<Ports, 'images'>,
  asker: Asker,
  path: string,
  bytes: Uint8Array,
): Promise<ReadImage> {
  const read = await images.read(bytes, asker)
  if (typeof read !== 'string') return read
  return reject('INVALID_FORM_BODY', field(path, codes[read]))
}

const codes = { unreadable: 'INVALID_IMAGE_FORMAT', 'too large': 'IMAGE_SIZE_EXCEEDS_LIMIT' } as const
