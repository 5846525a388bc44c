import type { Asker } from './asker.js'
import type { Timestamp } from '../../domain/kernel/timestamp.js'

/** What an image is of: the first part of its name in the store, and of its path below /media. */
export const imageKinds = [
  'icons',
  'banners',
  'splashes',
  'embed-splashes',
  'avatars',
  'channel-icons',
  'member-avatars',
  'member-banners',
  'branding',
] as const

export type ImageKind = (typeof imageKinds)[number]

/** An image that was taken in. */
export interface StoredImage {
  /** 32 of `[0-9a-f]`, after `a_` where it moves: what objects call it by. */
  readonly hash: string
  /** Pixels, as it is stored. */
  readonly width: number
  readonly height: number
}

/** Where an image belongs: nobody else's images are touched when it is replaced. */
export interface ImagePlace {
  readonly kind: ImageKind
  /** The id of the guild, account or group; of a member, those of guild and account with a hyphen between; of the instance, which of its branding assets. */
  readonly owner: string
}

/** A readable image, still or moving, before it is stored. */
export interface ReadImage {
  /** Whether what was sent moves, also where only its first frame could be read. */
  readonly animated: boolean
  /** Whether it is static as an invite splash has to be: it does not move, and is neither a GIF nor an APNG. */
  readonly isStill: boolean
  /** The colour that it mostly is, as 24 bits of RGB; null where nothing can be seen. */
  readonly colour: number | null
  readonly width: number
  readonly height: number
  readonly hash: string
  /** Stores it; storing the same again changes nothing. Rejects with Unavailable where the store can't be reached. */
  store(place: ImagePlace): Promise<StoredImage>
}

/** An image in the store. */
export interface KeptImage extends ImagePlace {
  readonly hash: string
  /** When it was stored last. */
  readonly storedAt: Timestamp
}

export interface Images {
  /**
   * Reads an image of a format that is known by its content (PNG, APNG, JPEG, WebP, GIF, AVIF, HEIC, HEIF, JXL, SVG), within
   * bounds of pixels, frames, time and memory. Undefined for anything else, an animated AVIF among it (contract part 1, Create
   * guild: INVALID_IMAGE_FORMAT). Rejects with Unavailable where too many
   * wait, which take turns among who asks, and refuses with RATE_LIMITED an account whose images take too much of the processor.
   */
  read(bytes: Uint8Array, asker: Asker): Promise<ReadImage | undefined>
  /** Removes an image that nothing names any more; one that is not there too. */
  remove(place: ImagePlace, hash: string): Promise<void>
  /** Removes every image of a guild, account, group or member that is gone. */
  removeAllOf(owner: string): Promise<void>
  /** All that is stored, of each kind owner by owner, in pages of at most 1000; what comes or goes meanwhile may be missing. */
  kept(): AsyncIterable<readonly KeptImage[]>
}
