import type { Asker } from './asker.ts'
import type { ImageKind } from '../../domain/images/image-kinds.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'

/** An image after it was stored. */
export interface StoredImage {
  /** 32 of `[0-9a-f]`, after `a_` if it is animated. Objects name the image by this hash. */
  readonly hash: string
  /** In pixels, as stored. */
  readonly width: number
  readonly height: number
}

/** Where an image belongs. Replacing it never touches the images of another owner or kind. */
export interface ImageLocation {
  readonly kind: ImageKind
  /**
   * The id of the guild, account or group. For a member, guild id and account id joined by a hyphen; for an emoji or sticker,
   * guild id and its own joined by a slash, so that it goes with its guild. For the instance, the name of the branding asset.
   */
  readonly owner: string
}

/** A readable image, still or animated, before it is stored. */
export interface ReadImage {
  /** Whether the sent image is animated, even if only its first frame could be read. */
  readonly animated: boolean
  /** Whether it is static, as an invite splash must be: not animated, and neither a GIF nor an APNG. */
  readonly isStill: boolean
  /** The dominant colour as 24 bits of RGB; null if nothing is visible. */
  readonly colour: number | null
  readonly width: number
  readonly height: number
  readonly hash: string
  /** Stores the image. Storing it again changes nothing. Rejects with Unavailable if the store can't be reached. */
  store(location: ImageLocation): Promise<StoredImage>
}

/** An image in the store. */
export interface KeptImage extends ImageLocation {
  readonly hash: string
  /** When it was last stored. */
  readonly storedAt: Timestamp
}

/** Why an image was not read. */
export type NotRead = 'unreadable' | 'too large'

export interface Images {
  /**
   * Reads an image, whose format its content tells (PNG, APNG, JPEG, WebP, GIF, AVIF, HEIC, HEIF, JXL, SVG), within
   * bounds of pixels, frames, time and memory. `too large` for one of more pixels or frames, `unreadable` for anything
   * else, including an animated AVIF: clients get IMAGE_SIZE_EXCEEDS_LIMIT and INVALID_IMAGE_FORMAT. Askers take turns;
   * rejects with Unavailable when too many wait. Refuses with RATE_LIMITED an account whose images take too much
   * processor time.
   */
  read(bytes: Uint8Array, asker: Asker): Promise<ReadImage | NotRead>
  /** Stores an image a second time, for another owner. False if it is not there. */
  copy(from: ImageLocation, hash: string, to: ImageLocation): Promise<boolean>
  /** Removes an image that nothing names any more. Does nothing if it is not there. */
  remove(location: ImageLocation, hash: string): Promise<void>
  /** Removes every image of a guild, account, group or member that no longer exists; of a guild, those of its expressions too. */
  removeAllOf(owner: string): Promise<void>
  /** The hashes of the bytes of everything that is stored of a guild, account, group or member. */
  contentsOf(owner: string): Promise<readonly string[]>
  /**
   * All stored images, for each kind owner by owner, in pages of at most 1000. Images added or removed meanwhile may be missing.
   */
  kept(): AsyncIterable<readonly KeptImage[]>
}
