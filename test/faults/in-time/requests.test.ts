import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { echo, uploadPicture } from '../../adapters/http/operations.ts'
import { adaToken, afterThisTest, codesOf, startServer } from '../../adapters/http/support.ts'
import { paced } from '../../support/pace.ts'

const path = '/v1/things/1/echo'
const head = `POST ${path} HTTP/1.1\r\nHost: x\r\n`

/** Sends a text, and returns all that comes until the connection ends. */
async function raw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  afterThisTest(() => socket.destroy())
  socket.write(text)
  const parts: Buffer[] = []
  for await (const part of socket) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

describe('a request', () => {
  it('that does not come in time is 400, and the connection ends', async () => {
    const server = await startServer([echo], { bounds: { headers_ms_max: 200, request_ms_max: 300 } })
    const began = performance.now()
    const slowHead = await raw(server.port, 'POST /v1/things/1/echo HTTP/1.1\r\nHo')
    const slowBody = await raw(server.port, `${head}Authorization: ${adaToken}\r\nContent-Length: 100\r\n\r\n{`)
    expect([slowHead, slowBody].map((answer) => answer.slice(0, 12))).toEqual(['HTTP/1.1 400', 'HTTP/1.1 400'])
    expect(performance.now() - began).toBeLessThan(paced(8000))
    expect(server.logged.filter(({ level }) => Number(level) >= 40)).toEqual([])
  })
})

describe('a body', () => {
  it('of a million members is refused in a time that does not stop the service', async () => {
    const server = await startServer([uploadPicture])
    const million = `{${Array.from({ length: 1_000_000 }, (_, index) => `"k${index}":1`).join(',')}}`
    const began = performance.now()
    const response = await server.fetch('/v1/pictures', { method: 'POST', token: adaToken, body: million })
    expect(await codesOf(response)).toEqual(['400 INVALID_FORM_BODY', 'body TOO_LARGE'])
    expect(performance.now() - began).toBeLessThan(paced(10_000))
  })
  it('that goes on for ever loses its connection soon after its refusal', async () => {
    const server = await startServer([echo])
    const socket = connect(server.port, '127.0.0.1')
    afterThisTest(() => socket.destroy())
    const answer = new Promise<string>((resolve) => socket.once('data', (part) => resolve(part.toString())))
    const ended = new Promise((resolve) => socket.on('error', resolve).once('close', resolve))
    socket.write(`${head}Authorization: ${adaToken}\r\nTransfer-Encoding: chunked\r\n\r\n`)
    const more = (): void => {
      if (!socket.destroyed) socket.write(`10000\r\n${'x'.repeat(65_536)}\r\n`, () => setTimeout(more, 1))
    }
    more()
    expect(await answer).toContain('TOO_LARGE')
    const began = performance.now()
    await ended
    expect(performance.now() - began).toBeLessThan(paced(20_000))
  })
})
