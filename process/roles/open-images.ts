import { openDecoder } from '../../adapters/media/decoding/decoder.ts'
import { noProcessorBudgets, processorBudgets } from '../../adapters/media/decoding/processor-budget.ts'
import { archiveFilesIn, archiveForm } from '../../adapters/media/archive-files.ts'
import { attachmentForm, imageForm, type ByteStore, type StoredForm } from '../../adapters/media/byte-store.ts'
import type { FileScanner } from '../../adapters/file-scanners/file-scanner.ts'
import { openFileScanner } from '../../adapters/file-scanners/open-file-scanner.ts'
import { imagesIn } from '../../adapters/media/images.ts'
import type { ArchiveFiles } from '../../application/ports/archives.ts'
import type { Images } from '../../application/ports/images.ts'
import { attachmentFiles, type OpenAttachmentFiles } from '../../adapters/media/attachments/attachment-files.ts'
import { spoolIn } from '../../adapters/media/attachments/spool.ts'
import { uploadsIn, type OpenUploads } from '../../adapters/media/attachments/uploads.ts'
import { openByteStore, spoolFolder } from '../open-byte-store.ts'
import type { Base } from './base.ts'

/** The scanner of files that the settings name; undefined if they name none. */
export function scannerOf({ fileScanner }: Pick<Base['options']['settings'], 'fileScanner'>): FileScanner | undefined {
  return fileScanner === undefined ? undefined : openFileScanner(fileScanner)
}

export interface OpenImages {
  readonly images: Images
  /** The source of images for /media. */
  readonly media: Pick<ByteStore, 'get'>
  /** The files of attachments, in the same storage. */
  readonly attachmentStore: ByteStore
  readonly attachmentFiles: OpenAttachmentFiles
  /** What is uploaded before its message, in the same storage. */
  readonly uploads: OpenUploads
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
  database,
  store: { keys },
}: Pick<Base, 'options' | 'closings' | 'database' | 'store'>): Promise<OpenImages> {
  const budgets = options.settings.rateLimits ? processorBudgets() : noProcessorBudgets
  const decoder = openDecoder({ program: decodingProgram, budgets })
  closings.add(() => decoder.close())
  const store = await openStore(imageForm)
  const archives = await openStore(archiveForm)
  const attachmentStore = await openStore(attachmentForm)
  return {
    images: imagesIn(decoder, store),
    media: store,
    attachmentStore,
    attachmentFiles: attachmentFiles({
      database,
      store: attachmentStore,
      decoder,
      scanner: scannerOf(options.settings),
      spool: spoolIn(spoolFolder(options.settings)),
    }),
    uploads: uploadsIn(database, attachmentStore),
    archiveFiles: archiveFilesIn(archives, keys, options.personalDataKey),
  }

  async function openStore(form: StoredForm): Promise<ByteStore> {
    const opened = await openByteStore(options.settings, form)
    closings.add(async () => opened.close())
    return opened
  }
}
