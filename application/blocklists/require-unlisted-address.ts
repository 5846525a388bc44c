import { blocks } from '../../domain/blocklist-entry/lists.js'
import { reject } from '../commands/refused.js'
import type { Ports } from '../ports.js'
import { entryIdOf } from './entry-ids.js'

/**
 * Demands that an e-mail address, normalised, may become an account's: refuses with CONTENT_BLOCKED where it is on the
 * blocklist (reference identity 4.3, stores 4.13).
 */
export async function requireUnlistedAddress(
  needs: Pick<Ports, 'blocklistBox' | 'queries'>,
  email: string,
): Promise<void> {
  const found = await needs.queries.blocklists.findMany([entryIdOf(needs, 'email', null, { key: email })])
  if (found.some(({ details }) => blocks(details.severity))) reject('CONTENT_BLOCKED')
}
