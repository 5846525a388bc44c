import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { call, createGuild, currentUser, register, send } from '../../support/load-api.ts'
import { startProduct, type ProductProcess } from '../../support/product-process.ts'
import { laidDatabase, type TestDatabase } from '../../support/test-database.ts'
import { connectionUrl } from '../../support/cluster/start-cluster.ts'

const waitingText =
  'another process serves this database, and without NATS_URL one serves at a time: waiting until it ends'
const logLine = z.object({ msg: z.string(), serving: z.array(z.object({ worker_id: z.int() })).optional() })
const readyAnswer = z.object({ processes: z.array(z.object({ id: z.string(), worker_id: z.int() })) })

describe('two processes without NATS on one database', () => {
  let database: TestDatabase
  const started: ProductProcess[] = []
  const key = randomBytes(32).toString('base64')

  beforeAll(async () => {
    database = await laidDatabase()
  })
  afterAll(async () => {
    await Promise.all(started.map((product) => product.kill('SIGKILL')))
    await database.close()
  })

  /** Starts one, whose lines are collected before it is ready. */
  function start(lines: string[] = []): Promise<ProductProcess> {
    const environment = {
      DATABASE_URL: connectionUrl(database.connection),
      PERSONAL_DATA_KEY: key,
      STATUS_PORT: '0',
    }
    const ready = startProduct({ dataDir: '/nonexistent', environment, onLine: (line) => lines.push(line) })
    return ready.then((product) => {
      started.push(product)
      return product
    })
  }

  const waitingLines = (lines: readonly string[]) =>
    lines.map((line) => logLine.parse(JSON.parse(line))).filter(({ msg }) => msg === waitingText)

  /** The worker id of the one process that serves. */
  async function workerId(product: ProductProcess): Promise<number | undefined> {
    const answer = async () => readyAnswer.parse(await (await fetch(`${product.statusUrl}/_ready`)).json()).processes
    await expect.poll(async () => (await answer()).length).toBe(1)
    return (await answer())[0]?.worker_id
  }

  it('serve one after the other: the second says that it waits, and knows who has logged out', async () => {
    const first = await start()
    const lines: string[] = []
    const second = start(lines)
    await expect.poll(() => waitingLines(lines)).toHaveLength(1)
    const [waiting] = waitingLines(lines)
    const ada = await call(first.url, register('ada'))
    const { token } = ada
    expect((await send(first.url, { method: 'POST', path: '/v1/auth/logout', token, parse: String })).status).toBe(204)
    const firstId = await workerId(first)
    expect(waiting?.serving).toEqual([expect.objectContaining({ worker_id: firstId })])
    expect(waitingLines(lines)).toHaveLength(1)
    await first.stop()
    const next = await second
    expect((await send(next.url, currentUser(ada))).status).toBe(401)
    expect((await send(next.url, createGuild(ada, 'After the end'))).status).toBe(401)
    expect(await workerId(next)).not.toBe(firstId)
    await next.stop()
  })

  it('hand over when the first hangs: it writes nothing any more, and ends by itself once it goes on', async () => {
    const first = await start()
    const ada = await call(first.url, register('grace'))
    const firstId = await workerId(first)
    const second = start()
    first.signal('SIGSTOP')
    const next = await second
    const guild = await call(next.url, createGuild(ada, 'Of the second'))
    expect(await workerId(next)).not.toBe(firstId)
    first.signal('SIGCONT')
    const ofFirst = send(first.url, createGuild(ada, 'Of the first')).then(
      ({ status }) => status,
      () => 'no answer',
    )
    await expect.poll(() => first.isRunning).toBe(false)
    expect(['no answer', 503]).toContain(await ofFirst)
    expect(first.lines.at(-1)).toContain('"msg":"ended"')
    expect(first.lines.some((line) => line.includes('another process serves this database now'))).toBe(true)
    const guilds = await call(next.url, {
      method: 'GET',
      path: '/v1/users/@me/guilds',
      token: ada.token,
      parse: (body) => z.array(z.object({ id: z.string() })).parse(body),
    })
    expect(guilds.map(({ id }) => id)).toEqual([guild.id])
    await next.stop()
  })
})
