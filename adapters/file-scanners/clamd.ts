import { createReadStream } from 'node:fs'
import { FileScannerUnavailable, type FileScanner } from './file-scanner.ts'
import { overConnection, type ScannerPlace } from './scanner-connection.ts'

const piece_bytes = 262_144
const length_bytes = 4

/** ClamAV's daemon, over TCP or a socket: its commands PING and INSTREAM, which end with a zero. */
export function clamd(place: ScannerPlace): FileScanner {
  const isWhole = (text: string): boolean => text.endsWith('\0')
  return {
    scan: ({ path }) =>
      overConnection(place, async ({ send, answer }) => {
        await send('zINSTREAM\0')
        for await (const piece of createReadStream(path, { highWaterMark: piece_bytes })) {
          const bytes = piece as Buffer
          await send(lengthOf(bytes.length))
          await send(bytes)
        }
        await send(lengthOf(0))
        return judged(await answer(isWhole))
      }),
    answers: () =>
      overConnection(place, async ({ send, answer }) => {
        await send('zPING\0')
        const said = plain(await answer(isWhole))
        if (said !== 'PONG') throw new FileScannerUnavailable(`clamd answered: ${said}`)
      }),
  }
}

function lengthOf(length: number): Buffer {
  const bytes = Buffer.alloc(length_bytes)
  bytes.writeUInt32BE(length)
  return bytes
}

/** An error may be that the file is larger than StreamMaxLength: it was not scanned then. */
function judged(answer: string): 'clean' | 'infected' {
  const said = plain(answer)
  if (said === 'stream: OK') return 'clean'
  if (/^stream: .+ FOUND$/.test(said)) return 'infected'
  throw new FileScannerUnavailable(`clamd answered: ${said}`)
}

const plain = (answer: string): string => answer.replaceAll('\0', '').trim().slice(0, 200)
