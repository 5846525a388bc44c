import type { Opening, World } from '../visibility/world.js'
import type { KnownEvent } from './known-event.js'
import type { Lookups } from './lookups.js'

/**
 * Looks up the guild that a joiner comes to, where nobody here is in it yet: as the joiner finds it at the event or later.
 * Undefined where the world needs none, and where the joiner was gone again by then. Rejects with `LookupFailed`.
 */
export async function openingFor(
  event: KnownEvent,
  world: World,
  lookups: Pick<Lookups, 'snapshot'>,
): Promise<Opening | undefined> {
  if (!world.needsOpening(event)) return undefined
  const { data, position } = event
  const snapshot = await lookups.snapshot(data.accountId, position)
  const found = snapshot?.guilds.find(({ guild }) => guild.id === data.guildId)
  return snapshot && found && { ...found, position: snapshot.position }
}
