import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fileImageStore } from '../../../adapters/media/file-store.js'
import type { ImageStore } from '../../../adapters/media/image-store.js'
import { MediaStoreUnavailable, s3ImageStore } from '../../../adapters/media/s3-store.js'
import { readBody } from './support/read-body.js'

async function folderOfTest(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'guildhall-media-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** An object storage that keeps objects in memory, and accepts only requests signed with the key. */
async function startObjectStorage(): Promise<{
  readonly url: string
  readonly objects: Map<string, Buffer>
  readonly server: Server
}> {
  const objects = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    const { pathname: key, searchParams } = new URL(request.url ?? '', 'http://host')
    const isSigned = request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=the-key/') ?? false
    const found = objects.get(key)
    void readBody(request).then((body) => {
      if (!isSigned) return response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
      if (request.method === 'PUT') return response.end(void objects.set(key, body))
      if (request.method === 'DELETE') return response.writeHead(204).end(void objects.delete(key))
      if (searchParams.get('list-type') === '2') return response.end(listed(objects, key, searchParams))
      if (found) return response.end(found)
      return response.writeHead(404, { 'content-type': 'application/xml' }).end('<Error><Code>NoSuchKey</Code></Error>')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://the-key:the%2Fsecret@127.0.0.1:${port}/images`, objects, server }
}

const storedAt = '2026-11-20T12:00:00.000Z'

/** A page of two objects of a bucket, whatever limit is requested; the token is the key after which the next page begins. */
function listed(objects: ReadonlyMap<string, Buffer>, bucket: string, wishes: URLSearchParams): string {
  const folder = `${bucket.replace(/\/$/, '')}/${wishes.get('prefix') ?? ''}`
  const after = wishes.get('continuation-token') ?? ''
  const keys = [...objects.keys()].filter((key) => key.startsWith(folder) && key > after).toSorted()
  const [first, second, ...more] = keys
  const page = [first, second].flatMap((key) => key ?? [])
  const contents = page.map(
    (key) => `<Contents><Key>${key.slice('/images/'.length)}</Key><LastModified>${storedAt}</LastModified></Contents>`,
  )
  const next = more.length === 0 ? '' : `<NextContinuationToken>${String(second)}</NextContinuationToken>`
  return `<?xml version="1.0"?><ListBucketResult>${contents.join('')}${next}</ListBucketResult>`
}

async function openS3(): Promise<ImageStore> {
  const { url } = await startObjectStorage()
  const store = s3ImageStore(url)
  onTestFinished(() => store.close())
  return store
}

const name = 'icons/1/0123456789abcdef0123456789abcdef'

describe.each([
  ['files', async () => fileImageStore(await folderOfTest())],
  ['S3-compatible storage', openS3],
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
  ['files', async () => fileImageStore(await folderOfTest())],
  ['S3-compatible storage', openS3],
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

it('files leave nothing unfinished beside them', async () => {
  const folder = await folderOfTest()
  await fileImageStore(folder).put(name, Buffer.from('one'))
  expect(await readdir(path.join(folder, 'icons/1'))).toStrictEqual(['0123456789abcdef0123456789abcdef.webp'])
})

it('storage that refuses or is not there is unavailable', async () => {
  const { url, server } = await startObjectStorage()
  const stranger = s3ImageStore(url.replace('the-key', 'another-key'))
  await expect(stranger.put(name, Buffer.from('one'))).rejects.toBeInstanceOf(MediaStoreUnavailable)
  stranger.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  const alone = s3ImageStore(url)
  await expect(alone.get(name)).rejects.toBeInstanceOf(MediaStoreUnavailable)
  alone.close()
})
