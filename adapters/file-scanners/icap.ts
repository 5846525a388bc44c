import { createReadStream } from 'node:fs'
import { FileScannerUnavailable, type FileScanner, type FileToScan } from './file-scanner.ts'
import { overConnection, type ScannerConnection } from './scanner-connection.ts'

const piece_bytes = 262_144
const port_default = 1344
const end = '\r\n\r\n'
/** The headers by which scanners say that they found something. */
const found = /^x-(?:infection-found|virus-id|violations-found|virus-name)\s*:/im

/**
 * A scanner that speaks ICAP (RFC 3507). A file is sent as the answer to a request, RESPMOD, or as the body of one, REQMOD, by which of
 * the two the service offers.
 */
export function icap(url: URL): FileScanner {
  const place = { host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? port_default : Number(url.port) }
  const service = `icap://${url.host}${url.pathname}${url.search}`
  const hello = (method: string): string => `${method} ${service} ICAP/1.0\r\nHost: ${url.host}\r\n`
  const methods = (): Promise<string> =>
    overConnection(place, async ({ send, answer }) => {
      await send(`${hello('OPTIONS')}Encapsulated: null-body=0${end}`)
      const said = await answer((text) => text.includes(end))
      if (statusOf(said) !== 200) throw unclear(said)
      return /^methods\s*:(?<names>.*)$/im.exec(said)?.groups?.['names'] ?? ''
    })
  return {
    async scan(file) {
      const isResponse = /\bRESPMOD\b/i.test(await methods())
      return overConnection(place, async (connection) => {
        const head = isResponse ? responseHead(file) : requestHead(file)
        const method = isResponse ? 'RESPMOD' : 'REQMOD'
        await connection.send(`${hello(method)}Allow: 204\r\nConnection: close\r\n${head}`)
        await sendBody(connection, file).catch((error: unknown) => {
          // A service may have seen enough, and hang up.
          if (!saysAll(connection.heard)) throw error
        })
        return judged(await connection.answer(saysAll), file)
      })
    },
    answers: async () => void (await methods()),
  }
}

const request = `GET http://files.invalid/file HTTP/1.1\r\nHost: files.invalid${end}`

function responseHead({ size_bytes }: FileToScan): string {
  const answer = `HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: ${size_bytes}${end}`
  const places = `req-hdr=0, res-hdr=${request.length}, res-body=${request.length + answer.length}`
  return `Encapsulated: ${places}${end}${request}${answer}`
}

function requestHead({ size_bytes }: FileToScan): string {
  const upload =
    'POST http://files.invalid/file HTTP/1.1\r\nHost: files.invalid\r\n' +
    `Content-Type: application/octet-stream\r\nContent-Length: ${size_bytes}${end}`
  return `Encapsulated: req-hdr=0, req-body=${upload.length}${end}${upload}`
}

async function sendBody({ send }: ScannerConnection, { path }: FileToScan): Promise<void> {
  for await (const piece of createReadStream(path, { highWaterMark: piece_bytes })) {
    const bytes = piece as Buffer
    await send(`${bytes.length.toString(16)}\r\n`)
    await send(bytes)
    await send('\r\n')
  }
  await send(`0${end}`)
}

/** The head of ICAP is enough without content, or if it names a finding; otherwise the head of HTTP that follows is needed. */
function saysAll(text: string): boolean {
  const [head, ...more] = text.split(end)
  return more.length > 0 && (statusOf(text) !== 200 || found.test(head ?? '') || more.length > 1)
}

/**
 * 204 is what we allow for a file that stays as it is. A service that sends it back nevertheless says the same by its length; any other
 * content takes the place of a file that was found.
 */
function judged(answer: string, { size_bytes }: FileToScan): 'clean' | 'infected' {
  const [head = '', http = ''] = answer.split(end)
  const status = statusOf(answer)
  if (status === 204) return 'clean'
  if (found.test(head) || status === 403) return 'infected'
  if (status !== 200) throw unclear(answer)
  const isOurs = !/^HTTP\/1\.[01] (?!200\b)/.test(http)
  const length = /^content-length\s*:\s*(?<bytes>\d+)\s*$/im.exec(http)?.groups?.['bytes']
  return isOurs && length === String(size_bytes) ? 'clean' : 'infected'
}

function statusOf(answer: string): number {
  return Number(/^ICAP\/1\.0 (?<status>\d{3})\b/.exec(answer)?.groups?.['status'])
}

function unclear(answer: string): FileScannerUnavailable {
  return new FileScannerUnavailable(`the ICAP service answered: ${answer.split('\r\n', 1).join('').slice(0, 200)}`)
}
