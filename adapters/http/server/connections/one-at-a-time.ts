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
 * ahead in one write (pipelining) waits in its own line, and does not keep others from their turn.
 */
export function oneAtATime(handle: RequestListener, { onTooMany }: OneAtATimeSettings): RequestListener {
  const lines = new WeakMap<Socket, Listened[]>()

  function begin(socket: Socket, [request, response]: Listened): void {
    response.once('close', () => setImmediate(goOn, socket))
    handle(request, response)
  }

  function goOn(socket: Socket): void {
    const line = lines.get(socket)
    const next = socket.destroyed ? undefined : line?.shift()
    if (next) begin(socket, next)
    else lines.delete(socket)
  }

  return (request, response) => {
    const { socket } = request
    const line = lines.get(socket)
    if (socket.destroyed) return
    if (!line) {
      lines.set(socket, [])
      begin(socket, [request, response])
    } else if (line.length < waitingRequests_max) line.push([request, response])
    else onTooMany(socket)
  }
}
