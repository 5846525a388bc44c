import type { AccountId, GuildId } from '../../../domain/ids/ids.ts'
import { compareSnowflakes } from '../../../domain/ids/snowflake.ts'
import type { Membership } from '../../../domain/membership/state.ts'
import { requireGuild, requirePermission } from '../../access/guild-access.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { deletedAccount } from '../../wire-objects/identity/deleted-account.ts'
import { inviterOf, memberObject, type MemberObject } from '../../wire-objects/communities/member-objects.ts'
import { partialUserObject, type PartialUserObject } from '../../wire-objects/identity/user-objects.ts'
import type { AdmissionRecord, MemberPage } from '../../ports/queries/member-queries.ts'
import type { Ports } from '../../ports.ts'
import { memberView, requireTarget } from './guild-member.ts'

type Needs = Pick<Ports, 'queries'>

/**
 * A page of a guild's members in ascending order of ids. The caller must be a member. Refuses with UNKNOWN_GUILD,
 * MISSING_ACCESS, MISSING_PERMISSIONS. See rules/members#read.
 */
export function listMembers({ queries }: Needs) {
  return async (caller: Caller, guildId: GuildId, page: MemberPage): Promise<readonly MemberObject[]> => {
    await requireGuild({ queries }, caller, guildId)
    return shownMembers({ queries }, caller, await queries.members.page(guildId, page))
  }
}

/** What is searched for: the beginning of names, which every name has if it is empty, and how many members are wanted at most. */
export interface MemberSearch {
  readonly query: string
  /** 1-1000. */
  readonly limit: number
}

/**
 * The members whose name begins with a text, in any case of letters, in ascending order of ids. Refuses as listing does. See
 * rules/members#read.
 */
export function searchMembers({ queries }: Needs) {
  return async (caller: Caller, guildId: GuildId, { query, limit }: MemberSearch): Promise<readonly MemberObject[]> => {
    await requireGuild({ queries }, caller, guildId)
    const ids = await queries.members.named(guildId, query, limit)
    const members = await queries.members.among(guildId, ids)
    return shownMembers(
      { queries },
      caller,
      members.toSorted((a, b) => compareSnowflakes(a.accountId, b.accountId)),
    )
  }
}

/** One member. The caller must be a member. Refuses as listing does, and with UNKNOWN_MEMBER. */
export function readMember(ports: Needs) {
  return async (caller: Caller, guildId: GuildId, targetId: AccountId): Promise<MemberObject> => {
    const access = await requireGuild(ports, caller, guildId)
    return memberView(ports, caller, await requireTarget(ports, access, targetId))
  }
}

/** How a member joined its guild. */
export interface AdmissionObject {
  readonly by: AdmissionRecord['admission']['by']
  /** The code of the invite; null without an invite, and for the guild's custom one. */
  readonly code: string | null
  /** The account that invited the member or installed the bot; null for none. */
  readonly inviter: PartialUserObject | null
  readonly admitted_at: string
}

/**
 * How a member joined, from its join event, for callers with MANAGE_GUILD. Refuses with UNKNOWN_GUILD, MISSING_ACCESS,
 * MISSING_PERMISSIONS, TWO_FACTOR_REQUIRED, UNKNOWN_MEMBER.
 */
export function readAdmission({ queries }: Needs) {
  return async (caller: Caller, guildId: GuildId, targetId: AccountId): Promise<AdmissionObject> => {
    const access = await requireGuild({ queries }, caller, guildId)
    requirePermission(access, 'MANAGE_GUILD')
    const { admission, admittedAt } = (await queries.members.admissionOf(guildId, targetId)) ?? reject('UNKNOWN_MEMBER')
    const inviterId = inviterOf(admission)
    const inviter = inviterId === null ? null : ((await queries.accounts.find(inviterId)) ?? deletedAccount(inviterId))
    return {
      by: admission.by,
      code: admission.by === 'invite' ? admission.code : null,
      inviter: inviter && partialUserObject(inviter),
      admitted_at: admittedAt,
    }
  }
}

async function shownMembers(
  { queries }: Needs,
  { context }: Caller,
  members: readonly Membership[],
): Promise<readonly MemberObject[]> {
  const accounts = await queries.accounts.findMany(members.map(({ accountId }) => accountId))
  const byId = new Map(accounts.map((account) => [account.id, account]))
  return members.map((member) => {
    const account = byId.get(member.accountId) ?? deletedAccount(member.accountId)
    return memberObject(member, account, context.now)
  })
}
