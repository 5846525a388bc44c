import type { KnownEvent } from './known-event.js'
import type { World } from '../visibility/world.js'

/** What changes the authenticator types of an account, which its bots have from it. */
const copied: ReadonlySet<KnownEvent['type']> = new Set(['TotpEnabled', 'TotpDisabled', 'PasskeysChosenAsSecondFactor'])

/**
 * An event as it is told: once as it is, and where it changes authenticator types, once more of each bot of the account that has
 * sessions here (reference identity 5.5: User Update goes to the owner and each affected bot).
 */
export function asToldOf(world: World, event: KnownEvent): readonly KnownEvent[] {
  if (!copied.has(event.type) || !('accountId' in event.data)) return [event]
  const bots = world.botsOf(event.data.accountId)
  // The same event of another account: its type and the rest of its data stay.
  return [event, ...bots.map((accountId) => ({ ...event, data: { ...event.data, accountId } }) as KnownEvent)]
}
