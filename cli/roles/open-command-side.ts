import type { Ports } from '../../application/ports.js'
import type { Base } from './base.js'
import { openBesideHistory } from './beside-history.js'
import { openImages, type OpenImages } from './open-images.js'
import { portsOf, type Seams } from './ports-of.js'
import { openSharedParts, type SharedParts } from './shared-parts.js'

/** What only processes have that carry out commands: those of clients, and those that finish what others have begun. */
export interface CommandSide extends Pick<SharedParts, 'rateLimits' | 'workerId'> {
  readonly ports: Ports
  /** Where images are read. */
  readonly media: OpenImages['media']
}

export async function openCommandSide(base: Base, seams: Omit<Seams, 'images'>): Promise<CommandSide> {
  const shared = await openSharedParts(base)
  const beside = await openBesideHistory(base, seams.publicUrl)
  const { images, media } = await openImages(base)
  return { ...shared, media, ports: portsOf(base, shared, beside, { ...seams, images }) }
}
