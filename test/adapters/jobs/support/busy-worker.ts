import { pino } from 'pino'
import { z } from 'zod'
import { startWorker } from '../../../../adapters/jobs/start-worker.ts'
import { stockTiming } from '../../../../adapters/jobs/timing.ts'
import { openDatabase, type PostgresConnection } from '../../../../adapters/postgres/database.ts'

/**
 * A worker as a program: `node busy-worker.js <connection> <timing>`, both in JSON. It begins every job, prints its text, and
 * finishes none.
 */
const [connection, timing] = process.argv.slice(2).map((text): unknown => JSON.parse(text))
const note = {
  payload: z.object({ text: z.string() }),
  run: ({ text }: { readonly text: string }) => {
    process.stdout.write(`${text}\n`)
    return new Promise<never>(() => {})
  },
}
startWorker({
  database: openDatabase(connection as PostgresConnection),
  tasks: { note },
  rounds: [],
  logger: pino({ level: 'silent' }),
  timing: { ...stockTiming, start_ms: 0, ...(timing as object) },
})
