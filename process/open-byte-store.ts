import path from 'node:path'
import { imageForm, type ByteStore, type StoredForm } from '../adapters/media/byte-store.ts'
import { fileStore } from '../adapters/media/file-store.ts'
import type { Settings } from './settings/settings.ts'

export type OpenByteStore = ByteStore & { close(): void }

/** Where it is: the whole path of a folder, or the address of a bucket, without its credentials. */
export function byteStoreLocation({ dataDir, mediaUrl }: Pick<Settings, 'dataDir' | 'mediaUrl'>): string {
  if (mediaUrl === undefined) return path.resolve(dataDir, 'media')
  const { origin, pathname } = new URL(mediaUrl)
  return `${origin}${pathname}`
}

/** Where files are while they are received: on the disk of files that are kept, so that keeping one only moves it. */
export function spoolFolder(settings: Pick<Settings, 'dataDir' | 'mediaUrl'>): string {
  const { dataDir, mediaUrl } = settings
  return mediaUrl === undefined ? path.join(byteStoreLocation(settings), 'received') : path.resolve(dataDir, 'received')
}

/** What is kept in the data folder or in the configured storage: images, unless another form is named. */
export async function openByteStore(
  settings: Pick<Settings, 'dataDir' | 'mediaUrl'>,
  form: StoredForm = imageForm,
): Promise<OpenByteStore> {
  const { mediaUrl } = settings
  if (mediaUrl === undefined) return { ...fileStore(byteStoreLocation(settings), form), close: () => undefined }
  const { s3Store } = await import('../adapters/media/s3-store.ts')
  return s3Store(mediaUrl, form)
}
