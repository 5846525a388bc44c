import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { openStore, type Store } from '../../../process/store.ts'
import { startProduct, type ProductProcess } from '../../support/product-process.ts'
import { laidDatabase, type TestDatabase } from '../../support/test-database.ts'

/** The product in a process of its own, on a database that outlives the process. */
export interface KillableProduct {
  readonly test: TestDatabase
  /** The history, for the test to look at. */
  readonly store: Store
  /** The process that runs at present. */
  readonly product: ProductProcess
  readonly dataDir: string
  /** The longest that a process took to start after one was killed. */
  readonly stuck_s: number
  /** Kills the process with SIGKILL and starts another, with additional settings. */
  restart(environment?: Readonly<Record<string, string>>): Promise<void>
  close(): Promise<void>
}

/** How a chapter reaches the product, which is open once its tests begin. */
export type OnProduct = () => KillableProduct

export async function openKillableProduct(): Promise<KillableProduct> {
  const test = await laidDatabase()
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'gh-killed-'))
  const personalDataKey = randomBytes(32)
  const settings = { DATABASE_URL: urlOf(test), PERSONAL_DATA_KEY: personalDataKey.toString('base64') }
  const store = await openStore({ connection: test.connection, personalDataKey, onError: () => undefined })
  let product = await startProduct({ dataDir, environment: settings })
  let stuck_s = 0
  return {
    test,
    store,
    dataDir,
    get product() {
      return product
    },
    get stuck_s() {
      return stuck_s
    },
    async restart(environment = {}) {
      await product.kill()
      product = await startProduct({ dataDir, environment: { ...settings, ...environment } })
      stuck_s = Math.max(stuck_s, product.ready_ms / 1000)
    },
    async close() {
      await product.kill()
      await store.close()
      await test.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function urlOf({ connection: { host = '', port, user, database } }: TestDatabase): string {
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}

/** How many events of a type there are. */
export async function countOf({ database }: TestDatabase, type: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    'select count(*)::int4 as count from event_store.events where type = $1',
    [type],
  )
  return rows[0]?.count ?? 0
}
