import { accountId, channelId, guildId, type AccountId, type ChannelId, type GuildId } from '../../domain/ids/ids.js'
import { isObject, snowflakeIn } from './read.js'

/** What a Lazy Request says of one guild, in the order in which it counts (reference gateway 1.13). */
export interface Subscription {
  readonly guildId: GuildId
  /** Absent: as it was. */
  readonly active?: boolean
  readonly sync: boolean
  /** The members whose presences the session is to be told; absent: as it was. */
  readonly members?: readonly AccountId[]
}

export interface CountsRequest<Id> {
  readonly ids: readonly Id[]
  readonly nonce: string | undefined
}

export interface ChannelCountsRequest extends CountsRequest<ChannelId> {
  readonly guildId: GuildId
}

const guildCounts_max = 100
const channelCounts_max = 25
const members_max = 1000
const nonce_bytes_max = 64

/** The entries of a Lazy Request that can be understood; what cannot be is left out, without a word. */
export function readSubscriptions(d: unknown): readonly Subscription[] {
  if (!isObject(d) || !isObject(d['subscriptions'])) return []
  return Object.entries(d['subscriptions']).flatMap(([key, entry]): readonly Subscription[] => {
    const id = snowflakeIn(key)
    if (!id || !isObject(entry)) return []
    const { active, sync } = entry
    const members = idsIn(entry['members'], members_max)?.map(accountId)
    return [
      {
        guildId: guildId(id),
        sync: sync === true,
        ...(typeof active === 'boolean' ? { active } : {}),
        ...(members ? { members } : {}),
      },
    ]
  })
}

/** Reads Request Guild Counts; undefined for one that is dropped. */
export function readGuildCountsRequest(d: unknown): CountsRequest<GuildId> | undefined {
  if (!isObject(d) || !isNonce(d['nonce'])) return undefined
  const ids = idsIn(d['guild_ids'], guildCounts_max)?.map(guildId)
  return ids && { ids, nonce: d['nonce'] }
}

/** Reads Request Channel Member Counts; undefined for one that is dropped. */
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
