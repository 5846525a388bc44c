import { field } from '../../domain/kernel/refusal.js'
import { requireUnlistedFile } from '../content-rules/require-unlisted-image.js'
import { reject } from '../commands/refused.js'
import type { Asker } from '../ports/asker.js'
import type { ReadImage } from '../ports/images.js'
import type { Ports } from '../ports.js'

/** What reading an image takes. */
export type ReadingNeeds = Pick<Ports, 'blocklistBox' | 'images' | 'queries'>

/** An image as a body carries it, and the member that carries it. */
export interface SentImage {
  /** The member's path, such as `icon`. */
  readonly path: string
  readonly bytes: Uint8Array
  /** What it may have at most, in bytes: a limit of whoever sends it. */
  readonly bytes_max: number
}

/**
 * Reads an image of a body. Refuses with IMAGE_SIZE_EXCEEDS_LIMIT, with CONTENT_BLOCKED for a file that is listed, and with
 * INVALID_IMAGE_FORMAT for what is not an image that can be read, and with RATE_LIMITED as `Images.read` does (contract part 1, Create guild; reference stores 4.13).
 */
export async function readImage(
  needs: ReadingNeeds,
  asker: Asker,
  { path, bytes, bytes_max }: SentImage,
): Promise<ReadImage> {
  if (bytes.length > bytes_max) reject('INVALID_FORM_BODY', field(path, 'IMAGE_SIZE_EXCEEDS_LIMIT'))
  await requireUnlistedFile(needs, bytes)
  return (await needs.images.read(bytes, asker)) ?? reject('INVALID_FORM_BODY', field(path, 'INVALID_IMAGE_FORMAT'))
}
