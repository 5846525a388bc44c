import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { z } from 'zod'
import { answerParent } from '../support/child.ts'
import { collectedMemory } from '../support/collected-memory.ts'

/**
 * The minimum cost of a broadcast: the same bytes, handed to every socket of a `ws` server. With `ready_bytes`, each client gets so
 * many for its first message.
 */
const asked = z.union([
  z.object({ listen: z.literal(true), ready_bytes: z.int().optional() }),
  z.object({ memory: z.literal(true) }),
  z.object({ broadcast: z.instanceof(Uint8Array) }),
])

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
const listening = new Promise<void>((resolve) => server.once('listening', () => resolve()))

answerParent(async (question) => {
  const wanted = asked.parse(question)
  if ('listen' in wanted) {
    const { ready_bytes } = wanted
    if (ready_bytes !== undefined) {
      const ready = JSON.stringify({ t: 'READY', d: ' '.repeat(ready_bytes) })
      server.on('connection', (client) => client.once('message', () => client.send(ready)))
    }
    await listening
    // It listens on TCP, so its address has this type.
    return { port: (server.address() as AddressInfo).port }
  }
  if ('memory' in wanted) return collectedMemory()
  const shared = Buffer.from(wanted.broadcast)
  for (const client of server.clients) client.send(shared, { binary: false })
  return {}
})
