import { postgresArchives } from '../../adapters/archives/postgres-archives.ts'
import { commandOrigins } from '../../adapters/ids/command-origins.ts'
import type { OpenMessages } from '../../adapters/messages/open-messages.ts'
import type { CommandOrigins } from '../../application/ports/command-origins.ts'
import type { Ports } from '../../application/ports.ts'
import type { Base } from './base.ts'
import { openBesideHistory } from './beside-history.ts'
import { openImages, type OpenImages } from './open-images.ts'
import { openSnowflakes } from './open-snowflakes.ts'
import { portsOf, type Seams } from './ports-of.ts'
import { openSharedParts, type SharedParts } from './shared-parts.ts'

/** The parts of processes that carry out commands: those of clients, and those that finish what others have begun. */
export interface CommandSide extends Pick<SharedParts, 'rateLimits'> {
  readonly ports: Ports
  readonly origins: CommandOrigins
  /** The source of images. */
  readonly media: OpenImages['media']
  /** The files of attachments. */
  readonly attachmentStore: OpenImages['attachmentStore']
  readonly attachmentFiles: OpenImages['attachmentFiles']
  readonly uploads: OpenImages['uploads']
  readonly archiveFiles: OpenImages['archiveFiles']
  /** Has a function called whenever somebody asks this process for an archive. */
  readonly onArchiveAdded: (handle: () => void) => void
}

export async function openCommandSide(
  base: Base,
  seams: Omit<Seams, 'images' | 'attachmentFiles' | 'uploads' | 'archives'>,
  messages: Pick<OpenMessages, 'newestId'>,
): Promise<CommandSide> {
  const shared = await openSharedParts(base)
  const beside = await openBesideHistory(base, seams.publicUrl)
  const { images, media, attachmentStore, attachmentFiles, uploads, archiveFiles } = await openImages(base)
  const onAdded: (() => void)[] = []
  const archives = postgresArchives(base.database, archiveFiles, () => {
    for (const handle of onAdded) handle()
  })
  const origins = commandOrigins({ snowflakes: await openSnowflakes(base, shared.workerId, messages) })
  return {
    ...shared,
    origins,
    media,
    attachmentStore,
    attachmentFiles,
    uploads,
    archiveFiles,
    onArchiveAdded: (handle) => void onAdded.push(handle),
    ports: portsOf(base, shared, beside, { ...seams, images, attachmentFiles, uploads, archives }),
  }
}
