import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import net from 'node:net'

/**
 * A websocket client on a bare socket: it receives as cheaply as possible, so that the server is what is measured. Its heartbeats
 * go by themselves.
 */
export interface RawSession {
  send(payload: object): void
  close(): void
}

const frameHead_bytes_max = 14
const frame_bytes_max = 16 * 1024 * 1024
/** Half of what the Gateway asks for. */
const heartbeat_ms = 20_000

/** Opens a websocket on the loopback; `onPayload` gets the bytes of each text frame, valid during the call. */
export async function openSession(
  port: number,
  path: string,
  onPayload: (payload: Buffer) => void,
): Promise<RawSession> {
  const socket = net.connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.setNoDelay(true)
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nupgrade: websocket\r\nconnection: Upgrade\r\n` +
      `sec-websocket-version: 13\r\nsec-websocket-key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  )
  let received: Buffer = await upgraded(socket)
  const read = (): void => {
    let offset = 0
    for (let frame = frameAt(received, offset); frame; frame = frameAt(received, offset)) {
      offset = frame.end
      if (frame.isText) onPayload(received.subarray(frame.start, frame.end))
    }
    received = received.subarray(offset)
  }
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    read()
  })
  // The parent closes connections on request. A lost connection shows as missing dispatches.
  socket.on('error', (error) => console.error(error))
  read()
  const send = (payload: object): void => void socket.write(clientFrame(JSON.stringify(payload)))
  const heartbeats = setInterval(() => {
    send({ op: 1, d: null })
  }, heartbeat_ms)
  socket.on('close', () => clearInterval(heartbeats))
  return { send, close: () => socket.destroy() }
}

/** The bytes after the answer to the handshake. */
async function upgraded(socket: net.Socket): Promise<Buffer> {
  let received: Buffer = Buffer.alloc(0)
  for (;;) {
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    received = Buffer.concat([received, chunk])
    const end = received.indexOf('\r\n\r\n')
    if (end < 0) continue
    if (!received.toString('latin1').startsWith('HTTP/1.1 101')) throw new Error(received.toString('latin1'))
    return received.subarray(end + 4)
  }
}

interface Frame {
  readonly start: number
  readonly end: number
  readonly isText: boolean
}

/** The complete server frame that begins at an offset; undefined while it is incomplete. */
function frameAt(bytes: Buffer, offset: number): Frame | undefined {
  const available = bytes.length - offset
  if (available < 2) return undefined
  const short = (bytes[offset + 1] ?? 0) & 0x7f
  const head = short === 126 ? 4 : short === 127 ? 10 : 2
  if (available < head) return undefined
  const length =
    short === 126 ? bytes.readUInt16BE(offset + 2) : short === 127 ? Number(bytes.readBigUInt64BE(offset + 2)) : short
  if (length > frame_bytes_max) throw new Error(`A frame of ${length} bytes`)
  if (available < head + length) return undefined
  const opcode = (bytes[offset] ?? 0) & 0x0f
  if (opcode === 8)
    throw new Error(`The server closed a session: ${bytes.subarray(offset + head, offset + head + length).toString()}`)
  return { start: offset + head, end: offset + head + length, isText: opcode === 1 }
}

/** A client's frame is masked; a mask of zeros leaves the text as it is. */
function clientFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  const head = Buffer.alloc(frameHead_bytes_max)
  head[0] = 0x81
  const isShort = payload.length < 126
  head[1] = 0x80 | (isShort ? payload.length : 126)
  if (!isShort) head.writeUInt16BE(payload.length, 2)
  return Buffer.concat([head.subarray(0, isShort ? 6 : 8), payload])
}
