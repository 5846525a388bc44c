import { connect } from 'node:net'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { anyone } from '../../adapters/http/callers.ts'
import { echo, guarded } from '../adapters/http/operations.ts'
import { adaToken, afterThisTest, startServer } from '../adapters/http/support.ts'

/** Encodings of a request, and where one request ends and the next begins. */

const operations = [echo, guarded(anyone())]
const MiB = 1024 * 1024
/** Its best compression takes a hundred times as long. */
const quickBrotli = (bytes: Buffer): Buffer =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })

/** Sends bytes on one connection; returns all that comes back until it ends. */
async function exchanged(port: number, ...parts: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  afterThisTest(() => socket.destroy())
  for (const part of parts) socket.write(part)
  const received: Buffer[] = []
  for await (const part of socket) received.push(part as Buffer)
  return Buffer.concat(received).toString()
}

const head = (...headers: readonly string[]): string =>
  [
    'POST /v1/things/1/echo HTTP/1.1',
    'Host: x',
    `Authorization: ${adaToken}`,
    'Connection: close',
    ...headers,
    '\r\n',
  ].join('\r\n')
const statusesIn = (answers: string): readonly string[] => answers.match(/HTTP\/1\.1 \d+/g) ?? []
const hidden = 'GET /v1/guarded HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

describe('a body that is compressed', () => {
  it.each([
    ['gzip', gzipSync],
    ['br', quickBrotli],
  ])('is never decompressed: %s', async (coding, compress) => {
    const server = await startServer(operations)
    const bomb = compress(Buffer.alloc(64 * MiB, ' '))
    const before = process.memoryUsage().rss
    const answers = await exchanged(
      server.port,
      head(`Content-Encoding: ${coding}`, `Content-Length: ${bomb.length}`),
      bomb,
    )
    expect(statusesIn(answers)).toEqual(['HTTP/1.1 400'])
    expect(answers).toContain('INVALID_FORM_BODY')
    expect(process.memoryUsage().rss - before).toBeLessThan(48 * MiB)
  })

  it('is refused as a transfer coding', async () => {
    const server = await startServer(operations)
    const answers = await exchanged(server.port, head('Transfer-Encoding: gzip'), gzipSync('{}'))
    expect(statusesIn(answers)).toEqual(['HTTP/1.1 400'])
  })
})

describe('a request within a request', () => {
  it.each([
    ['both a length and chunks', ['Content-Length: 2', 'Transfer-Encoding: chunked'], `0\r\n\r\n${hidden}`],
    ['chunks and a length', ['Transfer-Encoding: chunked', 'Content-Length: 2'], `0\r\n\r\n${hidden}`],
    ['two lengths', ['Content-Length: 2', `Content-Length: ${2 + hidden.length}`], `{}${hidden}`],
    ['a length with a sign', ['Content-Length: +2'], `{}${hidden}`],
    ['chunks that are not the last coding', ['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${hidden}`],
    ['chunks in an unknown spelling', ['Transfer-Encoding: xchunked'], `0\r\n\r\n${hidden}`],
    ['a space before the colon', ['Transfer-Encoding : chunked'], `0\r\n\r\n${hidden}`],
    ['a chunk whose length is no number', ['Transfer-Encoding: chunked'], `0x2\r\n{}\r\n0\r\n\r\n${hidden}`],
    ['a chunk longer than it says', ['Transfer-Encoding: chunked'], `1\r\n{}\r\n0\r\n\r\n${hidden}`],
  ])('is not found by %s', async (_, headers, body) => {
    const server = await startServer(operations)
    const statuses = statusesIn(
      await exchanged(server.port, head(...headers).replace('Connection: close\r\n', ''), body),
    )
    // There is one answer, and the connection ends. So a proxy before the server cannot take the rest for another client's
    // request.
    expect(statuses.length).toBe(1)
    expect(statuses[0]).toBe('HTTP/1.1 400')
  })

  it('is answered after the first, in its turn, if both are complete', async () => {
    const server = await startServer(operations)
    const first = head('Content-Length: 12').replace('Connection: close\r\n', '')
    const answers = await exchanged(server.port, `${first}{"name":"x"}${hidden}`)
    expect(statusesIn(answers)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200'])
    expect(answers.indexOf('{"name":"x"}')).toBeLessThan(answers.indexOf('"caller":null'))
  })
})

describe('a request that does not come in time', () => {
  it('is refused, whether its head or its chunks come slowly', async () => {
    const server = await startServer(operations, { bounds: { headers_ms_max: 200, request_ms_max: 300 } })
    const slow = await Promise.all([
      exchanged(server.port, 'POST /v1/things/1/echo HTTP/1.1\r\nHost: x\r\nX-'),
      exchanged(server.port, head('Transfer-Encoding: chunked'), '1\r\n{\r\n'),
    ])
    expect(slow.map(statusesIn)).toEqual([['HTTP/1.1 400'], ['HTTP/1.1 400']])
  })
})
