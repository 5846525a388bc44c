import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { Readable } from 'node:stream'
import { Unavailable } from '../../application/failures/unavailable.ts'
import { imageForm, type ByteRange, type ByteStore, type StoredForm } from './byte-store.ts'
import { abortUploads, putLocalFile, type ObjectAt } from './s3-parts.ts'

export type S3Store = ByteStore & { close(): void }

const page_max = 1000
const answer_ms_max = 10_000
const attempts_max = 3

/** The object storage can't be reached, or refuses the request. */
export class MediaStoreUnavailable extends Unavailable {
  override readonly name = 'MediaStoreUnavailable'
  override readonly part = 'image store'
}

/**
 * Bytes as objects in a bucket of S3-compatible storage. The URL is `https://<key>:<secret>@<host>/<bucket>`, with `?region=`
 * unless that is us-east-1. Special characters in the key or secret are percent-encoded.
 */
export function s3Store(url: string, { extension, mediaType }: StoredForm = imageForm): S3Store {
  const { client, bucket } = clientFor(new URL(url))
  const at = (name: string) => ({ Bucket: bucket, Key: `${name}${extension}` })
  const store: S3Store = {
    put: (name, bytes) =>
      asked(async () => {
        await client.send(new PutObjectCommand({ ...at(name), Body: bytes, ContentType: mediaType }))
      }),
    get: (name) =>
      asked(async () => {
        try {
          const { Body } = await client.send(new GetObjectCommand(at(name)))
          return await Body?.transformToByteArray()
        } catch (error) {
          if (error instanceof NoSuchKey) return undefined
          throw error
        }
      }),
    putFile: (name, file) => asked(() => putLocalFile(client, { ...at(name), ContentType: mediaType }, file)),
    copy: (from, to) => asked(() => copyObject(client, at(from), at(to))),
    find: (name) =>
      asked(async () => {
        const size_bytes = await sizeOf(client, at(name))
        if (size_bytes === undefined) return undefined
        const read = async (range?: ByteRange): Promise<Readable> => {
          const Range = range && `bytes=${range.first}-${range.last}`
          const { Body } = await asked(() => client.send(new GetObjectCommand({ ...at(name), Range })))
          return Body instanceof Readable ? Body : Readable.from([])
        }
        return { size_bytes, read }
      }),
    async *list(folder) {
      let after: string | undefined
      do {
        const page = { Bucket: bucket, Prefix: folder, MaxKeys: page_max, ContinuationToken: after }
        const { Contents = [], NextContinuationToken } = await asked(() => client.send(new ListObjectsV2Command(page)))
        yield Contents.flatMap(({ Key, LastModified: storedAt }) =>
          Key?.endsWith(extension) && storedAt ? [{ name: Key.slice(0, Key.length - extension.length), storedAt }] : [],
        )
        after = NextContinuationToken
      } while (after !== undefined)
    },
    remove: (name) =>
      asked(async () => {
        await client.send(new DeleteObjectCommand(at(name)))
      }),
    async removeFolder(folder) {
      for await (const page of store.list(folder)) for (const { name } of page) await store.remove(name)
      await asked(() => abortUploads(client, { bucket, folder, extension }))
    },
    close: () => {
      client.destroy()
    },
  }
  return store
}

/** The storage copies the object by itself. False if there is none. */
async function copyObject(client: S3Client, from: ObjectAt, to: ObjectAt): Promise<boolean> {
  const CopySource = `${from.Bucket}/${from.Key.split('/').map(encodeURIComponent).join('/')}`
  try {
    await client.send(new CopyObjectCommand({ ...to, CopySource }))
    return true
  } catch (error) {
    if (error instanceof NoSuchKey) return false
    throw error
  }
}

/** Undefined if there is no such object. */
async function sizeOf(client: S3Client, at: ObjectAt): Promise<number | undefined> {
  try {
    const { ContentLength: size_bytes = 0 } = await client.send(new HeadObjectCommand(at))
    return size_bytes
  } catch (error) {
    if (error instanceof NotFound || error instanceof NoSuchKey) return undefined
    throw error
  }
}

function clientFor(url: URL): { readonly client: S3Client; readonly bucket: string } {
  const client = new S3Client({
    endpoint: url.origin,
    region: url.searchParams.get('region') ?? 'us-east-1',
    credentials: {
      accessKeyId: decodeURIComponent(url.username),
      secretAccessKey: decodeURIComponent(url.password),
    },
    forcePathStyle: true,
    maxAttempts: attempts_max,
    requestHandler: { requestTimeout: answer_ms_max, connectionTimeout: answer_ms_max },
  })
  return { client, bucket: decodeURIComponent(url.pathname.slice(1)) }
}

async function asked<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    throw new MediaStoreUnavailable('the object storage can not be reached', { cause: error })
  }
}
