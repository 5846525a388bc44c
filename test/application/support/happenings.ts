import { acceptInvite } from '../../../application/communities/invites/accept-invite.ts'
import type { GuildCommand } from '../../../domain/guild/commands.ts'
import { inviteCode, membershipId, type AccountId, type GuildId } from '../../../domain/ids/ids.ts'
import { bareBan } from '../../../domain/testing/people.ts'
import type { World } from './world.ts'

/** Accepts an invite for an account. */
export async function accept(on: World, account: AccountId, code: string) {
  return acceptInvite(on.ports)(await on.as(account), inviteCode(code))
}

/** Bans an account from a guild, bypassing the operations. */
export async function ban(
  on: World,
  guildId: GuildId,
  accountId: AccountId,
  expiresAt: World['now'] | null = null,
): Promise<void> {
  const { context } = on.requester()
  const command = {
    type: 'BanMember',
    guildId,
    accountId,
    moderatorId: accountId,
    reason: null,
    expiresAt,
    ...bareBan,
    now: on.now,
  } as const
  await on.ports.aggregates.membership.execute(membershipId(guildId, accountId), command, context)
}

/** Changes a guild in the same way. */
export async function change(on: World, guild: GuildId, command: GuildCommand): Promise<void> {
  await on.ports.aggregates.guild.execute(guild, command, on.requester().context)
  await on.ports.readModels.reached(0n)
}

/** The types of all events so far. */
export async function typesOf(on: World): Promise<readonly string[]> {
  return (await on.events()).map(({ type }) => type)
}
