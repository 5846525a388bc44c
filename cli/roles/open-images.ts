import path from 'node:path'
import { openDecoder } from '../../adapters/media/decoding/decoder.js'
import { noProcessorBudgets, processorBudgets } from '../../adapters/media/decoding/processor-budget.js'
import { fileImageStore } from '../../adapters/media/file-store.js'
import type { ImageStore } from '../../adapters/media/image-store.js'
import { imagesIn } from '../../adapters/media/images.js'
import type { Images } from '../../application/ports/images.js'
import type { Settings } from '../settings.js'
import type { Base } from './base.js'

export interface OpenImages {
  readonly images: Images
  /** The source of images for /media. */
  readonly media: Pick<ImageStore, 'get'>
}

/** A separate process runs no TypeScript: even if tests run this from the sources, it is the compiled program. */
const decodingProgram = new URL(
  `${import.meta.url.endsWith('.ts') ? '../../dist' : '../..'}/adapters/media/decoding/worker.js`,
  import.meta.url,
)

/** Images in the data folder, or in the configured storage. */
export async function openImages({ options, closings }: Pick<Base, 'options' | 'closings'>): Promise<OpenImages> {
  const budgets = options.settings.rateLimits ? processorBudgets() : noProcessorBudgets
  const decoder = openDecoder({ program: decodingProgram, budgets })
  closings.add(() => decoder.close())
  const store = await openStore(options.settings, closings)
  return { images: imagesIn(decoder, store), media: store }
}

async function openStore(
  { dataDir, mediaUrl }: Pick<Settings, 'dataDir' | 'mediaUrl'>,
  closings: Base['closings'],
): Promise<ImageStore> {
  if (mediaUrl === undefined) return fileImageStore(path.join(dataDir, 'media'))
  const { s3ImageStore } = await import('../../adapters/media/s3-store.js')
  const store = s3ImageStore(mediaUrl)
  closings.add(async () => store.close())
  return store
}
