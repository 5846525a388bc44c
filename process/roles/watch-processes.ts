import { runningProcesses } from '../../adapters/processes/running-processes.ts'
import type { RunningProcess } from '../../application/ports/readiness.ts'
import type { Base } from './base.ts'
import { repeatedly } from './repeatedly.ts'

const look_ms = 10_000

/** The processes of the instance, as they were at the last look. While Postgres is away, the last ones stay. */
export function watchProcesses({ database, closings, onError }: Base): () => readonly RunningProcess[] {
  let seen: readonly RunningProcess[] = []
  const looks = repeatedly(look_ms, async () => void (seen = await runningProcesses(database)), onError)
  looks.soon()
  closings.add(() => looks.stop())
  return () => seen
}
