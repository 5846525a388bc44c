import { open, rm, type FileHandle } from 'node:fs/promises'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  UploadPartCommand,
  type CompletedPart,
  type S3Client,
} from '@aws-sdk/client-s3'
import type { LocalFile } from './byte-store.ts'

/** One part is in memory at once. S3 takes no smaller ones, except for the last, and 10,000 of them. */
export const part_bytes = 8 * 1024 * 1024

/** Where an object is. */
export interface ObjectAt {
  readonly Bucket: string
  readonly Key: string
}

/** Stores a file as an object, part by part, and removes the file. The object exists once all of it is there. */
export async function putLocalFile(
  client: S3Client,
  object: ObjectAt & { readonly ContentType: string },
  { path, size_bytes }: LocalFile,
): Promise<void> {
  const file = await open(path, 'r')
  try {
    if (size_bytes <= part_bytes)
      await client.send(new PutObjectCommand({ ...object, Body: await partOf(file, 0, size_bytes) }))
    else await putInParts(client, object, file, size_bytes)
  } finally {
    await file.close()
  }
  await rm(path, { force: true })
}

async function putInParts(
  client: S3Client,
  { Bucket, Key, ContentType }: ObjectAt & { readonly ContentType: string },
  file: FileHandle,
  size_bytes: number,
): Promise<void> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key, ContentType }))
  const upload = { Bucket, Key, UploadId }
  try {
    const Parts: CompletedPart[] = []
    for (let from = 0; from < size_bytes; from += part_bytes) {
      const PartNumber = Parts.length + 1
      const Body = await partOf(file, from, Math.min(part_bytes, size_bytes - from))
      const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber, Body }))
      Parts.push({ PartNumber, ETag })
    }
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }))
  } catch (error) {
    // What stays of it goes with the folder of the object.
    await client.send(new AbortMultipartUploadCommand(upload)).catch((second: unknown) => second)
    throw error
  }
}

async function partOf(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await file.read(bytes, 0, length, from)
  if (bytesRead < length) throw new Error('The file is shorter than it was')
  return bytes
}

/** Ends the uploads to a folder that processes began and did not finish. */
export async function abortUploads(
  client: S3Client,
  {
    bucket: Bucket,
    folder,
    extension,
  }: { readonly bucket: string; readonly folder: string; readonly extension: string },
): Promise<void> {
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: folder }))
  for (const { Key, UploadId } of Uploads)
    if (Key?.endsWith(extension)) await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
}
