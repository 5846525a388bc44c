import { WebSocket } from 'ws'
import { closings, type Closing } from '../protocol/closings.js'

/**
 * What ws ends a connection with for what it will not read, and what the protocol says instead (reference gateway 1.3 and 1.10):
 * too long, no UTF-8, no frame of RFC 6455 or a compressed one, too many parts.
 */
const translations: ReadonlyMap<number, Closing> = new Map<number, Closing>([
  [1009, closings.payloadTooLarge],
  [1007, closings.decodeFailed],
  [1002, closings.decodeFailed],
  [1008, closings.decodeFailed],
])

/** A websocket that ends with the protocol's own codes, and says when it begins to end, by whichever side. */
export class GatewaySocket extends WebSocket {
  onClosing: () => void = () => undefined

  override close(code?: number, reason?: string | Buffer): void {
    const closing = code === undefined ? undefined : translations.get(code)
    super.close(closing?.code ?? code, closing?.reason ?? reason)
    this.onClosing()
  }
}
