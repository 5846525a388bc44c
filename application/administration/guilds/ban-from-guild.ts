import { systemAccountId } from '../../../domain/account/system-account.ts'
import { membershipId, type AccountId, type GuildId } from '../../../domain/ids/ids.ts'
import type { Acting } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { imposeBan, type BanningNeeds, type BanWishes } from '../../communities/bans/ban-member.ts'
import type { AdminGuildObject } from '../../wire-objects/administration/admin-guild-object.ts'
import type { Ports } from '../../ports.ts'
import { asInstance } from './as-instance.ts'
import { changedGuild, type ChangedGuildNeeds } from './changed-guild.ts'

/**
 * Bans an account from a guild as Create guild ban does, as the instance: the moderator of the ban is the service itself. Replaces an
 * existing ban. Refuses with UNKNOWN_GUILD, UNKNOWN_USER, `CANNOT_LEAVE_GUILD_AS_OWNER` on `user_id` for the owner, and RESOURCE_LOCKED as `imposeBan` does.
 */
export function banFromGuild(ports: ChangedGuildNeeds & BanningNeeds) {
  return async (
    { context }: Acting,
    guildId: GuildId,
    accountId: AccountId,
    wishes: BanWishes,
  ): Promise<AdminGuildObject> => {
    await requireExisting(ports, guildId)
    const account = await ports.queries.accounts.find(accountId)
    if (!account || account.isErased) return reject('UNKNOWN_USER')
    const ban = { guildId, account, moderatorId: systemAccountId, wishes, ofOwner } as const
    await imposeBan(ports, ban, asInstance(context))
    return changedGuild(ports, guildId, context)
  }
}

/** Lifts a ban, as the instance. Refuses with UNKNOWN_GUILD, and with `USER_IS_NOT_BANNED` on `user_id` where there is none. */
export function unbanFromGuild(ports: ChangedGuildNeeds & Pick<Ports, 'aggregates'>) {
  return async ({ context }: Acting, guildId: GuildId, accountId: AccountId): Promise<AdminGuildObject> => {
    await requireExisting(ports, guildId)
    const lift = { type: 'UnbanMember', guildId, accountId, now: context.now } as const
    await ports.aggregates.membership.execute(membershipId(guildId, accountId), lift, asInstance(context))
    return changedGuild(ports, guildId, context)
  }
}

const ofOwner = 'CANNOT_LEAVE_GUILD_AS_OWNER'

async function requireExisting({ aggregates }: Pick<Ports, 'aggregates'>, guildId: GuildId): Promise<void> {
  const { state } = await aggregates.guild.load(guildId)
  if (state.status !== 'active') reject('UNKNOWN_GUILD')
}
