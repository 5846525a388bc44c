import { packZip } from '../../adapters/archives/pack-zip.js'
import { postgresArchiveWork } from '../../adapters/archives/postgres-archive-work.js'
import { nameOf } from '../../adapters/media/images.js'
import { authoredMessages } from '../../adapters/messages/authored.js'
import { buildNextArchive } from '../../application/identity/archives/build-archive.js'
import { timestamp } from '../../domain/kernel/timestamp.js'
import type { Base } from './base.js'
import type { CommandSide } from './open-command-side.js'
import { repeatedly } from './repeatedly.js'

/** How soon a requested archive begins. */
const begin_ms = 1000
const sweep_ms = 3_600_000

/** Each worker builds one archive at a time, and leaves it to others when it ends. */
export function buildArchives(
  { options, closings, database, onError }: Base,
  { ports, media, archiveFiles: files }: Pick<CommandSide, 'ports' | 'media' | 'archiveFiles'>,
): void {
  const work = postgresArchiveWork(database, files)
  const buildNext = buildNextArchive({
    ports,
    work,
    files,
    authored: authoredMessages(database),
    readImage: (place, hash) => media.get(nameOf(place, hash)),
    pack: packZip,
    now: () => timestamp(Date.now()),
  })
  const end = new AbortController()
  const untilNoneIsDue = async (): Promise<void> => {
    while (!end.signal.aborted && (await buildNext(end.signal)));
  }
  const building = repeatedly(options.looks_ms ?? begin_ms, untilNoneIsDue, onError)
  const sweeping = repeatedly(sweep_ms, () => work.sweep(), onError)
  closings.add(async () => {
    end.abort(new Error('The worker ends'))
    await Promise.all([building.stop(), sweeping.stop()])
  })
}
