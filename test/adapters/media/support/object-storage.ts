import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { readBody } from './read-body.ts'

/** An object storage that keeps objects in memory, and accepts only requests signed with the key. */
export async function startObjectStorage(): Promise<{
  readonly url: string
  readonly objects: Map<string, Buffer>
  /** Uploads in parts that are not finished, by id. */
  readonly uploads: ReadonlyMap<string, { readonly key: string }>
  readonly server: Server
}> {
  const objects = new Map<string, Buffer>()
  const uploads = new Map<string, { readonly key: string; readonly parts: Map<string, Buffer> }>()
  const server = createServer((request, response) => {
    const { pathname: key, searchParams } = new URL(request.url ?? '', 'http://host')
    const isSigned = request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=the-key/') ?? false
    const found = objects.get(key)
    void readBody(request).then((body) => {
      if (!isSigned) return response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
      const inParts = uploadAnswer({ objects, uploads }, request.method ?? '', key, searchParams, body)
      if (inParts) return response.writeHead(200, inParts.headers).end(inParts.body)
      const copied = request.headers['x-amz-copy-source']
      if (request.method === 'PUT' && typeof copied === 'string') {
        const source = objects.get(`/${decodeURIComponent(copied)}`)
        const xml = { 'content-type': 'application/xml' }
        if (!source) return response.writeHead(404, xml).end('<Error><Code>NoSuchKey</Code></Error>')
        objects.set(key, source)
        return response.writeHead(200, xml).end('<CopyObjectResult></CopyObjectResult>')
      }
      if (request.method === 'PUT') return response.end(void objects.set(key, body))
      if (request.method === 'DELETE') return response.writeHead(204).end(void objects.delete(key))
      if (searchParams.get('list-type') === '2') return response.end(listed(objects, key, searchParams))
      if (found) return sendObject(response, found, request.headers.range)
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
  return { url: `http://the-key:the%2Fsecret@127.0.0.1:${port}/images`, objects, uploads, server }
}

function sendObject(response: ServerResponse, bytes: Buffer, asked: string | undefined): void {
  const { first, last } = /^bytes=(?<first>\d+)-(?<last>\d+)$/.exec(asked ?? '')?.groups ?? {}
  const sent = first === undefined ? bytes : bytes.subarray(Number(first), Number(last) + 1)
  response.writeHead(first === undefined ? 200 : 206, { 'content-length': sent.length }).end(sent)
}

interface Kept {
  readonly objects: Map<string, Buffer>
  readonly uploads: Map<string, { readonly key: string; readonly parts: Map<string, Buffer> }>
}

/** The answer to a request about an upload in parts; undefined for any other request. */
function uploadAnswer({ objects, uploads }: Kept, method: string, key: string, wishes: URLSearchParams, body: Buffer) {
  const id = wishes.get('uploadId')
  const asXml = (text: string) => ({ headers: { 'content-type': 'application/xml' }, body: text })
  if (method === 'POST' && wishes.has('uploads')) {
    const begun = `upload-${uploads.size + 1}`
    uploads.set(begun, { key, parts: new Map() })
    return asXml(`<R><UploadId>${begun}</UploadId></R>`)
  }
  if (method === 'GET' && wishes.has('uploads')) {
    const under = `${key.replace(/\/$/, '')}/${wishes.get('prefix') ?? ''}`
    const found = [...uploads].filter(([, upload]) => upload.key.startsWith(under))
    const entries = found.map(
      ([each, upload]) =>
        `<Upload><Key>${upload.key.slice('/images/'.length)}</Key><UploadId>${each}</UploadId></Upload>`,
    )
    return asXml(`<R>${entries.join('')}</R>`)
  }
  const upload = id === null ? undefined : uploads.get(id)
  if (id === null || !upload) return undefined
  if (method === 'PUT') {
    upload.parts.set(wishes.get('partNumber') ?? '', body)
    return { headers: { etag: `"${wishes.get('partNumber')}"` }, body: '' }
  }
  uploads.delete(id)
  if (method === 'POST') objects.set(key, Buffer.concat([...upload.parts.values()]))
  return asXml('<R></R>')
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
