import path from 'node:path'
import type pg from 'pg'
import { z } from 'zod'
import { findRunningPostgres, type Connection } from '../../adapters/postgres/embedded/start.ts'
import { call, register, type Person } from '../../test/support/load-api.ts'
import { startProduct, type ProductProcess } from '../../test/support/product-process.ts'
import { startStoreA, type StoreADouble } from '../../test/support/store-a/double.ts'
import { bundleId, type Sale } from '../../test/support/store-a/sales.ts'
import { settingsFor } from '../../test/support/stores/stores-over.ts'
import { runningClock } from '../../test/support/stores/test-clock.ts'
import { loaded, type Job, type Server } from '../lines/http-site.ts'
import { forkChild } from '../support/child.ts'
import { postgresProcesses } from '../support/cpu.ts'
import { openPool } from '../support/pool.ts'
import type { Sample } from '../support/rounds.ts'
import { scratch } from '../support/scratch.ts'

/** A hosted product that sells through a double of store A, which runs in this process, and its baseline beside it. */
export interface StoreSite {
  readonly product: ProductProcess
  readonly storeA: StoreADouble
  readonly pool: pg.Pool
  readonly connection: Connection
  readonly people: readonly Buyer[]
  readonly own: Server
  readonly bare: Server
  /** Sends requests for some seconds. Rejects if any answer is not a success. */
  measure(server: Server, job: Job): Promise<Sample>
  close(): Promise<void>
}

/** An account with the token that its purchases carry. */
export interface Buyer extends Person {
  readonly storeToken: string
}

const setUp_ms_max = 60_000
const connections_max = 20
const listening = z.object({ port: z.int() })
const settingsOfA = z.object({
  issuer_id: z.string(),
  key_id: z.string(),
  private_key: z.string(),
  api_url: z.string(),
})
const purchaseContext = z.object({ app_account_token: z.string() })

/** Starts everything and registers accounts. */
export async function openStoreSite(people_count: number): Promise<StoreSite> {
  const place = scratch()
  const closing: (() => Promise<void>)[] = [async () => place.remove()]
  const close = async (): Promise<void> => {
    for (const step of closing.splice(0).toReversed()) await step()
  }
  try {
    const storeA = await startStoreA({ clock: runningClock() })
    closing.push(() => storeA.close())
    const product = await startProduct({ dataDir: place.folder, environment: settingsFor({ storeA }) })
    closing.push(() => product.stop())
    const connection = await findRunningPostgres(path.join(product.dataDir, 'postgres'))
    if (!connection) throw new Error('The Postgres of the product is not to be found')
    const pool = openPool(connection, 4)
    const child = forkChild(new URL('../stores/bare-store-route.js', import.meta.url))
    const load = forkChild(new URL('../http/http-load.js', import.meta.url))
    closing.push(
      () => pool.end(),
      () => child.end(),
      () => load.end(),
    )
    const store = storeOf(storeA)
    const { port } = listening.parse(await child.ask({ connection, connections_max, store }, setUp_ms_max))
    const postgres = await postgresProcesses(pool)
    return {
      product,
      storeA,
      pool,
      connection,
      people: await registered(product.url, people_count),
      own: { pid: product.pid, port: Number(new URL(product.url).port) },
      bare: { pid: child.pid, port },
      measure: (server, job) => loaded({ load, postgres, server, roles: { server: () => [server.pid] } }, job),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function storeOf({ settings }: StoreADouble) {
  const { issuer_id: issuerId, key_id: keyId, private_key: privateKey, api_url: apiUrl } = settingsOfA.parse(settings)
  return { apiUrl, issuerId, keyId, privateKey, bundleId }
}

async function registered(url: string, count: number): Promise<readonly Buyer[]> {
  const people: Buyer[] = []
  for (let index = 0; index < count; index += 1) {
    const person = await call(url, register(`buyer${index}`))
    const parse = (body: unknown): string => purchaseContext.parse(body).app_account_token
    const path_ = '/v1/premium/store'
    const storeToken = await call(url, { method: 'GET', path: path_, token: person.token, parse })
    people.push({ ...person, storeToken })
  }
  return people
}

/** Sells a subscription to a buyer. */
export function sellTo({ storeA }: Pick<StoreSite, 'storeA'>, { storeToken: appAccountToken }: Buyer): Sale {
  return storeA.sell({ productId: 'premium.monthly', transaction: { appAccountToken } })
}

/** Claims a sale for its buyer. */
export async function claim({ storeA, product }: StoreSite, { token }: Buyer, sale: Sale): Promise<void> {
  const body = { signed_transaction: await storeA.signedTransaction(sale) }
  const path_ = '/v1/premium/store/store-a/transactions'
  await call(product.url, { method: 'POST', path: path_, token, body, parse: () => undefined })
}
