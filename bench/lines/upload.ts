import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { z } from 'zod'
import { newAuthor, type Author } from '../../test/faults/commands/message-stage.ts'
import type { ProductProcess } from '../../test/support/product-process.ts'
import { forkChild, type Child } from '../support/child.ts'
import { measureCores, postgresProcesses } from '../support/cpu.ts'
import type { LineSettings } from '../support/line.ts'
import { residentMiB, watchMemory } from '../support/memory.ts'
import { compare, verdictOf, type Comparison, type Sample } from '../support/rounds.ts'
import { withProductAndStore } from '../support/with-product-and-store.ts'

const MiB = 1024 * 1024
const file_bytes = 10 * MiB
/** As many as a message may have: 100 MiB through the process at once. */
const files_count = 10
const aboveIdle_MiB_max = 64
const setUp_ms_max = 60_000
const warmUp_s = 2

const listening = z.object({ port: z.int() })

/** A request with a body that was laid out before. */
interface Upload {
  readonly port: number
  readonly path: string
  readonly headers: http.OutgoingHttpHeaders
  readonly pieces: readonly Buffer[]
}

/** A message with a file of 10 MB over HTTP, beside a bare stream of the same bytes to the same disk, one after another. */
export async function uploadLine({ seconds, rounds }: LineSettings): Promise<Comparison> {
  return withProductAndStore(async (product, { database: { pool } }) => {
    const author = await newAuthor(product.url, product.url, 'uploader')
    const postgres = await postgresProcesses(pool)
    const bare = forkChild(new URL('../http/bare-upload.js', import.meta.url))
    try {
      const file = randomBytes(file_bytes)
      const baseline = await bareUpload(bare, product, file)
      const own = messageWith(product, author, [file])
      const measured =
        (upload: Upload, pid: number) =>
        (for_s = seconds) =>
          uploaded(upload, { seconds: for_s, pid, postgres })
      const [ofBare, ofProduct] = [measured(baseline, bare.pid), measured(own, product.pid)]
      await ofBare(warmUp_s)
      await ofProduct(warmUp_s)
      const compared = await compare({
        line: 'upload-10mb',
        unit: 'uploads/s',
        target: 0.7,
        rounds,
        baseline: () => ofBare(),
        product: () => ofProduct(),
      })
      return { ...compared, notes: [await memoryNote(product, author, file)] }
    } finally {
      await bare.end()
    }
  })
}

async function bareUpload(child: Child, { dataDir }: ProductProcess, file: Buffer): Promise<Upload> {
  const folder = path.join(dataDir, 'bare')
  mkdirSync(folder)
  const { port } = listening.parse(await child.ask({ folder }, setUp_ms_max))
  return { port, path: '/', headers: { 'content-length': file.length }, pieces: [file] }
}

/** What one message takes of memory whose files have 100 MB together. */
async function memoryNote(product: ProductProcess, author: Author, file: Buffer): Promise<string> {
  const message = messageWith(
    product,
    author,
    Array.from({ length: files_count }, () => file),
  )
  const idle_MiB = residentMiB(product.pid)
  const most = watchMemory(product.pid)
  await send(message)
  const above_MiB = most() - idle_MiB
  const all_MiB = (files_count * file_bytes) / MiB
  return `a message with ${all_MiB} MiB of files: ${above_MiB.toFixed(0)} MiB above ${idle_MiB.toFixed(0)} before it, of ${aboveIdle_MiB_max}: ${verdictOf(above_MiB <= aboveIdle_MiB_max)}`
}

function messageWith({ url }: ProductProcess, { token, channel }: Author, files: readonly Buffer[]): Upload {
  const boundary = 'bench'
  const pieces = files.flatMap((file, index) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="files[${index}]"; filename="${index}.bin"\r\n\r\n`,
    ),
    file,
    Buffer.from('\r\n'),
  ])
  pieces.push(Buffer.from(`--${boundary}--\r\n`))
  return {
    port: Number(new URL(url).port),
    path: `/v1/channels/${channel}/messages`,
    headers: {
      authorization: token,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': pieces.reduce((sum, piece) => sum + piece.length, 0),
    },
    pieces,
  }
}

interface Uploading {
  readonly seconds: number
  readonly pid: number
  readonly postgres: () => readonly number[]
}

async function uploaded(upload: Upload, { seconds, pid, postgres }: Uploading): Promise<Sample> {
  const cores = measureCores({ server: () => [pid], load: () => [process.pid], postgres })
  const began = performance.now()
  let [count, took_ms_max] = [0, 0]
  while (performance.now() - began < seconds * 1000) {
    const sent = performance.now()
    await send(upload)
    took_ms_max = Math.max(took_ms_max, performance.now() - sent)
    count += 1
  }
  return { rate: (count * 1000) / (performance.now() - began), cores: cores(), details: { count, took_ms_max } }
}

function send({ port, path: at, headers, pieces }: Upload): Promise<void> {
  return new Promise((resolve, fail) => {
    const request = http.request({ port, host: '127.0.0.1', path: at, method: 'POST', headers }, (answer) => {
      answer.resume().once('end', () => {
        if (answer.statusCode === 200) resolve()
        else fail(new Error(`An upload was answered with ${answer.statusCode}`))
      })
    })
    request.once('error', fail)
    for (const piece of pieces) request.write(piece)
    request.end()
  })
}
