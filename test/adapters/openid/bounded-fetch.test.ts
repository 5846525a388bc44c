import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { answer_bytes_max, boundedFetch, isUsable } from '../../../adapters/openid/bounded-fetch.ts'

const closings: (() => void)[] = []
afterEach(() => {
  for (const close of closings.splice(0)) close()
})

/** A provider on this machine that answers as a test says; returns its URL. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  closings.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const get = { method: 'GET', headers: {} }

describe('an answer of a provider', () => {
  it('comes whole, up to its bound', async () => {
    const url = await serve((_, response) => response.writeHead(200, { 'x-a': 'b' }).end('a'.repeat(answer_bytes_max)))
    const answer = await boundedFetch(url)(url, get)
    expect([answer.status, answer.headers.get('x-a')]).toStrictEqual([200, 'b'])
    expect(await answer.text()).toHaveLength(answer_bytes_max)
  })

  it('is refused beyond its bound, also where it was compressed', async () => {
    const long = Buffer.alloc(answer_bytes_max + 1)
    const plain = await serve((_, response) => response.end(long))
    const zipped = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(long)),
    )
    for (const url of [plain, zipped]) await expect(boundedFetch(url)(url, get)).rejects.toThrow('bytes')
  })

  it('that goes on for ever is ended', async () => {
    const url = await serve((_, response) => {
      const timer = setInterval(() => response.write('a'), 5)
      response.once('close', () => clearInterval(timer))
    })
    await expect(boundedFetch(url, 50)(url, get)).rejects.toThrow('timeout')
  })

  it('that never comes is not waited for', async () => {
    const url = await serve(() => undefined)
    await expect(boundedFetch(url, 50)(url, get)).rejects.toThrow('timeout')
  })

  it('leads nowhere else', async () => {
    const asked: string[] = []
    const url = await serve((request, response) => {
      asked.push(String(request.url))
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    expect((await boundedFetch(url)(`${url}/first`, get)).status).toBe(302)
    expect(asked).toStrictEqual(['/first'])
  })
})

describe('a URL that a provider names', () => {
  const elsewhere = 'https://id.example.com'
  const here = 'http://127.0.0.1:4000'

  it.each([
    ['https://id.example.com/token', elsewhere],
    ['https://other.example.net/keys', elsewhere],
    ['http://127.0.0.1:5000/token', here],
    ['http://localhost:5000/token', here],
    ['http://[::1]:5000/token', here],
    ['https://localhost/token', here],
  ])('is asked: %s of %s', (url, issuer) => {
    expect(isUsable(url, issuer)).toBe(true)
  })

  it.each([
    ['http://id.example.com/token', elsewhere],
    ['http://127.0.0.1:5432/', elsewhere],
    ['https://127.0.0.1:5432/', elsewhere],
    ['https://localhost:5432/', elsewhere],
    ['https://2130706433/', elsewhere],
    ['https://[::1]/', elsewhere],
    ['https://[::ffff:127.0.0.1]/', elsewhere],
    ['https://0.0.0.0/', elsewhere],
    ['http://169.254.169.254/latest', here],
    ['https://user:secret@id.example.com/token', elsewhere],
    ['file:///etc/passwd', here],
    ['javascript:alert(1)', here],
    ['/token', here],
    ['', here],
  ])('is not asked: %s of %s', async (url, issuer) => {
    expect(isUsable(url, issuer)).toBe(false)
    await expect(boundedFetch(issuer)(url, get)).rejects.toThrow('not asked')
  })
})
