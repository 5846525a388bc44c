import { openDecoder } from '../../adapters/media/decoding/decoder.js'
import { noProcessorBudgets, processorBudgets } from '../../adapters/media/decoding/processor-budget.js'
import { archiveFilesIn, archiveForm } from '../../adapters/media/archive-files.js'
import { imageForm, type ByteStore, type StoredForm } from '../../adapters/media/byte-store.js'
import { imagesIn } from '../../adapters/media/images.js'
import type { ArchiveFiles } from '../../application/ports/archives.js'
import type { Images } from '../../application/ports/images.js'
import { openByteStore } from '../open-byte-store.js'
import type { Base } from './base.js'

export interface OpenImages {
  readonly images: Images
  /** The source of images for /media. */
  readonly media: Pick<ByteStore, 'get'>
  /** The bytes of archives, in the same storage. */
  readonly archiveFiles: ArchiveFiles
}

/** A separate process runs no TypeScript: even if tests run this from the sources, it is the compiled program. */
const decodingProgram = new URL(
  `${import.meta.url.endsWith('.ts') ? '../../dist' : '../..'}/adapters/media/decoding/worker.js`,
  import.meta.url,
)

/** Images and archives in the data folder, or in the configured storage. */
export async function openImages({
  options,
  closings,
  store: { keys },
}: Pick<Base, 'options' | 'closings' | 'store'>): Promise<OpenImages> {
  const budgets = options.settings.rateLimits ? processorBudgets() : noProcessorBudgets
  const decoder = openDecoder({ program: decodingProgram, budgets })
  closings.add(() => decoder.close())
  const store = await openStore(imageForm)
  const archives = await openStore(archiveForm)
  return {
    images: imagesIn(decoder, store),
    media: store,
    archiveFiles: archiveFilesIn(archives, keys, options.personalDataKey),
  }

  async function openStore(form: StoredForm): Promise<ByteStore> {
    const opened = await openByteStore(options.settings, form)
    closings.add(async () => opened.close())
    return opened
  }
}
