import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { PostgresConnection } from '../../../../adapters/postgres/database.ts'

const checkout = fileURLToPath(new URL('../../../..', import.meta.url))

/** A worker in a process of its own. Resolves once it has begun a job; `kill` sends SIGKILL and waits for its end. */
export async function busyWorkerProcess(
  connection: PostgresConnection,
  timing: Readonly<Record<string, number>>,
): Promise<{ readonly begun: string; kill(): Promise<void> }> {
  const program = path.join(checkout, 'dist/test/adapters/jobs/support/busy-worker.js')
  if (!existsSync(program)) throw new Error('The product is not built: npm test does that, and so does npm run build')
  const child = spawn(process.execPath, [program, JSON.stringify(connection), JSON.stringify(timing)], {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const lines = createInterface(child.stdout)
  const begun = await Promise.race([once(lines, 'line'), ended.then(() => undefined)])
  if (begun === undefined) throw new Error(`The worker ended with ${child.exitCode}`)
  return {
    begun: String(begun[0]),
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
