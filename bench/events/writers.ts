import { measureCores } from '../support/cpu.ts'
import { quantile, type Sample } from '../support/rounds.ts'
import { inviteCreated, type NewStream } from './invite-created.ts'

export interface Writing {
  readonly write: (event: NewStream) => Promise<unknown>
  readonly writers: number
  readonly seconds: number
  /** The kind of the server that is written to, and its processes. */
  readonly server: string
  readonly pids: () => readonly number[]
}

/** Each writer writes one event after another, each to a stream of its own, as Create channel invite does. */
export async function written({ write, writers, seconds, server, pids }: Writing): Promise<Sample> {
  const cores = measureCores({ writers: () => [process.pid], [server]: pids })
  const latencies: number[] = []
  const began = performance.now()
  const deadline = began + seconds * 1000
  async function run(): Promise<void> {
    for (let now = began; now < deadline;) {
      const sent = performance.now()
      await write(inviteCreated())
      now = performance.now()
      latencies.push(now - sent)
    }
  }
  await Promise.all(Array.from({ length: writers }, run))
  const elapsed = (performance.now() - began) / 1000
  const sorted = latencies.toSorted((a, b) => a - b)
  const details = { count: latencies.length, p50_ms: quantile(sorted, 0.5), p99_ms: quantile(sorted, 0.99) }
  return { rate: latencies.length / elapsed, cores: cores(), details }
}
