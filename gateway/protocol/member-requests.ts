import { accountId, guildId, type AccountId, type GuildId } from '../../domain/ids/ids.js'
import { isObject, snowflakeIn } from './read.js'

/** What a Request Guild Members asks for (reference gateway 1.12). */
export interface MembersRequest {
  readonly guildIds: readonly GuildId[]
  /** These members; where there are none, those whose name begins with `query`. */
  readonly userIds: readonly AccountId[]
  readonly query: string
  /** 0-100; 0 is what the query makes of it. */
  readonly limit: number
  readonly presences: boolean
  /** Only where one guild is asked. */
  readonly nonce: string | undefined
}

const userIds_max = 100
const limit_max = 100
const nonce_bytes_max = 32

/** Reads Request Guild Members; undefined for one that is dropped. A nonce that is too long is none. */
export function readMembersRequest(d: unknown): MembersRequest | undefined {
  if (!isObject(d)) return undefined
  const guildIds = guildIdsIn(d['guild_ids'], d['guild_id'])
  const userIds = idsIn(d['user_ids'])?.map(accountId)
  const query = d['query'] ?? ''
  const limit = d['limit'] ?? 0
  if (!guildIds || !userIds || userIds.length > userIds_max) return undefined
  if (typeof query !== 'string' || typeof limit !== 'number') return undefined
  const nonce = d['nonce']
  const isEchoed = guildIds.length === 1 && typeof nonce === 'string' && Buffer.byteLength(nonce) <= nonce_bytes_max
  return {
    guildIds,
    userIds,
    query,
    limit: Math.min(Math.max(Math.trunc(limit), 0), limit_max),
    presences: d['presences'] === true,
    nonce: isEchoed ? nonce : undefined,
  }
}

/** `guild_ids` wins where it names any. */
function guildIdsIn(several: unknown, one: unknown): readonly GuildId[] | undefined {
  const ids = idsIn(several)
  const named = ids?.length === 0 ? idsIn([one]) : ids
  return named?.map(guildId)
}

/** Each id once; none where there is no list, and undefined for a list of what are no ids. */
function idsIn(value: unknown) {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) return undefined
  const ids = value.map(snowflakeIn)
  return ids.every((id) => id !== undefined) ? [...new Set(ids)] : undefined
}
