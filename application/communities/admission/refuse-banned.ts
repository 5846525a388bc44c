import { membershipId, type GuildId } from '../../../domain/ids/ids.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'
import { isBanned } from '../../../domain/membership/state.js'
import { reject } from '../../commands/refused.js'
import type { Newcomer } from '../../ports/queries/guild-ban-queries.js'
import type { Ports } from '../../ports.js'

/**
 * Refuses whom a guild keeps out, with USER_BANNED_FROM_GUILD by the account or its e-mail address, and then with
 * USER_IP_BANNED_FROM_GUILD by the network that it comes from (supplement, Accept invite; reference gateway 5.5). The account's
 * own ban is read off its membership, which no race gets past; the others off the read model, and once more after the join
 * (`joinUnlessBanned`).
 */
export async function refuseBanned(
  { aggregates, queries }: Pick<Ports, 'aggregates' | 'queries'>,
  guildId: GuildId,
  newcomer: Newcomer,
  now: Timestamp,
): Promise<void> {
  const { state } = await aggregates.membership.load(membershipId(guildId, newcomer.accountId))
  if (isBanned(state, now)) reject('USER_BANNED_FROM_GUILD')
  const by = await queries.guildBans.keepingOut(guildId, newcomer, now)
  if (by !== undefined) reject(refusalFor(by))
}

/** The code that says by what a guild keeps somebody out. */
export function refusalFor(by: 'person' | 'network'): 'USER_BANNED_FROM_GUILD' | 'USER_IP_BANNED_FROM_GUILD' {
  return by === 'person' ? 'USER_BANNED_FROM_GUILD' : 'USER_IP_BANNED_FROM_GUILD'
}
