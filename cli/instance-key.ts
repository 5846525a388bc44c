import path from 'node:path'
import { keyState } from '../adapters/personal-data/instance-key.ts'
import { openDatabase, type PostgresConnection, type PostgresDatabase } from '../adapters/postgres/database.ts'
import { existingPersonalDataKey, personalDataKey, personalDataKeyFile } from './personal-data-key.ts'
import type { Settings } from '../process/settings/settings.ts'

type Location = Pick<Settings, 'personalDataKey' | 'dataDir'>

/** Where the settings have the key: for an operator. */
export function keySource({ personalDataKey: setting, dataDir }: Location): string {
  return setting === undefined ? path.resolve(personalDataKeyFile(dataDir)) : 'PERSONAL_DATA_KEY'
}

/** What an operator does about a key that is missing, or is another one. */
export function keyAdvice({ dataDir }: Pick<Settings, 'dataDir'>): string {
  return `Restore ${path.resolve(personalDataKeyFile(dataDir))} from your backup, or set PERSONAL_DATA_KEY to the key of this instance`
}

/**
 * Why the key does not fit the instance of a database; undefined if it fits. Doctor, a start and every command ask
 * this.
 */
export async function keyFault(
  database: PostgresDatabase,
  key: Uint8Array | undefined,
  location: Location,
): Promise<string | undefined> {
  const standing = await keyState(database, key)
  if (standing === 'missing') return `there is no ${keySource(location)}, and accounts have keys that it opens`
  return standing === 'other'
    ? `${keySource(location)} does not open personal data: it is not the key of this instance`
    : undefined
}

/**
 * The key of the instance of a database. Makes one only where the instance has none: another one would split it, and afterwards no key
 * would open everything. Rejects where the key is missing or another one, with what doctor says.
 */
export async function instanceKey(location: Location, connection: PostgresConnection): Promise<Uint8Array> {
  const database = openDatabase(connection, { connections_max: 1 })
  try {
    const key = await existingPersonalDataKey(location.personalDataKey, location.dataDir)
    const fault = await keyFault(database, key, location)
    if (fault !== undefined) throw new Error(`${fault[0]?.toUpperCase()}${fault.slice(1)}. ${keyAdvice(location)}`)
    return key ?? (await personalDataKey(location.personalDataKey, location.dataDir))
  } finally {
    await database.close()
  }
}
