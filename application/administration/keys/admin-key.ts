import { createHash, timingSafeEqual } from 'node:crypto'
import { adminKeyId, type AdminKeyId } from '../../../domain/ids/ids.js'
import { snowflake, snowflakeMax } from '../../../domain/ids/snowflake.js'
import type { CommandContext } from '../../commands/command-context.js'
import { alphanumeric, randomText } from '../../commands/random-text.js'

const prefix = 'gla_'
const randomLength = 32
const form = /^gla_(?<id>\d{1,20})_[A-Za-z0-9]{32}$/

/** A new Admin key: `gla_`, its id, `_` and 32 of [A-Za-z0-9], some 190 bits of chance (supplement, Names). */
export function newAdminKey(id: AdminKeyId, context: CommandContext): string {
  return `${prefix}${id}_${randomText(context, alphanumeric, randomLength)}`
}

/** base64url SHA-256 of a key: all that is stored of it. */
export function adminKeyHash(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}

/** Whether a key is the one that a hash is of, in a time that says nothing. */
export function isAdminKeyOf(key: string, hash: string): boolean {
  const [given, kept] = [Buffer.from(adminKeyHash(key)), Buffer.from(hash)]
  return given.length === kept.length && timingSafeEqual(given, kept)
}

/** The id that a key names; undefined where the text has not the form of one. */
export function idIn(key: string): AdminKeyId | undefined {
  const id = form.exec(key)?.groups?.['id']
  // Beyond what a bigint of Postgres holds there is no id.
  return id === undefined || BigInt(id) > snowflakeMax ? undefined : adminKeyId(snowflake(id))
}

/** What the use of a key is noted under, among that of sessions, whose names are hashes. */
export function activityName(id: AdminKeyId): string {
  return `admin key ${id}`
}
