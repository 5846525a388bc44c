import { existsSync } from 'node:fs'
import path from 'node:path'
import { openClient } from '../../adapters/postgres/client.ts'
import type { PostgresConnection } from '../../adapters/postgres/database.ts'
import { hasLedger } from '../../adapters/postgres/migrate.ts'
import { RestoreUnfinished, unfinishedRestore } from '../../process/unfinished-restore.ts'
import { embeddedFolder } from '../postgres.ts'
import type { Settings } from '../../process/settings/settings.ts'

type Location = Pick<Settings, 'databaseUrl' | 'dataDir'>

/** The command would have to make the instance that it was to work on. */
export class NoInstance extends Error {
  override readonly name = 'NoInstance'
}

/** The command would have to write into an instance that is there. */
export class InstanceThere extends Error {
  override readonly name = 'InstanceThere'
}

/** Where the instance of these settings is: for an operator, without a password. */
export function locationOf({ databaseUrl, dataDir }: Location): string {
  if (databaseUrl === undefined) return path.resolve(dataDir)
  const { host, pathname, searchParams } = new URL(databaseUrl)
  return `the database ${decodeURIComponent(pathname.slice(1))} on ${searchParams.get('host') ?? host} (DATABASE_URL)`
}

/** Rejects with NoInstance if the data folder has no embedded Postgres, and makes nothing. Call it before joining Postgres. */
export function refuseEmptyFolder(location: Location): void {
  const { databaseUrl, dataDir } = location
  if (databaseUrl === undefined && !existsSync(embeddedFolder(dataDir))) throw noInstance(location)
}

/** Rejects with NoInstance if the database has no tables of the product. Call it before tables are migrated. */
export async function refuseEmptyDatabase(location: Location, connection: PostgresConnection): Promise<void> {
  const client = openClient(connection)
  await client.connect()
  try {
    if (!(await hasLedger(client))) throw noInstance(location)
  } finally {
    await client.end()
  }
}

/**
 * Rejects with InstanceThere if the database has tables of the product. If a restore of the same backup was interrupted there, gives
 * true instead. Rejects with RestoreUnfinished if it was one of another backup.
 */
export async function refuseDatabaseInUse(
  location: Location,
  connection: PostgresConnection,
  backup: string,
): Promise<boolean> {
  const client = openClient(connection)
  await client.connect()
  try {
    const unfinished = await unfinishedRestore(client)
    if (unfinished && unfinished.backup !== backup)
      throw new RestoreUnfinished(
        `A restore of another backup into ${locationOf(location)} was interrupted: finish it with that backup, or empty the place`,
      )
    if (!unfinished && (await hasLedger(client))) throw instanceThere(locationOf(location))
    return unfinished !== undefined
  } finally {
    await client.end()
  }
}

export function instanceThere(where: string): InstanceThere {
  return new InstanceThere(
    `There is an instance in ${where} already. Restore into a place without one: an empty folder, or a new database`,
  )
}

const noInstance = (location: Location): NoInstance =>
  new NoInstance(
    `There is no instance in ${locationOf(location)}. Run the command in the folder, or with the settings, of the server; start, import, restore and seed make a new instance`,
  )
