import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'

/** The server's answer to bytes that no well-behaved client sends. */
export interface RawAnswer {
  /** The head of the answer to the upgrade. */
  readonly head: string
  /** The close frame; undefined if the socket ended without one. */
  readonly closed: { readonly code: number; readonly reason: string } | undefined
}

const closeOpcode = 0x88

/** Opens a websocket by hand, sends bytes on it, and waits until the server closes it. */
export function sendRaw(port: number, bytes: readonly Buffer[], extensions?: string): Promise<RawAnswer> {
  const wish = extensions === undefined ? '' : `Sec-WebSocket-Extensions: ${extensions}\r\n`
  const head =
    `GET /gateway?v=1 HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n${wish}` +
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\nSec-WebSocket-Version: 13\r\n\r\n`
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(head))
    let got: Buffer = Buffer.alloc(0)
    let isOpen = false
    const finish = (): void => {
      socket.end()
      resolve(answerIn(got))
    }
    socket.on('data', (data) => {
      got = Buffer.concat([got, data])
      if (answerIn(got).closed) finish()
      if (isOpen || !got.includes('"op":10')) return
      isOpen = true
      for (const part of bytes) socket.write(part)
    })
    socket.on('error', reject)
    socket.on('end', finish)
  })
}

/** A client's frame with a chosen first byte, masked with zeros. `announced` is the length that it claims. */
export function rawFrame(first: number, payload: Buffer, announced: bigint = BigInt(payload.length)): Buffer {
  const head = Buffer.alloc(14)
  head[0] = first
  head[1] = 0x80 | 127
  head.writeBigUInt64BE(announced, 2)
  return Buffer.concat([head, payload])
}

function answerIn(got: Buffer): RawAnswer {
  const end = got.indexOf('\r\n\r\n') + 4
  let closed: RawAnswer['closed']
  for (let at = end; at < got.length;) {
    const length = got[at + 1] ?? 0
    const [start, size] = length === 126 ? [at + 4, got.readUInt16BE(at + 2)] : [at + 2, length]
    if (got[at] === closeOpcode && size >= 2) {
      closed = { code: got.readUInt16BE(start), reason: got.subarray(start + 2, start + size).toString() }
    }
    at = start + size
  }
  return { head: got.subarray(0, end).toString(), closed }
}
