import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, type PostgresDatabase } from '../../../adapters/postgres/database.ts'
import { environmentOf, startServers, type ClusterServers } from '../../support/cluster/start-cluster.ts'
import { natsIsMissing, natsSuite } from '../../support/nats-server.ts'
import { startProduct, type ProductOptions, type ProductProcess } from '../../support/product-process.ts'
import { testDatabase } from '../../support/test-database.ts'
import { paced } from '../../support/pace.ts'

/** A process that waits for read models checks them every 10 s. */
const end_ms_max = 15_000

describe.skipIf(natsIsMissing !== undefined)(natsSuite('an API process that comes before any projector'), () => {
  let servers: ClusterServers
  let database: PostgresDatabase
  let stop = (): Promise<void> => Promise.resolve()
  const started: ProductProcess[] = []

  beforeAll(async () => {
    const opened = await startServers('postgres', testDatabase)
    servers = opened.servers
    database = openDatabase(servers.connection)
    stop = async () => {
      await Promise.all(started.map((product) => product.kill('SIGKILL')))
      await database.close()
      await opened.stop()
    }
  })
  afterAll(() => stop(), 30_000)

  const start = (options: Pick<ProductOptions, 'command' | 'onStarted'>): Promise<ProductProcess> =>
    startProduct({ dataDir: '/nonexistent', environment: environmentOf(servers), ...options })

  /** The number of connections besides the one that asks. */
  async function connections(): Promise<number> {
    const { rows } = await database.pool.query<{ count: number }>(
      `select count(*)::int4 as count from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    return rows[0]?.count ?? 0
  }

  it('ends in order when it is stopped while it waits', async () => {
    let signal: ProductProcess['signal'] = () => undefined
    const outcome = start({ command: 'api', onStarted: (send) => (signal = send) }).then(
      () => 'ready',
      (error: unknown) => String(error),
    )
    await expect.poll(connections).toBeGreaterThan(0)
    const began = performance.now()
    signal('SIGTERM')
    expect(await outcome).toContain('The product ended (0) before it was ready')
    expect(performance.now() - began).toBeLessThan(paced(end_ms_max))
    await expect.poll(connections).toBe(0)
  })

  it('is ready once a projector has started', async () => {
    const api = start({ command: 'api' })
    await expect.poll(connections).toBeGreaterThan(0)
    started.push(...(await Promise.all([start({ command: 'projector' }), api])))
    expect((await fetch(`${(await api).url}/_health`)).status).toBe(200)
  })
})
