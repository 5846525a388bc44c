import type { Guild } from '../../../domain/guild/state.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'

interface Needs {
  readonly queries: { readonly guilds: Pick<Ports['queries']['guilds'], 'find' | 'namesOf'> }
}

/** The guild that an administrator names, also an unavailable one. Refuses with UNKNOWN_GUILD, also for a deleted one. */
export async function requireGuildThere({ queries }: Needs, id: GuildId): Promise<Guild> {
  return (await queries.guilds.find(id)) ?? reject('UNKNOWN_GUILD')
}

/** Refuses the same, and reads neither the guild's roles nor its channels. */
export async function refuseUnknownGuild({ queries }: Needs, id: GuildId): Promise<void> {
  const [name] = await queries.guilds.namesOf([id])
  if (!name) reject('UNKNOWN_GUILD')
}
