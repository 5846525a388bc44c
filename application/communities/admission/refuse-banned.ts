import { membershipId, type GuildId } from '../../../domain/ids/ids.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'
import { isBanned } from '../../../domain/membership/state.js'
import { reject } from '../../commands/refused.js'
import type { Newcomer } from '../../ports/queries/guild-ban-queries.js'
import type { Ports } from '../../ports.js'

/**
 * Refuses newcomers that a guild has banned: with USER_BANNED_FROM_GUILD by the account or its e-mail address, then with
 * USER_IP_BANNED_FROM_GUILD by its network (supplement, Accept invite; reference gateway 5.5). The account's own ban is read from
 * its membership, so no race gets past it. The other bans are read from the read model, and once more after the join
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

/** The refusal for what a guild has banned. */
export function refusalFor(by: 'person' | 'network'): 'USER_BANNED_FROM_GUILD' | 'USER_IP_BANNED_FROM_GUILD' {
  return by === 'person' ? 'USER_BANNED_FROM_GUILD' : 'USER_IP_BANNED_FROM_GUILD'
}
