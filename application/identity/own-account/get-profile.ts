import type { AccountId, GuildId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { memberObject, type MemberObject } from '../../wire-objects/communities/member-objects.ts'
import { partialUserObject, type PartialUserObject } from '../../wire-objects/identity/user-objects.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import { relationshipTypes } from '../../../domain/relationship/relationship-types.ts'
import type { SharedGuild } from '../../ports/queries/member-queries.ts'
import type { Ports } from '../../ports.ts'

/** The options of a profile request. */
export interface ProfileWish {
  readonly guildId: GuildId | undefined
  readonly withMutualFriends: boolean
  readonly withMutualGuilds: boolean
}

/** The full user profile. Parts that are not implemented yet have their empty form. */
export interface FullProfile {
  readonly user: PartialUserObject
  readonly user_profile: ProfileTexts & { readonly banner_color: number | null }
  /** These two: for the requested guild, if both accounts are members. */
  readonly guild_member?: MemberObject
  readonly guild_member_profile?: ProfileTexts
  readonly mutual_friends?: readonly PartialUserObject[]
  readonly mutual_guilds?: readonly { readonly id: GuildId; readonly nick: string | null }[]
  readonly connected_accounts: readonly never[]
  readonly timezone_offset: null
  /** Only if the account shows the caller just a part of its profile. */
  readonly profile_limited?: true
}

interface ProfileTexts {
  readonly bio: string | null
  readonly pronouns: string | null
  readonly banner: string | null
  readonly accent_color: number | null
}

type Needs = Pick<Ports, 'queries'>

const { friend, incomingRequest, outgoingRequest } = relationshipTypes
/** AccountQueries takes this many accounts in one query. */
const mutualFriends_max = 1000

/** Who can see an account's whole profile: the values of `profile_privacy`. */
const privacy = { ALL_GUILDS: 0, SMALL_GUILDS_ONLY: 1, FRIENDS_ONLY: 2 } as const
const smallGuild_members_max = 200

/**
 * The profile of an account, for itself, its friends, accounts with a pending request between them, and accounts that
 * share a guild or group with it; a bot's profile for everybody. Its settings may restrict the profile. Refuses with
 * UNKNOWN_USER, also for an erased account, and with MISSING_ACCESS. See rules/users#profile.
 */
export function getProfile({ queries }: Needs) {
  return async ({ account, context }: Caller, targetId: AccountId, wish: ProfileWish): Promise<FullProfile> => {
    const target = await queries.accounts.find(targetId)
    if (!target || target.isErased) return reject('UNKNOWN_USER')
    const shared = await queries.members.sharedGuilds(account.id, target.id)
    const { areFriends, isRequestPending } = await standingOf(queries, account.id, target.id)
    const isOpen = target.id === account.id || target.bot || areFriends
    const isAmongOthers = isRequestPending || shared.length > 0
    if (!isOpen && !isAmongOthers && !(await queries.privateChannels.shareGroup(account.id, target.id)))
      return reject('MISSING_ACCESS')
    const isLimited = !isOpen && (await isRestricted(queries, target, shared))
    const inWishedGuild = wish.guildId !== undefined && shared.some(({ guildId }) => guildId === wish.guildId)
    return {
      user: partialUserObject(target),
      user_profile: { ...profileTexts(target, isLimited), banner_color: target.profile.bannerColor },
      ...(wish.guildId !== undefined && inWishedGuild
        ? await inGuild(queries, wish.guildId, target, { isLimited, now: context.now })
        : {}),
      ...(wish.withMutualFriends ? { mutual_friends: await mutualFriends(queries, account.id, target.id) } : {}),
      ...(wish.withMutualGuilds ? { mutual_guilds: shared.map(({ guildId: id, nick }) => ({ id, nick })) } : {}),
      connected_accounts: [],
      timezone_offset: null,
      ...(isLimited ? { profile_limited: true } : {}),
    }
  }
}

/**
 * The relationship of two accounts. A request is pending while both sides have it. If the receiver ignored it, blocks the sender
 * or never saw it, the receiver's side is empty, but the sender is not told.
 */
async function standingOf(
  { relationships }: Needs['queries'],
  one: AccountId,
  other: AccountId,
): Promise<{ readonly areFriends: boolean; readonly isRequestPending: boolean }> {
  const types = (await relationships.among(one, [other])).map(({ type }) => type)
  return {
    areFriends: types.includes(friend),
    isRequestPending: types.includes(incomingRequest) && types.includes(outgoingRequest),
  }
}

function profileTexts({ profile }: AccountRecord, isLimited: boolean): ProfileTexts {
  const { bio, pronouns, banner, accentColor: accent_color } = profile
  return { ...(isLimited ? { bio: null, pronouns: null } : { bio, pronouns }), banner, accent_color }
}

/** Whether the account's settings restrict its profile. Friends are never restricted. */
async function isRestricted(
  { userSettings }: Needs['queries'],
  { id }: AccountRecord,
  shared: readonly SharedGuild[],
): Promise<boolean> {
  const chosen = await userSettings.find(id)
  const level = chosen?.profilePrivacy ?? privacy.ALL_GUILDS
  if (level === privacy.ALL_GUILDS) return false
  return level === privacy.FRIENDS_ONLY || shared.every(({ memberCount }) => memberCount > smallGuild_members_max)
}

/** By descending id. */
async function mutualFriends(
  { accounts, relationships }: Needs['queries'],
  one: AccountId,
  other: AccountId,
): Promise<readonly PartialUserObject[]> {
  const ids = await relationships.mutualFriends(one, other, mutualFriends_max)
  const records = new Map((await accounts.findMany(ids)).map((record) => [record.id, record]))
  return ids.flatMap((id) => records.get(id) ?? []).map(partialUserObject)
}

async function inGuild(
  { members }: Needs['queries'],
  guild: GuildId,
  target: AccountRecord,
  { isLimited, now }: { readonly isLimited: boolean; readonly now: Timestamp },
): Promise<Pick<FullProfile, 'guild_member' | 'guild_member_profile'>> {
  const member = await members.find(guild, target.id)
  if (!member) return {}
  const { bio, pronouns, banner, accentColor: accent_color } = member
  const texts = isLimited ? { bio: null, pronouns: null } : { bio, pronouns }
  return {
    guild_member: memberObject(member, target, now),
    guild_member_profile: { ...texts, banner, accent_color },
  }
}
