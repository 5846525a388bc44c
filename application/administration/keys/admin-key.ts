import { createHash, timingSafeEqual } from 'node:crypto'
import { adminKeyId, type AdminKeyId } from '../../../domain/ids/ids.ts'
import { snowflake, snowflakeMax } from '../../../domain/ids/snowflake.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { alphanumeric, randomText } from '../../commands/random-text.ts'

const prefix = 'gla_'
const randomLength = 32
const form = /^gla_(?<id>\d{1,20})_[A-Za-z0-9]{32}$/

/** A new Admin key: `gla_`, its id, `_` and 32 of [A-Za-z0-9], some 190 random bits. */
export function newAdminKey(id: AdminKeyId, context: CommandContext): string {
  return `${prefix}${id}_${randomText(context, alphanumeric, randomLength)}`
}

/** base64url SHA-256 of a key. Only this hash is stored. */
export function adminKeyHash(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}

/** Whether a key has this hash, compared in constant time. */
export function isAdminKeyOf(key: string, hash: string): boolean {
  const [given, kept] = [Buffer.from(adminKeyHash(key)), Buffer.from(hash)]
  return given.length === kept.length && timingSafeEqual(given, kept)
}

/** The id in a key; undefined if the text is not in a key's format. */
export function idIn(key: string): AdminKeyId | undefined {
  const id = form.exec(key)?.groups?.['id']
  // No id is larger than a bigint of Postgres.
  return id === undefined || BigInt(id) > snowflakeMax ? undefined : adminKeyId(snowflake(id))
}

/** The name of a key's use in the session activity, where sessions are named by hashes. */
export function activityName(id: AdminKeyId): string {
  return `admin key ${id}`
}
