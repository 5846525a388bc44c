import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { anyone } from '../../adapters/http/callers.ts'
import { memoryRateLimits } from '../../adapters/http/limits/rate-limits.ts'
import { waitingRequests_max } from '../../adapters/http/server/connections/one-at-a-time.ts'
import { act, guarded } from '../adapters/http/operations.ts'
import { afterThisTest, startServer, type TestServer } from '../adapters/http/support.ts'

async function opened({ port }: TestServer, localAddress: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  afterThisTest(() => socket.destroy())
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

const get = (path: string, ...headers: readonly string[]): string =>
  ['GET ', path, ' HTTP/1.1\r\nHost: x\r\n', ...headers.map((header) => `${header}\r\n`), '\r\n'].join('')
const statusesIn = (answers: string): readonly string[] => answers.match(/HTTP\/1\.1 \d+/g) ?? []

/** All that comes until the connection ends. */
async function rest(socket: Socket): Promise<string> {
  const parts: Buffer[] = []
  socket.on('data', (part: Buffer) => parts.push(part))
  // A reset is an end too.
  await new Promise((resolve) => socket.once('close', resolve))
  return Buffer.concat(parts).toString()
}

describe('requests that a client sends ahead on one connection', () => {
  it('are under way one after another, in their order', async () => {
    let atOnce = 0
    let most = 0
    const slow = act(async () => {
      atOnce += 1
      most = Math.max(most, atOnce)
      await new Promise((resolve) => setImmediate(resolve))
      atOnce -= 1
      return { done: true }
    })
    const server = await startServer([slow])
    const socket = await opened(server, '127.0.0.1')
    const post = 'POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n'
    socket.write(post.repeat(20) + post.replace('Host: x', 'Host: x\r\nConnection: close'))
    expect(statusesIn(await rest(socket))).toEqual(Array(21).fill('HTTP/1.1 200'))
    expect(most).toBe(1)
  })

  it('end the connection beyond a number, and its address gets no other one for a while; others do', async () => {
    const server = await startServer([guarded(anyone())], { rateLimits: memoryRateLimits() })
    const socket = await opened(server, '127.0.0.9')
    socket.write(get('/_health').repeat(2000))
    expect(statusesIn(await rest(socket)).length).toBeLessThanOrEqual(waitingRequests_max + 1)
    const again = await opened(server, '127.0.0.9')
    again.write(get('/_health'))
    expect(await rest(again)).toBe('')
    const other = await opened(server, '127.0.0.8')
    other.write(get('/_health', 'Connection: close'))
    expect(statusesIn(await rest(other))).toEqual(['HTTP/1.1 200'])
  })

  it('are refused where they name two hosts', async () => {
    const server = await startServer([])
    const socket = await opened(server, '127.0.0.1')
    socket.write(get('/_health', 'Host: y'))
    expect(statusesIn(await rest(socket))).toEqual(['HTTP/1.1 400'])
  })
})

describe('what is served to everybody and is no operation', () => {
  it.each([
    ['/_health', 200],
    ['/_ready', 200],
    ['/_metrics', 200],
    ['/v1/nowhere', 404],
    // Reserved for an operation that is not built.
    ['/v1/channels/1/messages/pins', 404],
  ])('has a bucket for each address: %s', async (path, usual) => {
    const server = await startServer([], { rateLimits: memoryRateLimits() })
    const statuses = new Set<number>()
    for (let sent = 0; sent < 300 && !statuses.has(429); sent += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => server.fetch(path, { token: 'x' })))
      for (const { status } of answers) statuses.add(status)
    }
    expect(statuses).toEqual(new Set([usual, 429]))
  })
})
