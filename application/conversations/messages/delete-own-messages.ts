import { lacking } from '../../../domain/permissions/authority.ts'
import type { Guild } from '../../../domain/guild/state.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { placesOf } from './guild-places.ts'

type Needs = Pick<Ports, 'messages' | 'queries'>

/**
 * Permanently deletes every message that the caller wrote in a guild, in all channels and threads. Resolves once all
 * are deleted; each batch notifies at once. Also works in an unavailable guild. Refuses with 404 UNKNOWN_GUILD, 403
 * MISSING_PERMISSIONS for callers who are not members. See rules/members#delete-own-messages.
 */
export function deleteOwnMessages(ports: Needs) {
  return async (caller: Caller, guildId: GuildId): Promise<void> => {
    const found = await ports.queries.guilds.findFor(guildId, caller.account.id)
    if (!found) return reject('UNKNOWN_GUILD')
    if (!found.member) return reject(lacking('membership'))
    await removeOwnMessages(ports, caller, found.guild)
  }
}

/** The same for a guild already found. */
export async function removeOwnMessages(
  ports: Needs,
  { account }: Pick<Caller, 'account'>,
  guild: Pick<Guild, 'id' | 'channels'>,
): Promise<void> {
  const places = await placesOf(ports, guild)
  await ports.messages.removeOfAuthor(account.id, places)
}
