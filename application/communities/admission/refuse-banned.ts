import type { GuildId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { reject } from '../../commands/refused.ts'
import type { KeptOutBy, Newcomer } from '../../ports/queries/guild-ban-queries.ts'
import type { Ports } from '../../ports.ts'

/**
 * Refuses whom a guild keeps out, with USER_BANNED_FROM_GUILD by the account or its e-mail address, and then with
 * USER_IP_BANNED_FROM_GUILD by the network that it comes from (rules/members#what-a-ban-matches). All are read off
 * the read model. What it does not show yet stops the account later: its own ban when it joins, since its membership holds that ban,
 * and the others after the join (`joinUnlessBanned`).
 */
export async function refuseBanned(
  { queries }: Pick<Ports, 'queries'>,
  guildId: GuildId,
  newcomer: Newcomer,
  now: Timestamp,
): Promise<void> {
  refuseKeptOut(await queries.guildBans.keepingOut(guildId, newcomer, now))
}

/** The same for whom a read has shown already. */
export function refuseKeptOut(by: KeptOutBy): void {
  if (by !== undefined) reject(refusalFor(by))
}

/** The refusal for what a guild has banned. */
export function refusalFor(by: NonNullable<KeptOutBy>): 'USER_BANNED_FROM_GUILD' | 'USER_IP_BANNED_FROM_GUILD' {
  return by === 'person' ? 'USER_BANNED_FROM_GUILD' : 'USER_IP_BANNED_FROM_GUILD'
}
