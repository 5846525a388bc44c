import { idempotencyOver, type IdempotencySettings } from '../../../adapters/http/idempotency/idempotency.ts'
import type { IdempotencyRows } from '../../../adapters/http/idempotency/idempotency-rows.ts'
import { openDatabase } from '../../../adapters/postgres/database.ts'
import { openPostgresIdempotencyRows } from '../../../adapters/http/idempotency/postgres-rows.ts'
import { electorOn } from '../../../application/concurrency/elector.ts'
import type { Handler } from '../../../adapters/http/operation.ts'
import { migratedDatabase, type TestDatabase } from '../../support/test-database.ts'
import { act, echo } from './operations.ts'
import { adaToken, afterThisTest, secret, startServer, testOrigins, type TestServer } from './support.ts'

export async function database(): Promise<TestDatabase> {
  const test = await migratedDatabase()
  afterThisTest(() => test.close())
  return test
}

export async function postgresRows(test?: TestDatabase, settings: { readonly keptBytes_max?: number } = {}) {
  const { connection, database: opened } = test ?? (await database())
  const locks = openDatabase(connection, { holdsLocks: true })
  const rows = openPostgresIdempotencyRows({ database: opened, elector: electorOn(locks.pool), ...settings })
  afterThisTest(async () => {
    await rows.close()
    await locks.close()
  })
  return rows
}

/** A server with one operation, POST /v1/things, that records the arguments of each run of its handler. */
export async function startKeyed(
  rows: IdempotencyRows,
  handle: Handler = async () => ({}),
  given: Partial<IdempotencySettings> = {},
) {
  const runs: { commandId: string; now: string; mayRepeat: boolean; ids: string[]; bytes: string[] }[] = []
  const recorded: Handler = async (request) => {
    const { context } = request.caller
    const bytes = () => Buffer.from(context.randomBytes(20)).toString('hex')
    runs.push({
      commandId: context.commandId,
      now: context.now,
      mayRepeat: context.mayRepeat,
      ids: [context.newId(), context.newId()],
      bytes: [bytes(), bytes()],
    })
    const reply = await handle(request)
    return typeof reply === 'object' ? { run: runs.length, ...reply } : reply
  }
  const origins = testOrigins()
  const idempotency = idempotencyOver({ rows, origins, secret, onStoringFailure: () => undefined, ...given })
  const server = await startServer([act(recorded), echo], { origins, idempotency })
  return { server, runs }
}

export function post(
  server: TestServer,
  key: string | undefined,
  json: unknown = {},
  token = adaToken,
  path = '/v1/things',
) {
  return server.fetch(path, {
    method: 'POST',
    token,
    json,
    headers: key === undefined ? {} : { 'idempotency-key': key },
  })
}

export const without = <Run extends { mayRepeat: boolean }>({ mayRepeat: _, ...rest }: Run) => rest
