import type { ImagePlace } from '../ports/images.js'
import type { Ports } from '../ports.js'

export type ReplacingNeeds = Pick<Ports, 'afterwards' | 'images'>

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
  { afterwards, images }: ReplacingNeeds,
  place: ImagePlace,
  { before, after }: Replacement,
  named: () => Promise<string | null>,
): void {
  if (before === null || before === after) return
  afterwards.run(async () => {
    if ((await named()) !== before) await images.remove(place, before)
  })
}
