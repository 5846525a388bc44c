import { z } from 'zod'
import { sql } from '../../application/sql/sql.ts'
import { accountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import type { PostgresDatabase } from '../postgres/database.ts'
import { openKeyTable } from './key-table.ts'
import { KeyDoesNotOpen } from './key-wrapping.ts'
import { fingerprintOf } from './wrapped-keys.ts'

/** How a key of personal data stands to the instance of a database. `unused`: the instance has no key yet. */
export type KeyState = 'unused' | 'fits' | 'missing' | 'other'

/** The key is not the one that the instance's personal data is sealed with. */
export class OtherPersonalDataKey extends Error {
  override readonly name = 'OtherPersonalDataKey'
}

const noted = z.object({ fingerprint: z.string() })
const holder = z.object({ id: z.string() })
const known = z.object({ has_keys: z.boolean(), has_note: z.boolean() })

/**
 * Compares a key, undefined for none, with what the instance of a database was begun with. An instance of before the note is compared
 * by one of its wrapped keys. Changes nothing, and also takes a database without tables.
 */
export async function keyState(
  database: Pick<PostgresDatabase, 'one' | 'maybeOne' | 'any'>,
  key: Uint8Array | undefined,
): Promise<KeyState> {
  const { has_keys, has_note } = await database.one(sql.type(known)`
    select to_regclass('personal_data.keys') is not null as has_keys,
      to_regclass('personal_data.instance_key') is not null as has_note`)
  const note = has_note
    ? await database.maybeOne(sql.type(noted)`select fingerprint from personal_data.instance_key`)
    : undefined
  if (note) return key === undefined ? 'missing' : note.fingerprint === fingerprintOf(key) ? 'fits' : 'other'
  const wrapped = has_keys
    ? await database.maybeOne(sql.type(holder)`
        select account_id::text as id from personal_data.keys where wrapped_key is not null limit 1`)
    : undefined
  if (!wrapped) return 'unused'
  if (key === undefined) return 'missing'
  return (await opens(database, key, wrapped.id)) ? 'fits' : 'other'
}

async function opens(database: Pick<PostgresDatabase, 'any'>, key: Uint8Array, id: string): Promise<boolean> {
  try {
    await openKeyTable(database, key).read([accountId(snowflake(id))])
    return true
  } catch (error) {
    if (error instanceof KeyDoesNotOpen) return false
    throw error
  }
}

/**
 * Notes whose key the instance has, if nobody has yet. Of two processes that begin one at the same moment, one notes its key, and the
 * other is refused with OtherPersonalDataKey if it has another. The tables must be there.
 */
export async function noteInstanceKey(database: PostgresDatabase, key: Uint8Array): Promise<void> {
  if ((await keyState(database, key)) !== 'other')
    await database.any(sql.type(noted)`
    insert into personal_data.instance_key (fingerprint) values (${fingerprintOf(key)}) on conflict do nothing
    returning fingerprint`)
  if ((await keyState(database, key)) !== 'fits')
    throw new OtherPersonalDataKey('PERSONAL_DATA_KEY is not the key that this instance was begun with')
}
