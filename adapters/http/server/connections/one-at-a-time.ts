import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'

export interface OneAtATimeSettings {
  /** Called when a connection has more requests waiting than it may; it is closed then. */
  readonly onTooMany: (socket: Socket) => void
}

/** How many requests of a connection may wait behind the one under way. Clients that send ahead at all send a few. */
export const waitingRequests_max = 64

type Listened = Parameters<RequestListener>

/**
 * Hands over one request of a connection at a time, and the next one in a later turn of the event loop: a client that sends thousands
 * ahead in one write (pipelining) waits in its own queue, and does not keep others from their turn.
 */
export function oneAtATime(handle: RequestListener, { onTooMany }: OneAtATimeSettings): RequestListener {
  const queues = new WeakMap<Socket, Listened[]>()

  function begin(socket: Socket, [request, response]: Listened): void {
    response.once('close', () => setImmediate(goOn, socket))
    handle(request, response)
  }

  function goOn(socket: Socket): void {
    const queue = queues.get(socket)
    const next = socket.destroyed ? undefined : queue?.shift()
    if (next) begin(socket, next)
    else queues.delete(socket)
  }

  return (request, response) => {
    const { socket } = request
    const queue = queues.get(socket)
    if (socket.destroyed) return
    if (!queue) {
      queues.set(socket, [])
      begin(socket, [request, response])
    } else if (queue.length < waitingRequests_max) queue.push([request, response])
    else onTooMany(socket)
  }
}
