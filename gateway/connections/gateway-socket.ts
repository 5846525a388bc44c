import { WebSocket } from 'ws'
import { closings, type Closing } from '../protocol/closings.ts'

/**
 * The close codes by which ws refuses a frame, and what the client gets instead: for a frame that is too long, not
 * UTF-8, not a frame of RFC 6455 or a compressed one, or has too many parts.
 */
const translations: ReadonlyMap<number, Closing> = new Map<number, Closing>([
  [1009, closings.payloadTooLarge],
  [1007, closings.decodeFailed],
  [1002, closings.decodeFailed],
  [1008, closings.decodeFailed],
])

/** A websocket that closes with the protocol's own codes, and reports when either side starts to close it. */
export class GatewaySocket extends WebSocket {
  onClosing: () => void = () => undefined

  override close(code?: number, reason?: string | Buffer): void {
    const closing = code === undefined ? undefined : translations.get(code)
    super.close(closing?.code ?? code, closing?.reason ?? reason)
    this.onClosing()
  }
}
