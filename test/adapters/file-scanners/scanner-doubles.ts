import net from 'node:net'
import type { AddressInfo } from 'node:net'

/** A scanner on this machine that finds what holds this text, and keeps what it was sent. */
export interface ScannerDouble {
  readonly port: number
  /** What files it was sent, in their order. */
  readonly scanned: readonly Buffer[]
  close(): Promise<void>
}

export const infection = 'EICAR-LIKE-SIGNATURE'

type Speak = (socket: net.Socket, bytes: Buffer, keep: (file: Buffer) => void) => void

async function listening(speak: Speak, at: number | string): Promise<ScannerDouble> {
  const scanned: Buffer[] = []
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    let bytes = Buffer.alloc(0)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    socket.on('data', (piece: Buffer) => {
      bytes = Buffer.concat([bytes, piece])
      speak(socket, bytes, (file) => void scanned.push(file))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(at, resolve)
  })
  const address = server.address()
  return {
    port: typeof address === 'string' ? 0 : (address as AddressInfo).port,
    scanned,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

/** ClamAV's daemon, which takes no more than `bytes_max`. `at`: a port, 0 for a free one, or the path of a socket. */
export function clamdDouble(at: number | string = 0, bytes_max = Infinity): Promise<ScannerDouble> {
  return listening((socket, bytes, keep) => {
    const command = bytes.subarray(0, bytes.indexOf(0) + 1).toString()
    if (command === 'zPING\0') return void socket.end('PONG\0')
    if (command !== 'zINSTREAM\0') return
    const pieces: Buffer[] = []
    for (let position = command.length; position + 4 <= bytes.length;) {
      const length = bytes.readUInt32BE(position)
      if (length === 0) {
        const file = Buffer.concat(pieces)
        if (file.length > bytes_max) return void socket.end('INSTREAM size limit exceeded. ERROR\0')
        keep(file)
        return void socket.end(file.includes(infection) ? 'stream: Test-Signature FOUND\0' : 'stream: OK\0')
      }
      pieces.push(bytes.subarray(position + 4, position + 4 + length))
      position += 4 + length
    }
  }, at)
}

export interface IcapManners {
  readonly methods?: string
  /** What it answers to a file: it may send back what is clean, or put a page in the place of what is not. */
  readonly answer?: (isInfected: boolean, size: number) => string
}

const plainAnswer = (isInfected: boolean): string =>
  isInfected
    ? 'ICAP/1.0 200 OK\r\nX-Infection-Found: Type=0; Resolution=2; Threat=Test;\r\nEncapsulated: res-hdr=0, null-body=45\r\n\r\nHTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n'
    : 'ICAP/1.0 204 No Content\r\n\r\n'

/** A service that speaks ICAP. */
export function icapDouble({ methods = 'RESPMOD', answer = plainAnswer }: IcapManners = {}): Promise<ScannerDouble> {
  return listening((socket, bytes, keep) => {
    const text = bytes.toString('latin1')
    if (!text.includes('\r\n\r\n')) return
    if (text.startsWith('OPTIONS')) return void socket.end(`ICAP/1.0 200 OK\r\nMethods: ${methods}\r\n\r\n`)
    const [, offset] = /-body=(\d+)\r\n/.exec(text) ?? []
    const begin = text.indexOf('\r\n\r\n') + 4 + Number(offset)
    if (!text.startsWith(methods) || !text.endsWith('\r\n0\r\n\r\n')) return
    const pieces: string[] = []
    for (let position = begin; ;) {
      const lineEnd = text.indexOf('\r\n', position)
      const length = Number.parseInt(text.slice(position, lineEnd), 16)
      if (!(length > 0)) break
      pieces.push(text.slice(lineEnd + 2, lineEnd + 2 + length))
      position = lineEnd + 2 + length + 2
    }
    const file = Buffer.from(pieces.join(''), 'latin1')
    keep(file)
    socket.end(answer(file.includes(infection), file.length))
  }, 0)
}
