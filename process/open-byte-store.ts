import path from 'node:path'
import { imageForm, type ByteStore, type StoredForm } from '../adapters/media/byte-store.js'
import { fileStore } from '../adapters/media/file-store.js'
import type { Settings } from './settings/settings.js'

export type OpenByteStore = ByteStore & { close(): void }

/** What is kept in the data folder or in the configured storage: images, unless another form is named. */
export async function openByteStore(
  { dataDir, mediaUrl }: Pick<Settings, 'dataDir' | 'mediaUrl'>,
  form: StoredForm = imageForm,
): Promise<OpenByteStore> {
  if (mediaUrl === undefined) return { ...fileStore(path.join(dataDir, 'media'), form), close: () => undefined }
  const { s3Store } = await import('../adapters/media/s3-store.js')
  return s3Store(mediaUrl, form)
}
