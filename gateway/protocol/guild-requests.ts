import { accountId, channelId, guildId, type AccountId, type ChannelId, type GuildId } from '../../domain/ids/ids.ts'
import { isObject, snowflakeIn } from './read.ts'

/** A Lazy Request's entry for one guild, with members in the order in which they apply. */
export interface Subscription {
  readonly guildId: GuildId
  /** Absent: unchanged. */
  readonly active?: boolean
  readonly sync: boolean
  /** The members whose presences the session follows; absent: unchanged. */
  readonly members?: readonly AccountId[]
  /** Whether the session hears who is writing, however large the guild is; absent: unchanged. */
  readonly typing?: boolean
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
const nonce_bytes_max = 64

/** The valid entries of a Lazy Request; others are ignored. */
export function readSubscriptions(d: unknown): readonly Subscription[] {
  if (!isObject(d) || !isObject(d['subscriptions'])) return []
  return Object.entries(d['subscriptions']).flatMap(([key, entry]): readonly Subscription[] => {
    const id = snowflakeIn(key)
    if (!id || !isObject(entry)) return []
    const { active, sync, typing } = entry
    const members = idsIn(entry['members'], followedMembers_max)?.map(accountId)
    return [
      {
        guildId: guildId(id),
        sync: sync === true,
        ...(typeof active === 'boolean' ? { active } : {}),
        ...(members ? { members } : {}),
        ...(typeof typing === 'boolean' ? { typing } : {}),
      },
    ]
  })
}

/** Parses Request Guild Counts; undefined if it must be dropped. */
export function readGuildCountsRequest(d: unknown): CountsRequest<GuildId> | undefined {
  if (!isObject(d) || !isNonce(d['nonce'])) return undefined
  const ids = idsIn(d['guild_ids'], guildCounts_max)?.map(guildId)
  return ids && { ids, nonce: d['nonce'] }
}

/** Parses Request Channel Member Counts; undefined if it must be dropped. */
export function readChannelCountsRequest(d: unknown): ChannelCountsRequest | undefined {
  if (!isObject(d) || !isNonce(d['nonce'])) return undefined
  const guild = snowflakeIn(d['guild_id'])
  const ids = idsIn(d['channel_ids'] ?? [d['channel_id']], channelCounts_max)?.map(channelId)
  return guild && ids && { guildId: guildId(guild), ids, nonce: d['nonce'] }
}

function isNonce(value: unknown): value is string | undefined {
  if (value === undefined) return true
  return typeof value === 'string' && value !== '' && Buffer.byteLength(value) <= nonce_bytes_max
}

function idsIn(value: unknown, count_max: number) {
  if (!Array.isArray(value) || value.length > count_max) return undefined
  const ids = value.map(snowflakeIn)
  return ids.every((id) => id !== undefined) ? [...new Set(ids)] : undefined
}
