import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, type PostgresDatabase } from '../../../adapters/postgres/database.js'
import { startCluster, type Cluster } from '../../support/cluster/start-cluster.js'
import { noteFault } from '../../support/fault-table.js'
import { call, createGuild, getGuild, register, send, type ApiRequest, type Person } from '../../support/load-api.js'
import { natsIsMissing, natsSuite } from '../../support/nats-server.js'
import type { ProductProcess } from '../../support/product-process.js'
import { laidDatabase } from '../../support/test-database.js'
import { listMessages, sendMessage, startSession } from './message-stage.js'

/** The longest time that a hung process may delay the repeat of a request. */
const takenOver_s_max = 15

describe.skipIf(natsIsMissing !== undefined)(natsSuite('F30: an API process that hangs within a keyed request'), () => {
  let cluster: Cluster
  let database: PostgresDatabase
  let hanging: ProductProcess
  let living: ProductProcess
  let author: Person
  let channel: string

  beforeAll(async () => {
    cluster = await startCluster({
      apis: 2,
      gateways: 1,
      projectors: 1,
      workers: 0,
      eventStore: 'postgres',
      database: laidDatabase,
    })
    database = openDatabase(cluster.connection)
    const [one, other] = cluster.running('api')
    const [gateway] = cluster.running('gateway')
    if (!one || !other || !gateway) throw new Error('a process is missing')
    hanging = one
    living = other
    author = await call(living.url, register('author'))
    await startSession(gateway.url, author)
    const { id } = await call(living.url, createGuild(author, 'Here'))
    channel = (await call(living.url, getGuild(author, id))).textChannel
  })
  afterAll(async () => {
    await database.close()
    await cluster.close()
  })

  const waiting = async (): Promise<number> =>
    (
      await database.pool.query(`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`)
    ).rows.length

  /** Sends the request to the process that will hang, and stops the process while it waits for Postgres in its transaction. */
  async function hangWithin(request: ApiRequest, key: string): Promise<{ readonly first: Promise<unknown> }> {
    const client = await database.pool.connect()
    try {
      await client.query('begin')
      await client.query('select pg_advisory_xact_lock(1196771691, hashtext($1))', [`${channel} ${author.id}`])
      const first = send(hanging.url, request, key).catch((error: unknown) => error)
      await expect.poll(waiting).toBe(1)
      hanging.signal('SIGSTOP')
      return { first }
    } finally {
      await client.query('commit')
      client.release()
    }
  }

  it('gives its repeat to another process within seconds, and changes nothing when it comes back', async () => {
    const plain = sendMessage(author, channel, 'once')
    const request = { ...plain, body: { ...plain.body, nonce: 'n1' } }
    const key = randomUUID()
    const { first } = await hangWithin(request, key)
    const began = performance.now()
    const answer = await send(living.url, request, key)
    const stuck_s = (performance.now() - began) / 1000
    hanging.signal('SIGCONT')
    await first
    const again = [await send(living.url, request, key), await send(hanging.url, request, key)]
    const messages = await call(living.url, listMessages(author, channel))
    noteFault('F30k', {
      title: 'API process hung in a keyed request',
      runs: 1,
      lost: messages.length === 0 ? 1 : 0,
      repeated: Math.max(0, messages.length - 1),
      reordered: 0,
      divergent: again.filter((one) => JSON.stringify(one) !== JSON.stringify(answer)).length,
      stuck_s,
    })
    expect(answer.status).toBe(200)
    expect(messages).toStrictEqual([plain.parse(answer.body).id])
    expect(again).toStrictEqual([answer, answer])
    expect(stuck_s).toBeLessThan(takenOver_s_max)
  })
})
