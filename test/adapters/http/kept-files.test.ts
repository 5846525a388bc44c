import { readFileSync } from 'node:fs'
import { get, type IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { withDocuments, adminDocument, memberDocument } from '../../../adapters/http/openapi/document-operation.ts'
import { allOperations } from '../../../adapters/http/operations/all-operations.ts'
import { gatewayDocument } from '../../../cli/gateway-reference/gateway-document.ts'
import { productVersion } from '../../../process/product-version.ts'
import { sharedGuildhall } from '../../support/shared-guildhall.ts'
import { getThing } from './operations.ts'
import { startServer } from './support.ts'

interface Received {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** What stands on the wire: fetch would ask for compressions of its own, and undo them. */
function received(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Received> {
  return new Promise((resolve, fail) => {
    get(url, { headers, agent: false }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(pieces) }),
      )
    }).on('error', fail)
  })
}

/** Everything that is the same for everybody. */
const kept = [
  '/v1/openapi.json',
  '/v1/openapi.admin.json',
  '/v1/events.json',
  '/docs',
  '/docs/start.js',
  '/docs/swagger-ui.css',
  '/docs/swagger-ui-bundle.js',
  '/docs/favicon-32x32.png',
  '/docs/gateway',
  '/docs/docs.css',
  '/docs/gateway.json',
  '/pages/style.css',
  '/pages/page.js',
]

describe('a file that never changes', () => {
  it.each(kept)('%s is sent compressed to clients that read that, and as it is to others', async (path) => {
    const { url } = await sharedGuildhall()
    const plain = await received(url + path)
    expect([plain.status, plain.headers['content-encoding'], plain.headers.vary]).toEqual([
      200,
      undefined,
      'Accept-Encoding',
    ])
    const gzip = await received(url + path, { 'accept-encoding': 'gzip, deflate' })
    expect([gzip.headers['content-encoding'], gzip.headers.vary]).toEqual(['gzip', 'Accept-Encoding'])
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true)
    const br = await received(url + path, { 'accept-encoding': 'gzip, deflate, br' })
    expect([br.headers['content-encoding'], br.headers['content-type']]).toEqual(['br', plain.headers['content-type']])
    expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true)
    if (plain.body.byteLength > 1000) expect(br.body.byteLength).toBeLessThan(plain.body.byteLength / 2)
  })

  it.each(kept)('%s is not sent again to a client that has it', async (path) => {
    const { url } = await sharedGuildhall()
    const first = await received(url + path)
    const tag = first.headers.etag ?? ''
    expect(tag).toMatch(/^W\/"[\w-]{22}"$/)
    for (const known of [tag, `"other", ${tag}`, tag.slice(2), '*']) {
      const again = await received(url + path, { 'if-none-match': known, 'accept-encoding': 'br' })
      expect([known, again.status, again.body.byteLength]).toEqual([known, 304, 0])
      expect(again.headers).toMatchObject({
        etag: tag,
        vary: 'Accept-Encoding',
        'cache-control': first.headers['cache-control'],
      })
    }
    expect(await received(url + path, { 'if-none-match': 'W/"other"' })).toMatchObject({ status: 200 })
  })

  it('is not compressed in a way that the client refuses', async () => {
    const { url } = await startServer([getThing])
    const encodingOf = async (accepted: string) => {
      const { headers } = await received(`${url}/v1/openapi.json`, { 'accept-encoding': accepted })
      return headers['content-encoding'] ?? 'identity'
    }
    expect(await encodingOf('br;q=0, gzip;q=0.5')).toBe('gzip')
    expect(await encodingOf('BR ; q=0.000, identity')).toBe('identity')
    expect(await encodingOf('br;q=0.1')).toBe('br')
    expect(await encodingOf('*')).toBe('br')
    expect(await encodingOf('*, br;q=0')).toBe('gzip')
    expect(await encodingOf('deflate, zstd')).toBe('identity')
  })

  it('has another tag when its content is another', async () => {
    const tagOf = async (operations: Parameters<typeof startServer>[0]) =>
      (await received(`${(await startServer(operations)).url}/v1/openapi.json`)).headers.etag
    expect(await tagOf([])).toBe(await tagOf([]))
    expect(await tagOf([])).not.toBe(await tagOf([getThing]))
  })
})

it('what the build wrote of the documents is what the code says', async () => {
  const { url } = await sharedGuildhall()
  const operations = withDocuments(allOperations, productVersion)
  const sent = async (path: string) => (await received(url + path)).body.toString()
  expect(await sent('/v1/openapi.json')).toBe(JSON.stringify(memberDocument(operations, productVersion)))
  expect(await sent('/v1/openapi.admin.json')).toBe(JSON.stringify(adminDocument(operations, productVersion)))
  expect(await sent('/docs/gateway.json')).toBe(JSON.stringify(gatewayDocument()))
  expect(await sent('/v1/events.json')).toBe(readFileSync('docs/reference/events.json', 'utf8'))
})
