import { membershipId, type AccountId, type GuildId } from '../../../domain/ids/ids.ts'
import { snowflakeMs } from '../../../domain/ids/snowflake.ts'
import { msOf, secondsAfter, timestamp } from '../../../domain/kernel/timestamp.ts'
import { requireGuild, requirePermission } from '../../access/guild-access.ts'
import type { Caller } from '../../caller.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { reject } from '../../commands/refused.ts'
import { requireRankAbove, whileNotOwner } from '../members/guild-member.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { Ports } from '../../ports.ts'
import { clearAfterBan, clearsMessages } from './clear-after-ban.ts'

/** The parsed body of Create guild ban; null for members that were not sent. */
export interface BanWishes {
  /** 0-604800. */
  readonly deleteMessageSeconds: number | null
  /** 0-7; deprecated. */
  readonly deleteMessageDays: number | null
  /** At most 512 characters. */
  readonly reason: string | null
  /** Seconds; 0 for a permanent ban. */
  readonly duration: number
}

export type BanningNeeds = Pick<Ports, 'aggregates' | 'locks' | 'messages' | 'queries' | 'readModels'>

/**
 * Bans an account from a guild, by the account itself, its e-mail address and the network of its last session, and ends
 * its membership if it has one. Replaces an existing ban. Without a reason of its own it has that of the audit log. The requested messages are deleted before this resolves.
 * Refuses, in this order: UNKNOWN_GUILD, MISSING_ACCESS, MISSING_PERMISSIONS, TWO_FACTOR_REQUIRED, UNKNOWN_MEMBER for
 * the caller itself, UNKNOWN_USER, MISSING_PERMISSIONS for a member that the caller does not rank above. See
 * rules/members#ban.
 */
export function banMember(ports: BanningNeeds) {
  return async (caller: Caller, guildId: GuildId, targetId: AccountId, wishes: BanWishes): Promise<void> => {
    const access = await requireGuild(ports, caller, guildId)
    requirePermission(access, 'BAN_MEMBERS')
    if (targetId === caller.account.id) reject('UNKNOWN_MEMBER')
    const account = await ports.queries.accounts.find(targetId)
    if (!account || account.isErased) return reject('UNKNOWN_USER')
    const target = await ports.queries.members.find(guildId, targetId)
    if (target) requireRankAbove(access, target)
    const { account: moderator, context } = caller
    const given = { ...wishes, reason: wishes.reason ?? context.reason ?? null }
    const ban = { guildId, account, moderatorId: moderator.id, wishes: given, ofOwner: 'MISSING_PERMISSIONS' } as const
    await imposeBan(ports, ban, context)
  }
}

/** A ban that its moderator may impose. */
export interface NewBan {
  readonly guildId: GuildId
  readonly account: AccountRecord
  readonly moderatorId: AccountId
  readonly wishes: BanWishes
  /** The refusal for the owner of the guild. */
  readonly ofOwner: 'MISSING_PERMISSIONS' | 'CANNOT_LEAVE_GUILD_AS_OWNER'
}

/**
 * Bans an account, ends its membership, and deletes the requested messages before it resolves. Refuses for the owner, and with
 * RESOURCE_LOCKED as `whileNotOwner` does.
 */
export async function imposeBan(ports: BanningNeeds, ban: NewBan, context: CommandContext): Promise<void> {
  await keepOut(ports, ban, context)
  const { guildId, account, wishes } = ban
  const imposed = { guildId, accountId: account.id, bannedAt: context.now, ...wishes }
  if (!clearsMessages(imposed)) return
  // Message ids decide which messages are older than the ban. They are ahead of a clock that was set back.
  const bannedAt = timestamp(Math.max(msOf(context.now), snowflakeMs(context.newId())))
  await clearAfterBan(ports, { ...imposed, bannedAt }, context.written)
}

async function keepOut(
  ports: BanningNeeds,
  { guildId, account, moderatorId, wishes, ofOwner }: NewBan,
  context: CommandContext,
): Promise<void> {
  const { now } = context
  const { reason, deleteMessageSeconds, deleteMessageDays, duration } = wishes
  const addresses = await ports.queries.sessions.lastAddressesOf([account.id])
  const ban = {
    type: 'BanMember',
    guildId,
    accountId: account.id,
    moderatorId,
    reason,
    expiresAt: duration === 0 ? null : secondsAfter(now, duration),
    email: account.email?.toLowerCase() ?? null,
    ip: addresses.get(account.id) ?? null,
    deleteMessageSeconds,
    deleteMessageDays,
    now,
  } as const
  await whileNotOwner(ports, guildId, { accountId: account.id, refusal: ofOwner }, (membership) =>
    ports.aggregates.membership.execute(membership, ban, context),
  )
}

/** Lifts a ban. Refuses with `USER_IS_NOT_BANNED` on `user_id` if the account is not banned, otherwise as banning does. */
export function unbanMember(ports: Pick<Ports, 'aggregates' | 'queries'>) {
  return async (caller: Caller, guildId: GuildId, targetId: AccountId): Promise<void> => {
    const access = await requireGuild(ports, caller, guildId)
    requirePermission(access, 'BAN_MEMBERS')
    const lift = { type: 'UnbanMember', guildId, accountId: targetId, now: caller.context.now } as const
    await ports.aggregates.membership.execute(membershipId(guildId, targetId), lift, caller.context)
  }
}
