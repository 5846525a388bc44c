import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { CreateMultipartUploadCommand, S3Client } from '@aws-sdk/client-s3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { attachmentForm, imageForm, type ByteStore, type StoredForm } from '../../../adapters/media/byte-store.ts'
import { fileStore } from '../../../adapters/media/file-store.ts'
import { MediaStoreUnavailable, s3Store } from '../../../adapters/media/s3-store.ts'
import { part_bytes } from '../../../adapters/media/s3-parts.ts'
import { startObjectStorage } from './support/object-storage.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

async function folderOfTest(): Promise<string> {
  const folder = await temporaryFolder('media')
  return folder
}

async function openS3(form: StoredForm = imageForm): Promise<ByteStore> {
  const { url } = await startObjectStorage()
  const store = s3Store(url, form)
  onTestFinished(() => store.close())
  return store
}

const name = 'icons/1/0123456789abcdef0123456789abcdef'

describe.each([
  ['files', async () => fileStore(await folderOfTest())],
  ['S3-compatible storage', () => openS3()],
] as const)('images kept in %s', (_, open) => {
  it('are given back as they were put, under their names', async () => {
    const store = await open()
    await store.put(name, Buffer.from('one'))
    await store.put(`${name}2`, Buffer.from('two'))
    expect(Buffer.from((await store.get(name)) ?? []).toString()).toBe('one')
  })

  it('are put again without harm', async () => {
    const store = await open()
    await Promise.all(Array.from({ length: 8 }, () => store.put(name, Buffer.from('same'))))
    expect(Buffer.from((await store.get(name)) ?? []).toString()).toBe('same')
  })

  it('are not there where nothing was put, and once they are removed, which may be done twice', async () => {
    const store = await open()
    expect(await store.get(name)).toBeUndefined()
    await store.put(name, Buffer.from('gone'))
    await store.remove(name)
    await store.remove(name)
    expect(await store.get(name)).toBeUndefined()
  })
})

describe.each([
  ['files', async () => fileStore(await folderOfTest())],
  ['S3-compatible storage', () => openS3()],
] as const)('images listed in %s', (_, open) => {
  it('are those of a folder and of the folders in it, page by page, with the time of each', async () => {
    const store = await open()
    const names = ['a/1/x', 'a/1/y', 'a/1/z', 'a/2/x', 'a/20/x', 'b/1/x']
    for (const each of names) await store.put(each, Buffer.from(each))
    const namesIn = async (folder: string) => {
      const found = []
      for await (const page of store.list(folder)) {
        for (const { storedAt: at } of page) expect(at.getTime()).toBeGreaterThan(0)
        found.push(...page.map((stored) => stored.name))
      }
      return found.toSorted()
    }
    expect(await namesIn('a/')).toStrictEqual(names.slice(0, 5))
    expect(await namesIn('a/1/')).toStrictEqual(names.slice(0, 3))
    expect(await namesIn('a/2/')).toStrictEqual(['a/2/x'])
    expect(await namesIn('c/')).toStrictEqual([])
  })
})

describe.each([
  ['files', async () => fileStore(await folderOfTest())],
  ['S3-compatible storage', () => openS3()],
] as const)('a folder removed in %s', (_, open) => {
  it('takes everything in it and below it, and nothing beside it', async () => {
    const store = await open()
    for (const each of ['a/1/x', 'a/1/2/y', 'a/10/x', 'b/1/x']) await store.put(each, Buffer.from(each))
    await store.removeFolder('a/1/')
    await store.removeFolder('a/1/')
    const left = []
    for (const folder of ['a/', 'b/'])
      for await (const page of store.list(folder)) left.push(...page.map((stored) => stored.name))
    expect(left).toStrictEqual(['a/10/x', 'b/1/x'])
  })
})

describe.each([
  ['files', async () => fileStore(await folderOfTest(), attachmentForm)],
  ['S3-compatible storage', () => openS3(attachmentForm)],
] as const)('a file kept in %s', (_, open) => {
  it.each([0, 1, 3 * 1024 * 1024, 2 * part_bytes + 5])(
    'is moved there from the disk, and read whole or in a range, with %d bytes',
    async (size_bytes) => {
      const store = await open()
      const bytes = randomBytes(size_bytes)
      const file = path.join(await folderOfTest(), 'received')
      await writeFile(file, bytes)
      await store.putFile('a/1/file', { path: file, size_bytes })
      expect(existsSync(file)).toBe(false)
      const found = await store.find('a/1/file')
      if (!found) throw new Error('The file is not there')
      expect(found.size_bytes).toBe(size_bytes)
      expect(bytes.equals(await buffer(await found.read()))).toBe(true)
      if (size_bytes < 2) return
      const range = { first: 1, last: size_bytes - 1 }
      expect(bytes.subarray(1).equals(await buffer(await found.read(range)))).toBe(true)
    },
  )

  it('has a copy under another name that stays when it goes, copied twice too; of nothing there is none', async () => {
    const store = await open()
    await store.put('a/1/file', Buffer.from('one'))
    expect([await store.copy('a/1/file', 'b/2/file'), await store.copy('a/1/file', 'b/2/file')]).toEqual([true, true])
    await store.removeFolder('a/1/')
    expect(Buffer.from((await store.get('b/2/file')) ?? []).toString()).toBe('one')
    expect(await store.copy('a/1/file', 'b/3/file')).toBe(false)
    expect(await store.get('b/3/file')).toBeUndefined()
  })

  it('is not there where nothing was put, and after its folder is removed', async () => {
    const store = await open()
    expect(await store.find('a/1/file')).toBeUndefined()
    await store.put('a/1/file', Buffer.from('one'))
    await store.removeFolder('a/1/')
    expect(await store.find('a/1/file')).toBeUndefined()
  })
})

it('uploads in parts that a dead process left go with their folder', async () => {
  const { url, uploads } = await startObjectStorage()
  const store = s3Store(url, attachmentForm)
  onTestFinished(() => store.close())
  const client = new S3Client({
    endpoint: new URL(url).origin,
    region: 'us-east-1',
    credentials: { accessKeyId: 'the-key', secretAccessKey: 'the/secret' },
    forcePathStyle: true,
  })
  for (const Key of ['a/1/file.file', 'a/2/file.file'])
    await client.send(new CreateMultipartUploadCommand({ Bucket: 'images', Key }))
  client.destroy()
  await store.removeFolder('a/1/')
  expect([...uploads.values()].map(({ key }) => key)).toStrictEqual(['/images/a/2/file.file'])
})

it('files that a process had half written as it died go with their folder', async () => {
  const folder = await folderOfTest()
  await mkdir(path.join(folder, 'icons/1'), { recursive: true })
  await writeFile(path.join(folder, 'icons/1', 'half.webp.0f3d'), 'half')
  await writeFile(path.join(folder, 'icons/1', 'whole.part'), 'of another form')
  await fileStore(folder).removeFolder('icons/1/')
  expect(await readdir(path.join(folder, 'icons/1'))).toStrictEqual(['whole.part'])
})

it('files leave nothing unfinished beside them', async () => {
  const folder = await folderOfTest()
  await fileStore(folder).put(name, Buffer.from('one'))
  expect(await readdir(path.join(folder, 'icons/1'))).toStrictEqual(['0123456789abcdef0123456789abcdef.webp'])
})

it('storage that refuses or is not there is unavailable', async () => {
  const { url, server } = await startObjectStorage()
  const stranger = s3Store(url.replace('the-key', 'another-key'))
  await expect(stranger.put(name, Buffer.from('one'))).rejects.toBeInstanceOf(MediaStoreUnavailable)
  stranger.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  const alone = s3Store(url)
  await expect(alone.get(name)).rejects.toBeInstanceOf(MediaStoreUnavailable)
  alone.close()
})
