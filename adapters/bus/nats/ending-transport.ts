import { createConnection, type Socket } from 'node:net'
import { NodeTransport } from '@nats-io/transport-node/lib/node_transport.js'

/**
 * The client's transport, which also ends the sockets of failed dials. The client's own transport leaves a socket open if a
 * server accepts the connection and then says nothing: the socket keeps the process alive, and a server that wakes up has
 * clients that nobody uses (`_closed` in its node_transport.js returns early when no connection was made).
 */
export class EndingTransport extends NodeTransport {
  #dialled: Socket | undefined

  override dial({ hostname, port }: { hostname: string; port: number }): Promise<Socket> {
    const socket = createConnection(port, hostname)
    this.#dialled = socket
    socket.setNoDelay(true)
    return new Promise((resolve, reject) => {
      let reason: Error | undefined
      socket.on('error', (error) => (reason = error))
      socket.on('close', () => {
        socket.removeAllListeners()
        reject(reason ?? new Error('The connection was closed while it was being made'))
      })
      socket.on('connect', () => {
        socket.removeAllListeners()
        resolve(socket)
      })
    })
  }

  override async close(error?: Error): Promise<void> {
    await super.close(error)
    this.#dialled?.destroy()
  }
}
