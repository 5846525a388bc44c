import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { accounts, anyone } from '../../../adapters/http/callers.ts'
import { act, echo, getThing, guarded } from './operations.ts'
import { adaToken, afterThisTest, codesOf, startServer } from './support.ts'

const post = { method: 'POST' } as const

/** An operation that answers once the test releases it, and reports when a request waits. */
function heldBack() {
  let go = (): void => undefined
  const released = new Promise<void>((resolve) => (go = resolve))
  let arrived = (): void => undefined
  const waiting = new Promise<void>((resolve) => (arrived = resolve))
  const operation = act(async () => {
    arrived()
    await released
    return { done: true }
  })
  return { operation, waiting, go: () => go() }
}

async function raw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  afterThisTest(() => socket.destroy())
  socket.write(text)
  return receivedBy(socket)
}

async function receivedBy(socket: Socket): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of socket) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

describe('routing', () => {
  it.each([
    ['GET', '/nowhere'],
    ['GET', '/v1'],
    ['GET', '/guarded'],
    ['GET', '/v1/guarded/'],
    ['GET', '/v1//guarded'],
    ['GET', '/V1/guarded'],
    ['POST', '/v1/guarded'],
    ['DELETE', '/v1/guarded'],
    ['OPTIONS', '/v1/guarded'],
    ['GET', '/v1/things/'],
    ['GET', '/v1/things/1/more'],
    ['GET', '/v1/things/%ff'],
    ['GET', '/v1/things/%'],
    ['PROPFIND', '/v1/guarded'],
    ['GET', '/docs/package.json'],
    ['GET', '/docs/%2e%2e%2fpackage.json'],
    ['GET', '/docs/'],
  ])('answers %s %s with 404 NOT_FOUND and no Allow', async (method, path) => {
    const server = await startServer([guarded(anyone()), getThing])
    const response = await server.fetch(path, {
      method,
      headers: { 'content-type': 'nonsense' },
      ...(method === 'POST' ? { body: 'x' } : {}),
    })
    expect(response.headers.get('allow')).toBeNull()
    expect(response.headers.get('x-request-id')).not.toBeNull()
    expect(await codesOf(response)).toEqual(['404 NOT_FOUND'])
  })
  it('serves HEAD for GET: the same status and headers, and no body', async () => {
    const server = await startServer([guarded(accounts())])
    const [get, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) => server.fetch('/v1/guarded', { method, token: adaToken })),
    )
    expect([head?.status, await head?.text()]).toEqual([200, ''])
    expect(head?.headers.get('content-length')).toBe(get?.headers.get('content-length'))
    expect(head?.headers.get('content-type')).toBe(get?.headers.get('content-type'))
    expect((await server.fetch('/v1/guarded', { method: 'HEAD' })).status).toBe(401)
  })
})

describe('health', () => {
  it('is 200 OK once requests can be served, and 503 before that', async () => {
    let ready = false
    const server = await startServer([guarded(anyone())], { isReady: () => ready })
    expect((await server.fetch('/_health')).status).toBe(503)
    const early = await server.fetch('/v1/guarded')
    expect(early.headers.get('retry-after')).toBe('1')
    expect(await codesOf(early)).toEqual(['503 SERVICE_UNAVAILABLE'])
    ready = true
    const response = await server.fetch('/_health')
    expect([response.status, await response.text()]).toEqual([200, 'OK'])
    expect((await server.fetch('/_healthz')).status).toBe(200)
    expect((await server.fetch('/v1/guarded')).status).toBe(200)
  })
})

describe('the in-flight ceiling', () => {
  it('refuses one request more with 503 before anything else, and health and metrics never', async () => {
    const held = heldBack()
    const server = await startServer([held.operation, guarded(accounts())], { bounds: { inFlight_max: 2 } })
    const first = server.fetch('/v1/things', post)
    const second = server.fetch('/v1/things', post)
    await held.waiting
    await expect.poll(async () => (await server.fetch('/v1/guarded')).status).toBe(503)
    const refused = await server.fetch('/v1/guarded')
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await codesOf(refused)).toEqual(['503 SERVICE_UNAVAILABLE'])
    expect((await server.fetch('/_health')).status).toBe(200)
    expect(await (await server.fetch('/_metrics')).text()).toContain('guildhall_http_requests_in_flight 2')
    held.go()
    expect([(await first).status, (await second).status]).toEqual([200, 200])
    await expect.poll(async () => (await server.fetch('/v1/guarded')).status).toBe(401)
  })
  it('counts a request whose client went away until its work is done, and no longer', async () => {
    const held = heldBack()
    const server = await startServer([held.operation], { bounds: { inFlight_max: 1 } })
    const gone = new AbortController()
    const request = server.fetch('/v1/things', { ...post, signal: gone.signal })
    await held.waiting
    gone.abort()
    await expect(request).rejects.toThrow('aborted')
    expect((await server.fetch('/v1/nothing')).status).toBe(503)
    held.go()
    await expect.poll(async () => (await server.fetch('/v1/nothing')).status).toBe(404)
  })
})

describe('a drain', () => {
  it('takes no more requests, lets those at work finish, and says in health that it is over', async () => {
    const held = heldBack()
    const server = await startServer([held.operation])
    const slow = server.fetch('/v1/things', post)
    await held.waiting
    const drained = server.drain()
    const health = await server.fetch('/_health')
    expect([health.status, health.headers.get('connection')]).toEqual([503, 'close'])
    expect(await codesOf(await server.fetch('/v1/things', post))).toEqual(['503 SERVICE_UNAVAILABLE'])
    held.go()
    expect(await drained).toBe(true)
    expect(await (await slow).json()).toEqual({ done: true })
    await server.close()
    await expect(server.fetch('/_health')).rejects.toThrow('fetch failed')
  })
  it('waits no longer than its bound', async () => {
    const held = heldBack()
    const server = await startServer([held.operation], { bounds: { drain_ms_max: 50 } })
    const slow = server.fetch('/v1/things', post)
    await held.waiting
    expect(await server.drain()).toBe(false)
    await Promise.all([expect(slow).rejects.toThrow('fetch failed'), server.close()])
    held.go()
  })
  it('is over at once where nothing is at work', async () => {
    const server = await startServer([])
    expect(await server.drain()).toBe(true)
  })
  it('is followed by a close that ends upgraded connections too', async () => {
    const server = await startServer([])
    server.server.on('upgrade', (_request, socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'))
    const socket = connect(server.port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    await new Promise((resolve) => socket.once('data', resolve))
    await server.close()
    expect(await receivedBy(socket)).toBe('')
  })
})

describe('what is not well-formed HTTP', () => {
  const head = 'POST /v1/things/1/echo HTTP/1.1\r\nHost: x\r\n'
  it.each([
    ['nonsense', 'hello\r\n\r\n'],
    [
      'both Content-Length and Transfer-Encoding',
      `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['two lengths', `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ['a line break in a header', `${head}X-Audit-Log-Reason: a\nb\rc\r\n\r\n`],
    ['headers of 100 KB', `${head}X-Audit-Log-Reason: ${'x'.repeat(100_000)}\r\n\r\n`],
    ['no host', 'GET /v1/guarded HTTP/1.1\r\n\r\n'],
  ])('(%s) is 400, and the connection ends', async (_, text) => {
    const server = await startServer([echo, guarded(anyone())])
    const answer = await raw(server.port, text)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).not.toContain('HTTP/1.1 200')
  })
  it('is answered in turn where requests come without waiting', async () => {
    const server = await startServer([guarded(anyone())])
    const get = (path: string, connection: string) =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\n\r\n`
    const answers = await raw(server.port, get('/v1/guarded', 'keep-alive') + get('/v1/nothing', 'close'))
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404'])
  })
})

describe('metrics', () => {
  it('tell durations by operation and status, in the form of Prometheus', async () => {
    const server = await startServer([guarded(accounts())])
    await (await server.fetch('/v1/guarded')).text()
    await (await server.fetch('/v1/guarded', { token: adaToken })).text()
    await (await server.fetch('/v1/nothing')).text()
    const text = async () => (await server.fetch('/_metrics')).text()
    for (const labels of [
      'operation="guarded",status="401"',
      'operation="guarded",status="200"',
      'operation="not_found",status="404"',
    ])
      await expect.poll(text).toContain(`guildhall_http_request_duration_seconds_count{${labels}} 1`)
    expect((await server.fetch('/_metrics')).headers.get('content-type')).toContain('text/plain')
  })
})
