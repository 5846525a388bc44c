import { packZip } from '../../adapters/archives/pack-zip.ts'
import { postgresArchiveWork } from '../../adapters/archives/postgres-archive-work.ts'
import { attachmentFile } from '../../adapters/media/attachments/stored-at.ts'
import { nameOf } from '../../adapters/media/images.ts'
import { authoredMessages } from '../../adapters/messages/authored.ts'
import { buildNextArchive } from '../../application/identity/archives/build-archive.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import type { Base } from './base.ts'
import type { CommandSide } from './open-command-side.ts'
import { repeatedly } from './repeatedly.ts'

/** How soon a requested archive begins that another process was asked for. */
const begin_ms = 1000
/** A process alone begins what it is asked for at once, and looks for what failed or was left. */
const beginAlone_ms = 10_000
const sweep_ms = 3_600_000

/** Each worker builds one archive at a time, and leaves it to others when it ends. */
export function buildArchives(
  { options, closings, database, signals, onError }: Base,
  commands: Pick<CommandSide, 'ports' | 'media' | 'attachmentStore' | 'archiveFiles' | 'onArchiveAdded'>,
): void {
  const { ports, media, attachmentStore, archiveFiles: files } = commands
  const work = postgresArchiveWork(database, files)
  const buildNext = buildNextArchive({
    ports,
    work,
    files,
    authored: authoredMessages(database),
    readImage: (location, hash) => media.get(nameOf(location, hash)),
    readFile: async (name) => (await attachmentStore.find(attachmentFile(name)))?.read(),
    pack: packZip,
    now: () => timestamp(Date.now()),
  })
  const end = new AbortController()
  const untilNoneIsDue = async (): Promise<void> => {
    while (!end.signal.aborted && (await buildNext(end.signal)));
  }
  const looks_ms = options.looks_ms ?? (signals ? begin_ms : beginAlone_ms)
  const building = repeatedly(looks_ms, untilNoneIsDue, onError)
  commands.onArchiveAdded(() => building.soon())
  const sweeping = repeatedly(sweep_ms, () => work.sweep(), onError)
  closings.add(async () => {
    end.abort(new Error('The worker ends'))
    await Promise.all([building.stop(), sweeping.stop()])
  })
}
