import type { ImageKind } from '../../../domain/images/image-kinds.ts'

/** An image by its owner and its hash. */
export interface NamedImage {
  /** In the form of ImageLocation. */
  readonly owner: string
  readonly hash: string
}

export interface ImageQueries {
  /** The images of a kind that these owners use now; at most 1000 owners. */
  named(kind: ImageKind, owners: readonly string[]): Promise<readonly NamedImage[]>
}
