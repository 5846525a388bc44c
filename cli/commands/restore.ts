import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { noteInstanceKey } from '../../adapters/personal-data/instance-key.ts'
import { fingerprintOf } from '../../adapters/personal-data/wrapped-keys.ts'
import type { PostgresConnection } from '../../adapters/postgres/database.ts'
import { beforeAll } from '../../domain/kernel/position.ts'
import { checkBackup, openBackup, type Backup } from '../backup/check-backup.ts'
import { BackupRefused, keyFile } from '../backup/format.ts'
import { restoreBesideHistory, restoreHistory } from '../backup/restore-backup.ts'
import { endRestore } from '../../process/unfinished-restore.ts'
import { withoutKeys } from '../history-file/from-source.ts'
import { attachmentForm } from '../../adapters/media/byte-store.ts'
import { imagesAndFiles } from '../backup/images.ts'
import { openByteStore } from '../../process/open-byte-store.ts'
import { interruptible } from '../interruptible.ts'
import { existingPersonalDataKey, personalDataKeyFile } from '../personal-data-key.ts'
import { embeddedFolder, joinPostgres } from '../postgres.ts'
import { progressBar } from '../progress-bar.ts'
import { readSettings, type Settings } from '../../process/settings/settings.ts'
import { endOfEventStoreDb, openStore } from '../../process/store.ts'
import { report } from './beside.ts'
import { instanceThere, locationOf, refuseDatabaseInUse } from './instance-there.ts'
import { replayIn } from './replay.ts'
import { verifyIn } from './verify.ts'

export interface RestoreOptions {
  /** Accepts events that this program can't read. */
  readonly unreadable?: boolean
}

/**
 * Restores a backup into a target without an instance, builds the read models, and compares them with history. True if none
 * differs. The whole backup is checked before anything is written. An interrupted restore is continued by running it again;
 * until then the target is no instance, and no server starts there.
 */
export async function restoreCommand(
  from: string,
  { unreadable = false }: RestoreOptions,
  print: (line: string) => void,
  say: (line: string) => void,
): Promise<boolean> {
  const settings = readSettings(process.env)
  return interruptible(async (signal) => {
    const backup = await openBackup(path.resolve(from))
    const { takenAt, events, keys, images } = backup.manifest
    const key = await keyFor(settings, backup)
    await refuseInstanceThere(settings, backup)
    await withProgress('checking', (onProgress) => checkBackup(backup, { signal, onProgress, unreadable }))
    say(`The backup of ${takenAt} is whole: ${events} events, ${keys} keys and ${images} images.`)
    console.error(`Instance: ${locationOf(settings)}`)
    const postgres = await joinPostgres(settings)
    try {
      return await restoreInto({ settings, backup, key, connection: postgres.connection, signal }, print)
    } finally {
      await postgres.stop()
    }
  })
}

interface Restore {
  readonly settings: Settings
  readonly backup: Backup
  readonly key: Uint8Array
  readonly connection: PostgresConnection
  readonly signal: AbortSignal
}

async function restoreInto(
  { settings, backup, key, connection, signal }: Restore,
  print: (line: string) => void,
): Promise<boolean> {
  await refuseDatabaseInUse(settings, connection, backup.manifest.id)
  await writeKey(settings, key)
  await withProgress('restoring', (onProgress) => restoreBesideHistory(backup, connection, { signal, onProgress }))
  const { eventStoreUrl } = settings
  const store = await openStore({ connection, personalDataKey: key, eventStoreUrl, restores: true, onError: report })
  const images = await openByteStore(settings)
  const files = await openByteStore(settings, attachmentForm)
  try {
    await noteInstanceKey(store.database, key)
    await withProgress('restoring', (onProgress) =>
      restoreHistory(backup, store, imagesAndFiles(images, files), { signal, onProgress }),
    )
    print(`Restored the backup of ${backup.manifest.takenAt}. Now the read models are built and compared with history.`)
    await replayIn(store, undefined, signal)
    const isRight = await verifyIn(store, signal, print)
    await endRestore(store.database.pool)
    return isRight
  } finally {
    images.close()
    files.close()
    await store.close()
  }
}

/** Rejects with InstanceThere, and makes nothing, if Postgres or the event store is in use. */
async function refuseInstanceThere(settings: Settings, { manifest }: Backup): Promise<void> {
  const { databaseUrl, dataDir, eventStoreUrl } = settings
  let resumes = false
  if (databaseUrl !== undefined || existsSync(embeddedFolder(dataDir))) {
    const postgres = await joinPostgres(settings)
    try {
      resumes = await refuseDatabaseInUse(settings, postgres.connection, manifest.id)
    } finally {
      await postgres.stop()
    }
  }
  // An interrupted restore has left events; these are compared with those of the backup.
  if (eventStoreUrl === undefined || resumes) return
  if ((await endOfEventStoreDb(eventStoreUrl, withoutKeys)) !== beforeAll)
    throw instanceThere('the event store of EVENTSTORE_URL')
}

/** PERSONAL_DATA_KEY: of the settings, of the data folder, or of the backup. Rejects with BackupRefused if it is another one. */
async function keyFor(settings: Settings, { folder, manifest }: Backup): Promise<Uint8Array> {
  const { personalDataKey: setting, dataDir } = settings
  const own = setting !== undefined || existsSync(personalDataKeyFile(dataDir))
  const kept = path.join(folder, keyFile)
  if (!own && !existsSync(kept))
    throw new BackupRefused(
      `The backup does not hold PERSONAL_DATA_KEY: set it to that of the instance it was taken of, or put that instance's personal-data.key into ${path.resolve(dataDir)}`,
    )
  const key = (await existingPersonalDataKey(setting, dataDir)) ?? Buffer.from(await readFile(kept, 'utf8'), 'base64')
  if (fingerprintOf(key) !== manifest.personalDataKey)
    throw new BackupRefused(
      own
        ? 'PERSONAL_DATA_KEY is another one than that of the instance the backup was taken of'
        : `${keyFile} of the backup is not as it was written`,
    )
  return key
}

/** A server finds the key where the one that it was taken of may have had it in its settings. */
async function writeKey({ personalDataKey: setting, dataDir }: Settings, key: Uint8Array): Promise<void> {
  const file = personalDataKeyFile(dataDir)
  if (setting !== undefined || existsSync(file)) return
  await mkdir(dataDir, { recursive: true })
  await writeFile(file, Buffer.from(key).toString('base64'), { mode: 0o600, flush: true })
}

async function withProgress<Result>(
  label: string,
  task: (onProgress: (share: number, text: string) => void) => Promise<Result>,
): Promise<Result> {
  const bar = progressBar(label)
  return task((share, text) => bar.show(share, text)).finally(() => bar.end())
}
