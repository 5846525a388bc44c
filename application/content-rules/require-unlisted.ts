import { blocks, type Blocklist } from '../../domain/blocklist-entry/lists.ts'
import { reject } from '../commands/refused.ts'
import type { Ports } from '../ports.ts'
import { entryIdOf } from './entry-ids.ts'

/** Demands that a blocklist without scopes has none of these keys at a blocking severity: CONTENT_BLOCKED. */
export async function requireUnlisted(
  needs: Pick<Ports, 'blocklistBox' | 'queries'>,
  list: Exclude<Blocklist, 'profile-substring'>,
  keys: readonly string[],
): Promise<void> {
  const found = await needs.queries.blocklists.findMany(keys.map((key) => entryIdOf(needs, list, null, { key })))
  if (found.some(({ details }) => blocks(details.severity))) reject('CONTENT_BLOCKED')
}
