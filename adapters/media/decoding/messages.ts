import type { DecodedImage } from './decode.js'

/** What the process that decodes is asked. */
export interface Decoding {
  readonly id: number
  readonly bytes: Uint8Array
}

/** What it answers. */
export type Outcome =
  | { readonly id: number; readonly outcome: 'decoded'; readonly image: DecodedImage }
  | { readonly id: number; readonly outcome: 'unreadable' }
