import type { AccountId, GuildId } from '../../../domain/ids/ids.ts'
import type { Acting } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { makeOwner, type OwnershipNeeds } from '../../communities/guilds/transfer-ownership.ts'
import type { AdminGuildObject } from '../../wire-objects/administration/admin-guild-object.ts'
import { asInstance } from './as-instance.ts'
import { changedGuild, type ChangedGuildNeeds } from './changed-guild.ts'

export interface NewlyOwned {
  readonly guild: AdminGuildObject
  readonly oldOwnerId: AccountId
}

/**
 * Makes a member the owner of its guild, as the instance: nobody is asked for ownership or sudo mode. Does nothing for the present
 * owner. Refuses with UNKNOWN_GUILD, UNKNOWN_MEMBER, CANNOT_TRANSFER_OWNERSHIP_TO_BOT, and RESOURCE_LOCKED as `makeOwner` does.
 */
export function setGuildOwner(ports: ChangedGuildNeeds & OwnershipNeeds) {
  return async ({ context }: Acting, guildId: GuildId, to: AccountId): Promise<NewlyOwned> => {
    const { aggregates, queries } = ports
    const { state: before } = await aggregates.guild.load(guildId)
    if (before.status !== 'active') return reject('UNKNOWN_GUILD')
    if (!(await queries.members.find(guildId, to))) reject('UNKNOWN_MEMBER')
    if ((await queries.accounts.find(to))?.bot) reject('CANNOT_TRANSFER_OWNERSHIP_TO_BOT')
    await makeOwner(ports, guildId, { by: 'instance', to }, asInstance(context))
    return { guild: await changedGuild(ports, guildId, context), oldOwnerId: before.ownerId }
  }
}
