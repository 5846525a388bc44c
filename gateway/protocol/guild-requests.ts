import { accountId, channelId, guildId, type AccountId, type ChannelId, type GuildId } from '../../domain/ids/ids.ts'
import { compareSnowflakes } from '../../domain/ids/snowflake.ts'
import { isObject, snowflakeIn } from './read.ts'

/** A Lazy Request's entry for one guild, with members in the order in which they apply. */
export interface Subscription {
  readonly guildId: GuildId
  /** Absent: unchanged. */
  readonly active?: boolean
  readonly sync: boolean
  /** The rows of the channels' member lists that the session looks at; absent: unchanged. */
  readonly memberLists?: ReadonlyMap<ChannelId, readonly Range[]>
  /** The members whose presences the session follows; absent: unchanged. */
  readonly members?: readonly AccountId[]
  /** Whether the session hears who is writing, however large the guild is; absent: unchanged. */
  readonly typing?: boolean
}

/** Rows from one to another, both included. */
export interface Range {
  readonly from: number
  readonly to: number
}

export interface CountsRequest<Id> {
  readonly ids: readonly Id[]
  readonly nonce: string | undefined
}

export interface ChannelCountsRequest extends CountsRequest<ChannelId> {
  readonly guildId: GuildId
}

export const guildCounts_max = 100
export const channelCounts_max = 25
export const followedMembers_max = 1000
export const ranges_max = 10
export const rangeRows_max = 100
export const rangeEnd_max = 100_000
const nonce_bytes_max = 64

/**
 * The entries of a Lazy Request for guilds; what is not valid in one is ignored. From an `active` or `sync` on that is no boolean,
 * the rest of the request is dropped.
 */
export function readSubscriptions(d: unknown): readonly Subscription[] {
  if (!isObject(d) || !isObject(d['subscriptions'])) return []
  const subscriptions: Subscription[] = []
  for (const [key, entry] of Object.entries(d['subscriptions'])) {
    const id = snowflakeIn(key)
    if (!id || !isObject(entry)) continue
    const { active, sync = false, typing } = entry
    if (active !== undefined && typeof active !== 'boolean') break
    const chosen = active === undefined ? {} : { active }
    if (typeof sync !== 'boolean') {
      subscriptions.push({ guildId: guildId(id), sync: false, ...chosen })
      break
    }
    const memberLists = memberListsIn(entry['member_list_channels'])
    const members = followedIn(entry['members'])
    subscriptions.push({
      guildId: guildId(id),
      sync,
      ...chosen,
      ...(memberLists && { memberLists }),
      ...(members && { members }),
      ...(typeof typing === 'boolean' ? { typing } : {}),
    })
  }
  return subscriptions
}

/** The channels with rows, or with an empty list, which ends the look at them. */
function memberListsIn(value: unknown): Subscription['memberLists'] {
  if (!isObject(value)) return undefined
  const lists = Object.entries(value).flatMap(([key, ranges]): readonly (readonly [ChannelId, readonly Range[]])[] => {
    const id = snowflakeIn(key)
    if (!id || !Array.isArray(ranges)) return []
    const read = rangesIn(ranges)
    return read.length === 0 && ranges.length > 0 ? [] : [[channelId(id), read]]
  })
  return new Map(lists)
}

/** The first good ones, each once. */
function rangesIn(values: readonly unknown[]): readonly Range[] {
  const ranges = new Map<string, Range>()
  for (const value of values) {
    if (!Array.isArray(value) || value.length !== 2) continue
    const [from, to]: readonly unknown[] = value
    if (!isRow(from) || !isRow(to) || to < from || to - from >= rangeRows_max) continue
    ranges.set(`${from} ${to}`, { from, to })
    if (ranges.size === ranges_max) break
  }
  return [...ranges.values()]
}

function isRow(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= rangeEnd_max
}

function followedIn(value: unknown): readonly AccountId[] | undefined {
  if (!Array.isArray(value)) return undefined
  const ids = value.flatMap((item) => snowflakeIn(item) ?? [])
  return [...new Set(ids)].slice(0, followedMembers_max).map(accountId)
}

/** Parses Request Guild Counts; undefined if it must be dropped. */
export function readGuildCountsRequest(d: unknown): CountsRequest<GuildId> | undefined {
  if (!isObject(d)) return undefined
  const ids = idsIn(d['guild_ids'])?.toSorted(compareSnowflakes).slice(0, guildCounts_max).map(guildId)
  return ids && { ids, nonce: nonceIn(d['nonce']) }
}

/** Parses Request Channel Member Counts; undefined if it must be dropped. `channel_id` counts only without a list. */
export function readChannelCountsRequest(d: unknown): ChannelCountsRequest | undefined {
  if (!isObject(d)) return undefined
  const guild = snowflakeIn(d['guild_id'])
  const several = d['channel_ids']
  const ids = idsIn(Array.isArray(several) ? several : [d['channel_id']])
    ?.slice(0, channelCounts_max)
    .map(channelId)
  return guild && ids && { guildId: guildId(guild), ids, nonce: nonceIn(d['nonce']) }
}

function nonceIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && Buffer.byteLength(value) <= nonce_bytes_max ? value : undefined
}

function idsIn(value: unknown) {
  if (!Array.isArray(value)) return undefined
  const ids = value.map(snowflakeIn)
  return ids.every((id) => id !== undefined) ? [...new Set(ids)] : undefined
}
