import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { z } from 'zod'
import { answerParent } from '../support/child.ts'
import { collectedMemory } from '../support/collected-memory.ts'

const texts = z.array(z.instanceof(Uint8Array)).default([])

/**
 * The minimum cost of what a Gateway sends: a `ws` server that hands finished bytes to its sockets.
 *
 * - listen: begins. Each client gets the texts `onOpen` when it comes, and the texts `onMessage` for its first message.
 * - broadcast: sends the same bytes to every socket.
 * - memory: answers with the memory of the process.
 */
const asked = z.union([
  z.object({ listen: z.object({ onOpen: texts, onMessage: texts }) }),
  z.object({ memory: z.literal(true) }),
  z.object({ broadcast: z.instanceof(Uint8Array) }),
])

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
const listening = new Promise<void>((resolve) => server.once('listening', () => resolve()))

answerParent(async (question) => {
  const wanted = asked.parse(question)
  if ('listen' in wanted) {
    const [onOpen, onMessage] = [wanted.listen.onOpen, wanted.listen.onMessage].map((each) => each.map(copied))
    server.on('connection', (client) => {
      for (const text of onOpen ?? []) client.send(text, { binary: false })
      client.once('message', () => {
        for (const text of onMessage ?? []) client.send(text, { binary: false })
      })
    })
    await listening
    // It listens on TCP, so its address has this type.
    return { port: (server.address() as AddressInfo).port }
  }
  if ('memory' in wanted) return collectedMemory()
  const shared = copied(wanted.broadcast)
  for (const client of server.clients) client.send(shared, { binary: false })
  return {}
})

function copied(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes)
}
