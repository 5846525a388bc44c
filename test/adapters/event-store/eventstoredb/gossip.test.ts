import { once } from 'node:events'
import net from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { EventStoreUnavailable } from '../../../../adapters/event-store/eventstoredb/failures.ts'
import { addressesOf, distinct, textOf } from '../../../../adapters/event-store/eventstoredb/nodes/endpoints.ts'
import { askGossip } from '../../../../adapters/event-store/eventstoredb/nodes/gossip.ts'
import { startClusterDouble } from '../../../support/eventstoredb-double/cluster.ts'

const listeners: net.Server[] = []
afterEach(() => listeners.splice(0).map((listener) => listener.close()))

const ask = (port: number, atMost_ms = 10_000, signal = new AbortController().signal) =>
  askGossip({ host: '127.0.0.1', port }, { security: undefined, atMost_ms, signal })

async function listening(take: (socket: net.Socket) => void): Promise<number> {
  const listener = net.createServer((socket) => take(socket.on('error', () => undefined))).listen(0, '127.0.0.1')
  listeners.push(listener)
  await once(listener, 'listening')
  const address = listener.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

describe('asking a node who is in its cluster', () => {
  it('gives every node, and the one that leads', async () => {
    const cluster = await startClusterDouble(3)
    cluster.elect(1)
    const ports = cluster.nodes.map(({ url }) => Number(new URL(url).port))
    const members = await ask(ports[0] ?? 0)
    expect(members).toEqual(ports.map((port, index) => ({ endpoint: { host: '127.0.0.1', port }, leads: index === 1 })))
    cluster.elect(undefined)
    expect((await ask(ports[2] ?? 0)).some(({ leads }) => leads)).toBe(false)
    await cluster.close()
  })

  it('ends in time at one that takes connections and says nothing, and keeps no socket', async () => {
    const closed = new Promise<void>((resolve) => {
      void listening((socket) => socket.resume().once('close', () => resolve())).then(async (port) => {
        await expect(ask(port, 50)).rejects.toBeInstanceOf(EventStoreUnavailable)
      })
    })
    await closed
  })

  it('is broken off by its signal', async () => {
    const stop = new AbortController()
    const port = await listening(() => stop.abort())
    await expect(ask(port, 60_000, stop.signal)).rejects.toBeInstanceOf(EventStoreUnavailable)
  })

  it('ends at once at one that refuses, breaks off, or speaks no HTTP/2', async () => {
    const gone = await listening(() => undefined)
    listeners.splice(0).map((listener) => listener.close())
    for (const port of [
      gone,
      await listening((socket) => socket.resetAndDestroy()),
      await listening((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    ]) {
      await expect(ask(port)).rejects.toBeInstanceOf(EventStoreUnavailable)
    }
  })
})

describe('an endpoint', () => {
  it('has every address behind its name, and needs a certificate of that name', async () => {
    for (const endpoint of await addressesOf({ host: 'localhost', port: 7 })) {
      expect(endpoint).toMatchObject({ port: 7, certifiedAs: 'localhost' })
      expect(textOf(endpoint)).toMatch(/^(127\.0\.0\.1|\[::1\]):7$/)
    }
    expect(await addressesOf({ host: '127.0.0.1', port: 7 })).toEqual([{ host: '127.0.0.1', port: 7 }])
  })

  it('counts once, however often it is named', () => {
    const [one, other] = [
      { host: 'a', port: 1 },
      { host: 'a', port: 2 },
    ]
    expect(distinct([one, other, { ...one }])).toEqual([one, other])
  })
})
