import type { SeenPicture } from '../../../application/ports/attachments.ts'
import type { DecodedImage } from './decode.ts'

/** What is asked of an image: to decode it, or only to look at a file. */
export type Asked = { readonly bytes: Uint8Array } | { readonly path: string }

/** A request to the decoding process. */
export type Decoding = Asked & { readonly id: number }

/** What came of an image. */
export type Result =
  | { readonly outcome: 'decoded'; readonly image: DecodedImage }
  | { readonly outcome: 'seen'; readonly picture: SeenPicture }
  | { readonly outcome: 'unreadable' | 'too large' }

/** The answer of the decoding process. */
export type Outcome = Result & {
  readonly id: number
  /** The processor time that it took. */
  readonly processor_ms: number
}
