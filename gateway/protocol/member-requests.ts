import { accountId, guildId, type AccountId, type GuildId } from '../../domain/ids/ids.ts'
import { isObject, snowflakeIn } from './read.ts'

/** The parsed body of Request Guild Members. */
export interface MembersRequest {
  readonly guildIds: readonly GuildId[]
  /** These members; if empty, those whose name begins with `query`. */
  readonly userIds: readonly AccountId[]
  readonly query: string
  /** 0-100; the meaning of 0 depends on the query. */
  readonly limit: number
  readonly presences: boolean
  /** Only for requests about one guild. */
  readonly nonce: string | undefined
}

export const requestedUsers_max = 100
export const memberLimit_max = 100
export const memberNonce_bytes_max = 32

/** Parses Request Guild Members; undefined if it must be dropped. A nonce that is too long is ignored. */
export function readMembersRequest(d: unknown): MembersRequest | undefined {
  if (!isObject(d)) return undefined
  const guildIds = guildIdsIn(d['guild_ids'], d['guild_id'])
  const userIds = idsIn(d['user_ids'])?.map(accountId)
  const query = d['query'] ?? ''
  const limit = d['limit'] ?? 0
  if (!guildIds || !userIds || userIds.length > requestedUsers_max) return undefined
  if (typeof query !== 'string' || typeof limit !== 'number') return undefined
  const nonce = d['nonce']
  const isEchoed =
    guildIds.length === 1 && typeof nonce === 'string' && Buffer.byteLength(nonce) <= memberNonce_bytes_max
  return {
    guildIds,
    userIds,
    query,
    limit: Math.min(Math.max(Math.trunc(limit), 0), memberLimit_max),
    presences: d['presences'] === true,
    nonce: isEchoed ? nonce : undefined,
  }
}

/** `guild_ids` takes precedence if it names any. */
function guildIdsIn(several: unknown, one: unknown): readonly GuildId[] | undefined {
  const ids = idsIn(several)
  const named = ids?.length === 0 ? idsIn([one]) : ids
  return named?.map(guildId)
}

/** The ids without repeats; empty without a list, and undefined if an entry is not an id. */
function idsIn(value: unknown) {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) return undefined
  const ids = value.map(snowflakeIn)
  return ids.every((id) => id !== undefined) ? [...new Set(ids)] : undefined
}
