import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openConnection } from '../../bench/http/raw-connection.ts'

const closings: (() => void)[] = []
afterEach(() => {
  for (const close of closings.splice(0)) close()
})

/** A server that handles its connections as the test says. */
async function serving(connected: (socket: net.Socket) => void): Promise<number> {
  const server = net.createServer(connected).listen(0, '127.0.0.1')
  closings.push(() => server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const request = Buffer.from('GET / HTTP/1.1\r\n\r\n')

describe('a connection of the bench', () => {
  it('returns the status of an answer', async () => {
    const port = await serving((socket) => {
      socket.on('data', () => socket.write('HTTP/1.1 204 No Content\r\n\r\n'))
    })
    const connection = await openConnection(port)
    closings.push(() => connection.close())
    expect(await connection.ask(request)).toBe(204)
    expect(await connection.ask(request)).toBe(204)
  })
  it('rejects a request if the server ends it meanwhile', async () => {
    const port = await serving((socket) => socket.on('data', () => socket.end()))
    const connection = await openConnection(port)
    await expect(connection.ask(request)).rejects.toThrow('The server closed the connection')
  })
  it('rejects a request if it had ended before, because no answer would ever come', async () => {
    let end = (): void => undefined
    const port = await serving((socket) => {
      socket.resume()
      end = () => void socket.end()
    })
    const connection = await openConnection(port)
    const [ended] = [connection.ask(request)]
    end()
    await expect(ended).rejects.toThrow('The server closed the connection')
    await expect(connection.ask(request)).rejects.toThrow('The server closed the connection')
  })
})
