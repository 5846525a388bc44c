import type { ImagePlace } from '../ports/images.js'
import type { Ports } from '../ports.js'

export type ReplacingNeeds = Pick<Ports, 'deferred' | 'images'>

/** What an image was called, and what it is called now; null for none. */
export interface Replacement {
  readonly before: string | null
  readonly after: string | null
}

/**
 * Removes a replaced image once the answer is on its way: nobody is told of it any more. One that `named` gives by then was set
 * again meanwhile, and stays.
 */
export function removeReplaced(
  { deferred, images }: ReplacingNeeds,
  place: ImagePlace,
  { before, after }: Replacement,
  named: () => Promise<string | null>,
): void {
  if (before === null || before === after) return
  deferred.run(async () => {
    if ((await named()) !== before) await images.remove(place, before)
  })
}
