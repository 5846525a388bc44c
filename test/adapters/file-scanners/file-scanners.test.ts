import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openFileScanner } from '../../../adapters/file-scanners/open-file-scanner.ts'
import { clamdDouble, icapDouble, infection, type ScannerDouble } from './scanner-doubles.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'gh-scan-'))
const doubles: ScannerDouble[] = []
afterAll(async () => {
  for (const double of doubles) await double.close()
  await rm(folder, { recursive: true, force: true })
})

async function opened(double: Promise<ScannerDouble>): Promise<ScannerDouble> {
  const there = await double
  doubles.push(there)
  return there
}

async function fileOf(content: Buffer) {
  const file = path.join(folder, `${content.length}-${randomBytes(4).toString('hex')}`)
  await writeFile(file, content)
  return { path: file, size_bytes: content.length }
}

const clean = randomBytes(900_000)
const infected = Buffer.concat([randomBytes(300_000), Buffer.from(infection), randomBytes(300_000)])
const page = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n'
const sentBack = (size: number): string =>
  `ICAP/1.0 200 OK\r\nEncapsulated: res-hdr=0, res-body=40\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`

const socketPath = path.join(folder, 'clamd.sock')
const scanners: readonly (readonly [string, () => Promise<readonly [string, ScannerDouble]>])[] = [
  ['ClamAV over TCP', async () => withPort(clamdDouble(), (port) => `clamd://127.0.0.1:${port}`)],
  ['ClamAV over a socket', async () => withPort(clamdDouble(socketPath), () => `clamd://${socketPath}`)],
  ['an ICAP service with RESPMOD', async () => withPort(icapDouble(), (port) => `icap://127.0.0.1:${port}/avscan`)],
  [
    'an ICAP service with REQMOD',
    async () => withPort(icapDouble({ methods: 'REQMOD' }), (port) => `icap://127.0.0.1:${port}/avscan?allow=1`),
  ],
  [
    'an ICAP service that sends back what is clean, and a page for what is not',
    async () =>
      withPort(
        icapDouble({
          answer: (isInfected, size) => (isInfected ? `ICAP/1.0 200 OK\r\n\r\n${page}` : sentBack(size)),
        }),
        (port) => `icap://127.0.0.1:${port}/`,
      ),
  ],
]

async function withPort(
  double: Promise<ScannerDouble>,
  address: (port: number) => string,
): Promise<readonly [string, ScannerDouble]> {
  const there = await opened(double)
  return [address(there.port), there]
}

describe.each(scanners)('%s', (_, open) => {
  it('is sent every byte of a file, and says whether it is infected', async () => {
    const [address, double] = await open()
    const scanner = openFileScanner(address)
    expect(await scanner.scan(await fileOf(clean))).toBe('clean')
    expect(await scanner.scan(await fileOf(infected))).toBe('infected')
    expect(await scanner.scan(await fileOf(Buffer.alloc(0)))).toBe('clean')
    expect(double.scanned.map((file) => file.length)).toStrictEqual([clean.length, infected.length, 0])
    expect(double.scanned[0]?.equals(clean)).toBe(true)
    await scanner.answers()
  })
})

it('an ICAP service may answer before it has seen all of a file, and hang up', async () => {
  const server = net.createServer((socket) => {
    socket
      .on('error', () => undefined)
      .once('data', (bytes: Buffer) => {
        const isHello = bytes.toString('latin1').startsWith('OPTIONS')
        socket.end(isHello ? 'ICAP/1.0 200 OK\r\nMethods: RESPMOD\r\n\r\n' : 'ICAP/1.0 403 Forbidden\r\n\r\n')
      })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, resolve)
  })
  const { port } = server.address() as net.AddressInfo
  expect(await openFileScanner(`icap://127.0.0.1:${port}/`).scan(await fileOf(infected))).toBe('infected')
  server.close()
})

describe('a file is neither clean nor infected, but the scanner is out', () => {
  const out = { name: 'FileScannerUnavailable', part: 'file scanner' }

  it('if nobody listens', async () => {
    for (const address of ['clamd://127.0.0.1:1', `clamd://${folder}/none.sock`, 'icap://127.0.0.1:1/avscan']) {
      const scanner = openFileScanner(address)
      await expect(scanner.scan(await fileOf(clean))).rejects.toMatchObject(out)
      await expect(scanner.answers()).rejects.toMatchObject(out)
    }
  })

  it('if it hangs up in the middle of the file', async () => {
    const server = net.createServer((socket) => {
      socket.on('error', () => undefined).once('data', () => socket.destroy())
    })
    await new Promise<void>((resolve) => {
      server.listen(0, resolve)
    })
    const { port } = server.address() as net.AddressInfo
    await expect(openFileScanner(`clamd://127.0.0.1:${port}`).scan(await fileOf(clean))).rejects.toMatchObject(out)
    server.close()
  })

  it('if the file is larger than it takes, or it answers an error', async () => {
    const { port } = await opened(clamdDouble(0, 1000))
    await expect(openFileScanner(`clamd://127.0.0.1:${port}`).scan(await fileOf(clean))).rejects.toMatchObject({
      ...out,
      message: 'clamd answered: INSTREAM size limit exceeded. ERROR',
    })
    const icap = await opened(icapDouble({ answer: () => 'ICAP/1.0 500 Server Error\r\n\r\n' }))
    await expect(openFileScanner(`icap://127.0.0.1:${icap.port}/`).scan(await fileOf(clean))).rejects.toMatchObject(out)
  })
})
