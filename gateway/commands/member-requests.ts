import { LRUCache } from 'lru-cache'
import { isUnavailable } from '../../domain/guild/state.ts'
import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import { compareSnowflakes } from '../../domain/ids/snowflake.ts'
import { growsTo } from '../../domain/kernel/grows-to.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { Membership } from '../../domain/membership/state.ts'
import { computePermissions, holds } from '../../domain/permissions/compute-permissions.ts'
import { memberObject } from '../../application/wire-objects/communities/member-objects.ts'
import { isStaff } from '../../application/wire-objects/identity/user-objects.ts'
import type { AccountRecord } from '../../application/ports/queries/account-queries.ts'
import { accountsOf, guildOf } from '../visibility/known-event.ts'
import type { Lookups } from '../visibility/lookups.ts'
import type { RecentEvents } from '../events/recent-events.ts'
import type { GatewayLimits } from '../limits.ts'
import { dispatchFrame } from '../protocol/frame.ts'
import { readMembersRequest, type MembersRequest } from '../protocol/member-requests.ts'
import { opcodes } from '../protocol/opcodes.ts'
import type { Session } from '../sessions/session.ts'
import { tick_ms, type Ticker } from '../ticker.ts'
import type { SeenPresences } from '../visibility/seen-presences.ts'
import type { Link } from '../visibility/room.ts'
import type { World } from '../visibility/world.ts'
import type { BoundedRequests } from './bounded-requests.ts'

export interface MemberRequestSettings {
  readonly limits: Pick<GatewayLimits, 'fullMemberListPeriod_ms'>
  readonly requests: BoundedRequests
  readonly world: World
  readonly lookups: Lookups
  readonly recent: RecentEvents
  readonly presences: SeenPresences
  readonly ticker: Ticker
  readonly now: () => Timestamp
}

/** Request Guild Members. A request that a session may not make gets no answer. */
export interface MemberRequests {
  readonly answer: (session: Session, d: unknown) => void
}

const namesakes_count = 25
const fullList_max = 100_000
const chunk_size = 1000
/** How often members are looked up again because they changed meanwhile. */
const lookups_max = 3
/** How many bots and guilds have the time of their last full list remembered. */
const fullLists_max = 10_000

export function memberRequests(settings: MemberRequestSettings): MemberRequests {
  const fullLists = new LRUCache<string, number>(growsTo(fullLists_max))
  return {
    answer(session, d) {
      const request = readMembersRequest(d)
      if (!request || (session.account.bot && request.guildIds.length > 1)) return
      void settings.requests.run(session, async (isOver) => {
        for (const guild of request.guildIds) {
          const link = settings.world.link(session, guild)
          if (!link || !isOpenTo(link) || !mayAsk(settings, fullLists, link, request)) continue
          await sendMembers(settings, link, request, isOver)
        }
      })
    },
  }
}

function isFullList({ userIds, query, limit }: MembersRequest): boolean {
  return userIds.length === 0 && query === '' && limit === 0
}

function isOpenTo({ room, session }: Link): boolean {
  return !isUnavailable(room.guild, isStaff(session.account))
}

/** A person needs three permissions for the whole list. A bot gets it once per period, and is told when it may ask again. */
function mayAsk(
  { limits, ticker }: MemberRequestSettings,
  fullLists: LRUCache<string, number>,
  { session, room, member }: Link,
  request: MembersRequest,
): boolean {
  if (!isFullList(request)) return true
  if (!session.account.bot) {
    const mask = computePermissions(room.guild, member)
    return (['MANAGE_ROLES', 'KICK_MEMBERS', 'BAN_MEMBERS'] as const).every((name) => holds(mask, name))
  }
  const key = `${session.accountId} ${room.id}`
  const before_ms = fullLists.get(key) ?? Number.NEGATIVE_INFINITY
  const wait_ms = before_ms + limits.fullMemberListPeriod_ms - ticker.now_ms
  if (wait_ms <= 0) {
    fullLists.set(key, ticker.now_ms)
    return true
  }
  const meta = { guild_id: room.id, ...nonceOf(request) }
  const told = { opcode: opcodes.requestGuildMembers, retry_after: wait_ms / 1000, meta }
  session.dispatch('RATE_LIMITED', dispatchFrame('RATE_LIMITED', told))
  return false
}

function nonceOf({ nonce }: MembersRequest): object {
  return nonce === undefined ? {} : { nonce }
}

/** Sends the necessary number of GUILD_MEMBERS_CHUNK, each after the client has read most of the previous ones. */
async function sendMembers(
  settings: MemberRequestSettings,
  link: Link,
  request: MembersRequest,
  isOver: () => boolean,
): Promise<void> {
  const { world, presences, ticker, now } = settings
  const { session, room } = link
  const ids = await idsFor(settings, room.id, request)
  const chunk_count = Math.max(1, Math.ceil(ids.length / chunk_size))
  for (let index = 0; index < chunk_count; index += 1) {
    while (session.wire?.isBehind && !isOver()) await ticker.wait(tick_ms)
    if (isOver()) return
    const found = await membersOf(settings, room.id, ids.slice(index * chunk_size, (index + 1) * chunk_size))
    const accounts = found.map(({ account }) => account)
    const shown = request.presences ? await presences.of(accounts, room.id) : []
    if (isOver() || world.link(session, room.id) !== link || !isOpenTo(link)) return
    const chunk = {
      guild_id: room.id,
      members: found.map(({ member, account }) => memberObject(member, account, now())),
      chunk_index: index,
      chunk_count,
      ...(shown.length === 0 ? {} : { presences: shown }),
      ...nonceOf(request),
    }
    session.answer('GUILD_MEMBERS_CHUNK', dispatchFrame('GUILD_MEMBERS_CHUNK', chunk))
  }
}

async function idsFor(
  { lookups }: MemberRequestSettings,
  guild: GuildId,
  request: MembersRequest,
): Promise<readonly AccountId[]> {
  const { userIds, query, limit } = request
  if (userIds.length > 0) return userIds
  // No name contains NUL, and Postgres does not accept it.
  if (query.includes('\0')) return []
  const initial = query === '' ? fullList_max : namesakes_count
  return lookups.ask(({ members }) => members.named(guild, query, limit === 0 ? initial : limit))
}

interface Found {
  readonly member: Membership
  readonly account: AccountRecord
}

/** The members among the accounts, ascending by id, and no older than what the session was told about them meanwhile. */
async function membersOf(
  { lookups, recent }: MemberRequestSettings,
  guild: GuildId,
  ids: readonly AccountId[],
): Promise<readonly Found[]> {
  const asked = new Set(ids)
  for (let looked = 1; ; looked += 1) {
    const since = recent.handled
    const members = ids.length === 0 ? [] : await lookups.ask((sources) => sources.members.among(guild, ids))
    const accounts = await lookups.accountsOf(members.map(({ accountId }) => accountId))
    const changed = recent.after(since)?.some((event) => {
      const isHere = guildOf(event) === undefined || guildOf(event) === guild
      return isHere && accountsOf(event).some((account) => asked.has(account))
    })
    if (changed === false || looked === lookups_max) {
      const found = members.flatMap((member) => {
        const account = accounts.get(member.accountId)
        return account ? [{ member, account }] : []
      })
      return found.toSorted((one, other) => compareSnowflakes(one.member.accountId, other.member.accountId))
    }
  }
}
