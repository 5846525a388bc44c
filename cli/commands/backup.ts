import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { attachmentForm } from '../../adapters/media/byte-store.ts'
import { imagesAndFiles } from '../backup/images.ts'
import { openByteStore } from '../../process/open-byte-store.ts'
import { writeBackup } from '../backup/write-backup.ts'
import { interruptible } from '../interruptible.ts'
import { progressBar } from '../progress-bar.ts'
import { refuseOtherImages } from '../../process/settings/served-settings.ts'
import { readSettings } from '../../process/settings/settings.ts'
import { besideServer } from './beside.ts'
import { refuseUnwritable } from './usable-file.ts'

export interface BackupOptions {
  /** Also holds PERSONAL_DATA_KEY. */
  readonly withKey?: boolean
}

/**
 * Writes everything that a restore needs to a folder (cli/backup/format.ts), beside a running server: events, keys, the tables
 * beside history as of the same instant, and images.
 */
export async function backupCommand(
  to: string,
  { withKey = false }: BackupOptions,
  say: (line: string) => void,
): Promise<void> {
  const folder = path.resolve(to)
  if (existsSync(folder) && (await filesIn(folder)) > 0)
    throw new Error(`${to} exists already: name another folder, or an empty one`)
  await refuseUnwritable(folder)
  const settings = readSettings(process.env)
  const manifest = await interruptible((signal) =>
    besideServer(async (store, connection) => {
      await refuseOtherImages(store, settings)
      const { stored, personalDataKey } = store
      const images = await openByteStore(settings)
      const files = await openByteStore(settings, attachmentForm)
      const bar = progressBar('backing up')
      const onProgress = (share: number, text: string): void => bar.show(share, text)
      try {
        return await writeBackup(folder, {
          connection,
          stored,
          images: imagesAndFiles(images, files),
          personalDataKey,
          withKey,
          signal,
          onProgress,
        })
      } finally {
        bar.end()
        images.close()
        files.close()
      }
    }),
  )
  const messages = manifest.tables.find(({ name }) => name === 'messages.messages')?.rows ?? 0
  say(
    `Backed up ${manifest.events} events, ${manifest.keys} keys, ${messages} messages and ${manifest.images} images, as of ${manifest.takenAt}.`,
  )
  say(
    withKey
      ? 'It holds PERSONAL_DATA_KEY: whoever has it can read all personal data.'
      : `PERSONAL_DATA_KEY is not in it, and nothing can be restored without: store ${settings.personalDataKey === undefined ? path.resolve(settings.dataDir, 'personal-data.key') : 'it'} elsewhere.`,
  )
}

/** A file counts as one that is there. */
async function filesIn(folder: string): Promise<number> {
  return (await readdir(folder).catch(() => ['it'])).length
}
