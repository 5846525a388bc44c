import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { inboundFrame_bytes_max } from '../limits.ts'
import { GatewaySocket } from './gateway-socket.ts'

/** A client that connects: its socket, before anything was sent. */
export interface Arrival {
  readonly socket: GatewaySocket
  readonly transport: Duplex
  readonly request: IncomingMessage
  readonly query: URLSearchParams
}

export interface UpgradeSettings {
  readonly server: Server
  /** Whether one more may connect now; otherwise it gets 503. */
  readonly isOpen: () => boolean
  /** The JSON of a refusal, which the client gets with 403; undefined if it may connect. */
  readonly turnsAway: (request: IncomingMessage) => string | undefined
  readonly arrive: (arrival: Arrival) => void
  readonly onError: (error: unknown) => void
}

/** With the slash, for clients that append their query to a URL without a path of its own. */
const paths: ReadonlySet<string> = new Set(['/gateway', '/gateway/'])

/** How long ws waits for the other side of a close handshake. */
const closeTimeout_ms = 5000

/**
 * Accepts websockets at /gateway, until the returned function is called. Frames are limited before they are held in
 * memory, and the websocket extension for compression is not offered.
 */
export function acceptUpgrades({ server, isOpen, turnsAway, arrive, onError }: UpgradeSettings): () => void {
  // Not inline, because the types of ws do not know closeTimeout yet.
  const options = {
    noServer: true,
    WebSocket: GatewaySocket,
    maxPayload: inboundFrame_bytes_max,
    perMessageDeflate: false,
    clientTracking: false,
    closeTimeout: closeTimeout_ms,
  }
  const sockets = new WebSocketServer(options)
  const upgrade = (request: IncomingMessage, transport: Duplex, head: Buffer): void => {
    transport.on('error', onError)
    const [path = '', query = ''] = (request.url ?? '').split('?', 2)
    const refusal = turnsAway(request)
    if (!paths.has(path)) refuse(transport, '404 Not Found')
    else if (!isOpen()) refuse(transport, '503 Service Unavailable')
    else if (refusal !== undefined) refuse(transport, '403 Forbidden', refusal)
    else {
      sockets.handleUpgrade(request, transport, head, (socket) => {
        socket.on('error', onError)
        arrive({ socket, transport, request, query: new URLSearchParams(query) })
      })
    }
  }
  server.on('upgrade', upgrade)
  return () => {
    server.off('upgrade', upgrade)
  }
}

/** Ends the socket with the refusal: HTTP timeouts no longer apply to it, and a client may never end its side. */
function refuse(transport: Duplex, status: string, json = ''): void {
  const type = json === '' ? [] : ['Content-Type: application/json']
  const head = [`HTTP/1.1 ${status}`, 'Connection: close', ...type, `Content-Length: ${Buffer.byteLength(json)}`]
  transport.once('finish', () => transport.destroy())
  transport.end(`${head.join('\r\n')}\r\n\r\n${json}`)
}
