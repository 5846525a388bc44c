import { expect, it } from 'vitest'
import { openPostgresRateLimits } from '../../../adapters/http/limits/postgres-rate-limits.ts'
import { openDatabase } from '../../../adapters/postgres/database.ts'
import { migrate } from '../../../adapters/postgres/migrate.ts'
import { Unavailable } from '../../../application/failures/unavailable.ts'
import { afterThisTest, query, start, temporaryFolder } from '../../adapters/postgres/embedded/support.ts'

const rate = { requests: 2, seconds: 3600 }

it('rate limits are unavailable while Postgres recovers from a crash; then every bucket is full', async () => {
  const { connection } = await start(temporaryFolder())
  const database = openDatabase(connection, { connections_max: 2, answer_ms_max: 10_000 })
  afterThisTest(() => database.close())
  await migrate({ database, connection })
  const limits = openPostgresRateLimits({ database })
  afterThisTest(() => limits.close())
  for (const admitted of [true, true, false]) expect((await limits.take('key', rate)).admitted).toBe(admitted)

  // Postgres ends all its processes when one of them is killed, and recovers.
  const [backend] = await query(
    connection,
    'select pid from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
  )
  process.kill(Number(backend?.['pid']), 'SIGKILL')
  const failures: unknown[] = []
  await expect
    .poll(() => limits.take('key', rate).catch((error: unknown) => failures.push(error)))
    .toMatchObject({ admitted: true, remaining: 1 })
  expect(failures).not.toEqual([])
  for (const failure of failures) expect(failure).toBeInstanceOf(Unavailable)
})
