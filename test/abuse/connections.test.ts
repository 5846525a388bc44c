import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { accounts, anyone } from '../../adapters/http/callers.ts'
import { memoryRateLimits } from '../../adapters/http/limits/rate-limits.ts'
import { connectionBounds } from '../../adapters/http/server/connections/connection-bounds.ts'
import { shortIdle_ms } from '../../adapters/http/server/connections/idle-connections.ts'
import { act, guarded } from '../adapters/http/operations.ts'
import { adaToken, afterThisTest, startServer, type TestServer } from '../adapters/http/support.ts'

/** One address opens connections until no file descriptor is left. */

const limited = () => ({ rateLimits: memoryRateLimits() })

async function opened({ port }: TestServer, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  afterThisTest(() => socket.destroy())
  socket.on('error', () => undefined).resume()
  await once(socket, 'connect')
  return socket
}

const isOpen = (socket: Socket): boolean => !socket.destroyed && !socket.readableEnded

/** Sends a request on a connection, and waits for its answer. */
async function asked(socket: Socket, token?: string): Promise<string> {
  const authorization = token === undefined ? '' : `authorization: ${token}\r\n`
  const answer = once(socket, 'data')
  socket.write(`GET /v1/guarded HTTP/1.1\r\nhost: x\r\n${authorization}\r\n`)
  const [data] = (await Promise.race([answer, once(socket, 'close').then(() => [Buffer.from('closed')])])) as [Buffer]
  return data.toString().slice(0, 12)
}

describe('connections of one address', () => {
  it('are limited to its share: one more is ended, and others get in', async () => {
    const server = await startServer([guarded(anyone())], { ...limited(), bounds: { connectionsOfAddress_max: 5 } })
    const held: Socket[] = []
    for (let count = 0; count < 5; count += 1) held.push(await opened(server))
    const sixth = await opened(server)
    await expect.poll(() => isOpen(sixth)).toBe(false)
    expect(await asked(await opened(server, '127.0.0.2'))).toBe('HTTP/1.1 200')
    held.pop()?.destroy()
    await expect.poll(async () => asked(await opened(server))).toBe('HTTP/1.1 200')
  })

  it('have no limit with RATE_LIMITS=off, as for load from one machine', async () => {
    const server = await startServer([guarded(anyone())], { bounds: { connectionsOfAddress_max: 1 } })
    const sockets = [await opened(server), await opened(server), await opened(server)]
    expect(await Promise.all(sockets.map((socket) => asked(socket)))).toEqual(Array(3).fill('HTTP/1.1 200'))
  })

  it('behind a proxy are counted by the address that it names in their requests', async () => {
    let go = (): void => undefined
    const released = new Promise<void>((resolve) => (go = resolve))
    let arrived = 0
    const slow = act(async () => {
      arrived += 1
      await released
      return { done: true }
    })
    const bounds = { connectionsOfAddress_max: 2 }
    const server = await startServer([slow, guarded(anyone())], { ...limited(), bounds, trustedProxies: ['127.0.0.1'] })
    const from = (address: string, path: string, method = 'GET') =>
      server.fetch(path, { method, headers: { 'x-forwarded-for': address } })
    const held = [1, 2].map(() => from('192.0.2.1', '/v1/things', 'POST'))
    await expect.poll(() => arrived).toBe(2)
    expect((await from('192.0.2.1', '/v1/guarded')).status).toBe(503)
    expect((await from('192.0.2.2', '/v1/guarded')).status).toBe(200)
    go()
    await Promise.all(held)
    await expect.poll(async () => (await from('192.0.2.1', '/v1/guarded')).status).toBe(200)
  })
})

describe('connections of all addresses', () => {
  it('stay below the limit of descriptors, and leave room for everything else', () => {
    expect(connectionBounds(600)).toEqual({ all_max: 450, address_max: 225 })
    expect(connectionBounds(1024)).toEqual({ all_max: 768, address_max: 384 })
    expect(connectionBounds(1_000_000)).toEqual({ all_max: 999_744, address_max: 512 })
  })

  it('make room for a new one: those without a credential end first, the longest idle first', async () => {
    const server = await startServer([guarded(accounts())], { bounds: { connections_max: 3 } })
    const known = await opened(server)
    expect(await asked(known, adaToken)).toBe('HTTP/1.1 200')
    const strangers = [await opened(server), await opened(server)]
    expect(await asked(await opened(server), adaToken)).toBe('HTTP/1.1 200')
    await expect.poll(() => strangers.map(isOpen)).toEqual([false, true])
    expect(isOpen(known)).toBe(true)
  })

  it('that are idle without a credential end soon when places become few, and no others end', async () => {
    const server = await startServer([guarded(accounts())], { bounds: { connections_max: 4 } })
    const known = await opened(server)
    await asked(known, adaToken)
    const strangers = [await opened(server), await opened(server), await opened(server)]
    await wait(shortIdle_ms / 2)
    expect(strangers.every(isOpen)).toBe(true)
    await expect.poll(() => strangers.some(isOpen)).toBe(false)
    expect(await asked(known, adaToken)).toBe('HTTP/1.1 200')
  })
})
