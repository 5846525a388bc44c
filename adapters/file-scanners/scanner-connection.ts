import { once } from 'node:events'
import net from 'node:net'
import { FileScannerUnavailable } from './file-scanner.ts'

/** Where a scanner listens: a port of a host, or a socket of this machine. */
export type ScannerPlace = { readonly host: string; readonly port: number } | { readonly path: string }

/** How long a scanner may say and take nothing. */
const silence_ms_max = 30_000

export interface ScannerConnection {
  /** What it has answered so far. */
  readonly heard: string
  /** Resolves once there is space for more. */
  readonly send: (bytes: Uint8Array | string) => Promise<void>
  /** What it answers, as far as it is there: resolves once `isWhole` says so, or the connection ends. */
  readonly answer: (isWhole: (text: string) => boolean) => Promise<string>
}

/** Speaks with a scanner over a connection of its own. Whatever goes wrong with it is FileScannerUnavailable. */
export async function overConnection<Result>(
  place: ScannerPlace,
  speak: (connection: ScannerConnection) => Promise<Result>,
): Promise<Result> {
  const socket = net.connect({ ...place, timeout: silence_ms_max })
  const failed = new Promise<never>((_, fail) => {
    socket.once('error', fail).once('timeout', () => fail(new Error('it says nothing')))
    socket.once('close', () => fail(new Error('it hung up')))
  })
  // Nobody may be waiting at that moment.
  failed.catch(() => undefined)
  let text = ''
  socket.setEncoding('latin1').on('data', (piece: string) => {
    text += piece.slice(0, answer_max - text.length)
  })
  const connection: ScannerConnection = {
    get heard() {
      return text
    },
    async send(bytes) {
      if (!socket.write(bytes)) await Promise.race([once(socket, 'drain'), failed])
    },
    async answer(isWhole) {
      while (!isWhole(text) && !socket.readableEnded) {
        const news = new Promise<void>((resolve) => {
          socket.once('data', () => resolve()).once('end', () => resolve())
        })
        await Promise.race([news, failed])
      }
      return text
    },
  }
  try {
    return await speak(connection)
  } catch (error) {
    if (error instanceof FileScannerUnavailable) throw error
    throw new FileScannerUnavailable('the file scanner can not be reached', { cause: error })
  } finally {
    socket.destroy()
  }
}

/** No answer that says something is longer. */
const answer_max = 65_536
