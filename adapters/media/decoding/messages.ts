import type { DecodedImage } from './decode.ts'

/** A request to the decoding process. */
export interface Decoding {
  readonly id: number
  readonly bytes: Uint8Array
}

/** Its answer. */
export type Outcome = Decoded | Unreadable

interface Decoded extends Done {
  readonly outcome: 'decoded'
  readonly image: DecodedImage
}

interface Unreadable extends Done {
  readonly outcome: 'unreadable' | 'too large'
}

interface Done {
  readonly id: number
  /** The processor time that it took. */
  readonly processor_ms: number
}
