import { postgresArchives } from '../../adapters/archives/postgres-archives.js'
import { commandOrigins } from '../../adapters/ids/command-origins.js'
import type { OpenMessages } from '../../adapters/messages/open-messages.js'
import type { CommandOrigins } from '../../application/ports/command-origins.js'
import type { Ports } from '../../application/ports.js'
import type { Base } from './base.js'
import { openBesideHistory } from './beside-history.js'
import { openImages, type OpenImages } from './open-images.js'
import { openSnowflakes } from './open-snowflakes.js'
import { portsOf, type Seams } from './ports-of.js'
import { openSharedParts, type SharedParts } from './shared-parts.js'

/** The parts of processes that carry out commands: those of clients, and those that finish what others have begun. */
export interface CommandSide extends Pick<SharedParts, 'rateLimits'> {
  readonly ports: Ports
  readonly origins: CommandOrigins
  /** The source of images. */
  readonly media: OpenImages['media']
  readonly archiveFiles: OpenImages['archiveFiles']
  /** Has a function called whenever somebody asks this process for an archive. */
  readonly onArchiveAdded: (handle: () => void) => void
}

export async function openCommandSide(
  base: Base,
  seams: Omit<Seams, 'images' | 'archives'>,
  messages: Pick<OpenMessages, 'newestId'>,
): Promise<CommandSide> {
  const shared = await openSharedParts(base)
  const beside = await openBesideHistory(base, seams.publicUrl)
  const { images, media, archiveFiles } = await openImages(base)
  const onAdded: (() => void)[] = []
  const archives = postgresArchives(base.database, archiveFiles, () => {
    for (const handle of onAdded) handle()
  })
  const origins = commandOrigins({ snowflakes: await openSnowflakes(base, shared.workerId, messages) })
  return {
    ...shared,
    origins,
    media,
    archiveFiles,
    onArchiveAdded: (handle) => void onAdded.push(handle),
    ports: portsOf(base, shared, beside, { ...seams, images, archives }),
  }
}
