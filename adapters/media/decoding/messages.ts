import type { DecodedImage } from './decode.js'

/** What the process that decodes is asked. */
export interface Decoding {
  readonly id: number
  readonly bytes: Uint8Array
}

/** What it answers. */
export type Outcome = Decoded | Unreadable

interface Decoded extends Done {
  readonly outcome: 'decoded'
  readonly image: DecodedImage
}

interface Unreadable extends Done {
  readonly outcome: 'unreadable'
}

interface Done {
  readonly id: number
  /** What it took of the processor. */
  readonly processor_ms: number
}
