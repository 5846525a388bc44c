import { openDecoder } from '../../adapters/media/decoding/decoder.ts'
import { noProcessorBudgets, processorBudgets } from '../../adapters/media/decoding/processor-budget.ts'
import { archiveFilesIn, archiveForm } from '../../adapters/media/archive-files.ts'
import { attachmentForm, imageForm, type ByteStore, type StoredForm } from '../../adapters/media/byte-store.ts'
import { imagesIn } from '../../adapters/media/images.ts'
import type { ArchiveFiles } from '../../application/ports/archives.ts'
import type { Images } from '../../application/ports/images.ts'
import { openByteStore } from '../open-byte-store.ts'
import type { Base } from './base.ts'

export interface OpenImages {
  readonly images: Images
  /** The source of images for /media. */
  readonly media: Pick<ByteStore, 'get'>
  /** The files of attachments, in the same storage. */
  readonly attachments: ByteStore
  /** The bytes of archives, in the same storage. */
  readonly archiveFiles: ArchiveFiles
}

/** The source, where the product runs from its sources. */
const decodingProgram = new URL(
  `../../adapters/media/decoding/worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`,
  import.meta.url,
)

/** Images, attachments and archives in the data folder, or in the configured storage. */
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
    attachments: await openStore(attachmentForm),
    archiveFiles: archiveFilesIn(archives, keys, options.personalDataKey),
  }

  async function openStore(form: StoredForm): Promise<ByteStore> {
    const opened = await openByteStore(options.settings, form)
    closings.add(async () => opened.close())
    return opened
  }
}
