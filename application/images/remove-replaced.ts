import type { ImageLocation } from '../ports/images.ts'
import type { Ports } from '../ports.ts'

export type ReplacingNeeds = Pick<Ports, 'deferred' | 'images'>

/** The hash of an image before and after a change; null for no image. */
export interface Replacement {
  readonly before: string | null
  readonly after: string | null
}

/**
 * Removes a replaced image after the answer, when nothing shows it any more. Keeps it if `named` gives it then: it was set again
 * meanwhile.
 */
export function removeReplaced(
  { deferred, images }: ReplacingNeeds,
  location: ImageLocation,
  { before, after }: Replacement,
  named: () => Promise<string | null>,
): void {
  if (before === null || before === after) return
  deferred.run(async () => {
    if ((await named()) !== before) await images.remove(location, before)
  })
}
