import type { AccountId, GuildId } from '../../../domain/ids/ids.ts'
import type { Acting } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { whileNotOwner } from '../../communities/members/guild-member.ts'
import type { Ports } from '../../ports.ts'
import type { AdminGuildObject } from '../../wire-objects/administration/admin-guild-object.ts'
import { asInstance } from './as-instance.ts'
import { changedGuild, type ChangedGuildNeeds } from './changed-guild.ts'

/**
 * Ends a membership, as the instance. Refuses with UNKNOWN_GUILD, `CANNOT_LEAVE_GUILD_AS_OWNER` on `user_id` for the owner, UNKNOWN_MEMBER for an account that is
 * not a member, and RESOURCE_LOCKED as `whileNotOwner` does.
 */
export function removeGuildMember(ports: ChangedGuildNeeds & Pick<Ports, 'aggregates' | 'locks'>) {
  return async ({ context }: Acting, guildId: GuildId, accountId: AccountId): Promise<AdminGuildObject> => {
    const { guild, membership } = ports.aggregates
    if ((await guild.load(guildId)).state.status !== 'active') return reject('UNKNOWN_GUILD')
    const kick = { type: 'KickMember', now: context.now } as const
    await whileNotOwner(ports, guildId, { accountId, refusal: 'CANNOT_LEAVE_GUILD_AS_OWNER' }, (id) =>
      membership.execute(id, kick, asInstance(context)),
    )
    return changedGuild(ports, guildId, context)
  }
}
