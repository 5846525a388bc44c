import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connectNats } from '../../../adapters/bus/nats/connect.ts'
import { NatsUnavailable } from '../../../adapters/bus/nats/nats-unavailable.ts'

describe('A NATS server that takes connections and says nothing', () => {
  it('is unavailable, and no socket to it stays open', async () => {
    const { url, sockets, taken } = await silentServer()
    await expect(connectNats({ servers: [url], name: 'test', timeout_ms: 500 })).rejects.toBeInstanceOf(NatsUnavailable)
    expect(taken()).toBe(1)
    await expect.poll(() => sockets.size).toBe(0)
  })

  it('is unavailable where nobody listens', async () => {
    const nobody = connectNats({ servers: ['nats://127.0.0.1:1'], name: 'test' })
    await expect(nobody).rejects.toMatchObject({ name: 'NatsUnavailable', message: 'connection refused' })
  })
})

async function silentServer() {
  const sockets = new Set<Socket>()
  let taken = 0
  const server = createServer((socket) => {
    taken += 1
    sockets.add(socket)
    socket.resume()
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `nats://127.0.0.1:${port}`, sockets, taken: () => taken }
}
