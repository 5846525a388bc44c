import type { KnownEvent } from '../visibility/known-event.ts'
import type { World } from '../visibility/world.ts'

/** The events that change an account's authenticator types, which its bots share. */
const copied: ReadonlySet<KnownEvent['type']> = new Set(['TotpEnabled', 'TotpDisabled', 'PasskeysChosenAsSecondFactor'])

/**
 * The events to dispatch for an event: itself and, if it changes authenticator types, a copy for each bot of the
 * account with sessions here.
 */
export function asToldOf(world: World, event: KnownEvent): readonly KnownEvent[] {
  if (!copied.has(event.type) || !('accountId' in event.data)) return [event]
  const bots = world.botsOf(event.data.accountId)
  // The same event for another account: its type and the rest of its data stay.
  return [event, ...bots.map((accountId) => ({ ...event, data: { ...event.data, accountId } }) as KnownEvent)]
}
