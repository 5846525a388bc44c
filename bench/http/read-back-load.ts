import { z } from 'zod'
import { answerParent } from '../support/child.ts'
import { quantile } from '../support/rounds.ts'
import { openConnection, type RawConnection } from './raw-connection.ts'
import { rawRequest } from './raw-request.ts'

/** Each client writes at one of two servers, and reads what it wrote at the other as soon as that is answered; then the other way. */
const writing = z.object({
  path: z.string(),
  token: z.string().optional(),
  body: z.string(),
  /** The member of the answer that names what was written. */
  name: z.string(),
  /** The path to read it, up to its name. */
  readAt: z.string(),
})

const job = z.object({
  ports: z.tuple([z.int(), z.int()]),
  seconds: z.number().positive().max(120),
  /** What each client writes, in turn, over and over. */
  clients: z.array(z.array(writing).min(1)).min(1),
})

export type Writing = z.output<typeof writing>
export type ReadBackJob = z.output<typeof job>

/** What was answered so far. */
interface Answered {
  readonly writes_ms: number[]
  readonly reads_ms: number[]
  /** How many reads did not see what was written. */
  unseen: number
}

answerParent(async (asked) => {
  const { ports, seconds, clients } = job.parse(asked)
  const answered: Answered = { writes_ms: [], reads_ms: [], unseen: 0 }
  const open = await Promise.all(clients.map(() => Promise.all(ports.map(openConnection))))
  const began = performance.now()
  const deadline = began + seconds * 1000
  await Promise.all(
    clients.map(async (writings, client) => {
      for (let turn = 0; performance.now() < deadline; turn += 1) {
        const [writer, reader] = [(client + turn) % 2, (client + turn + 1) % 2]
        const what = writings[turn % writings.length]
        const [at, other] = [open[client]?.[writer], open[client]?.[reader]]
        if (!what || !at || !other) throw new Error('A client has no connection')
        await writeAndRead({ what, at, other, writePort: ports[writer] ?? 0, readPort: ports[reader] ?? 0 }, answered)
      }
    }),
  )
  const elapsed = (performance.now() - began) / 1000
  for (const connection of open.flat()) connection.close()
  const { writes_ms, reads_ms, unseen } = answered
  const all = [...writes_ms, ...reads_ms]
  return {
    count: all.length,
    unseen,
    perSecond: all.length / elapsed,
    all: times(all),
    writes: times(writes_ms),
    reads: times(reads_ms),
  }
})

interface Turn {
  readonly what: Writing
  readonly at: RawConnection
  readonly other: RawConnection
  readonly writePort: number
  readonly readPort: number
}

async function writeAndRead(
  { what: { path, token, body, name, readAt }, at, other, writePort, readPort }: Turn,
  answered: Answered,
): Promise<void> {
  const write = rawRequest(writePort, { method: 'POST', path, token, body })
  const sent = performance.now()
  const written = await at.askWhole(write)
  answered.writes_ms.push(performance.now() - sent)
  const named = nameIn(written.body, name)
  if (written.status !== 200 || named === undefined)
    throw new Error(`${path}: ${written.status} ${written.body.toString()}`)
  const read = rawRequest(readPort, { method: 'GET', path: `${readAt}${named}`, token })
  const asked = performance.now()
  const found = await other.askWhole(read)
  answered.reads_ms.push(performance.now() - asked)
  if (found.status !== 200 && found.status !== 404)
    throw new Error(`${readAt}: ${found.status} ${found.body.toString()}`)
  if (found.status === 404 || nameIn(found.body, name) !== named) answered.unseen += 1
}

function nameIn(body: Buffer, name: string): string | undefined {
  const named: unknown = z.record(z.string(), z.unknown()).parse(JSON.parse(body.toString()))[name]
  return typeof named === 'string' ? named : undefined
}

function times(latencies_ms: readonly number[]): { readonly p50_ms: number; readonly p99_ms: number } {
  const sorted = latencies_ms.toSorted((one, other) => one - other)
  return { p50_ms: quantile(sorted, 0.5), p99_ms: quantile(sorted, 0.99) }
}
