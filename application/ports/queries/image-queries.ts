import type { ImageKind } from '../images.js'

/** An image by whom it is of and what it is called. */
export interface NamedImage {
  /** As ImagePlace has it. */
  readonly owner: string
  readonly hash: string
}

export interface ImageQueries {
  /** The images of a kind that these owners are shown with; at most 1000 owners. */
  named(kind: ImageKind, owners: readonly string[]): Promise<readonly NamedImage[]>
}
