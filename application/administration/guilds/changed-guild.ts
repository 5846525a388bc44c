import type { GuildId } from '../../../domain/ids/ids.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { adminGuildObject, type AdminGuildObject } from '../../wire-objects/administration/admin-guild-object.ts'

export type ChangedGuildNeeds = Pick<Ports, 'queries' | 'readModels'>

/** The guild after a change, once the read models hold it. Refuses with UNKNOWN_GUILD if it was deleted meanwhile. */
export async function changedGuild(
  { queries, readModels }: ChangedGuildNeeds,
  guildId: GuildId,
  { settled }: Pick<CommandContext, 'settled'>,
): Promise<AdminGuildObject> {
  await readModels.reached(settled)
  const [guild = reject('UNKNOWN_GUILD')] = await queries.guilds.summariesOf([guildId])
  return adminGuildObject(guild, await queries.accounts.find(guild.ownerId), undefined)
}
