import type { Opening, World } from '../visibility/world.ts'
import type { KnownEvent } from '../visibility/known-event.ts'
import type { Lookups } from '../visibility/lookups.ts'

/**
 * Looks up the guild that an account joins, if no session here is in it yet: as the account finds it at the event or
 * later. Undefined if the world needs no such guild, or if the account has left again meanwhile. Rejects with
 * `LookupFailed`.
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
