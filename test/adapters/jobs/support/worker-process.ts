import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { PostgresConnection } from '../../../../adapters/postgres/database.js'

const checkout = fileURLToPath(new URL('../../../..', import.meta.url))

/** Begins every job and finishes none. Written for the built product: another process has no vitest to compile for it. */
const script = `
const [dist, connection] = [process.env.DIST, JSON.parse(process.env.CONNECTION)]
const { startWorker } = await import(dist + '/adapters/jobs/start-worker.js')
const { stockTiming } = await import(dist + '/adapters/jobs/timing.js')
const { openDatabase } = await import(dist + '/adapters/postgres/database.js')
const { pino } = await import('pino')
const { z } = await import('zod')
const note = { payload: z.object({ text: z.string() }), run: ({ text }) => (console.log(text), new Promise(() => {})) }
startWorker({
  database: openDatabase(connection), tasks: { note }, rounds: [], logger: pino({ level: 'silent' }),
  timing: { ...stockTiming, start_ms: 0, ...JSON.parse(process.env.TIMING) },
})
`

/** A worker in a process of its own. Resolves once it has begun a job; `kill` sends SIGKILL and waits for its end. */
export async function busyWorkerProcess(
  connection: PostgresConnection,
  timing: Readonly<Record<string, number>>,
): Promise<{ readonly begun: string; kill(): Promise<void> }> {
  const dist = path.join(checkout, 'dist')
  if (!existsSync(path.join(dist, 'adapters/jobs/tables.sql')))
    throw new Error('The product is not built: npm test does that, and so does npm run build')
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: checkout,
    env: {
      ...process.env,
      DIST: pathToFileURL(dist).href,
      CONNECTION: JSON.stringify(connection),
      TIMING: JSON.stringify(timing),
    },
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
