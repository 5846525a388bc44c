import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listenOn, type Listener } from '../../../application/concurrency/listener.js'
import { testDatabase, type TestDatabase } from '../../support/test-database.js'

const channel = 'test_channel'

let test: TestDatabase
let heard: { readonly payload: string; readonly from: number }[]
/** The connections that began to listen, and how many of them have stopped. */
let listening: pg.Client[]
let silences: number
let errors: unknown[]
let listener: Listener | undefined

beforeEach(async () => {
  test = await testDatabase()
  ;[heard, listening, silences, errors, listener] = [[], [], 0, [], undefined]
})
afterEach(async () => {
  await listener?.close()
  await test.close()
})

function listen(connect: () => Promise<pg.Client> = connected): Listener {
  listener = listenOn({
    channel,
    connect,
    disconnect: (client) => client.end(),
    onPayload: (payload, from) => heard.push({ payload, from }),
    onListening: (client) => listening.push(client),
    onSilence: () => (silences += 1),
    onError: (error) => errors.push(error),
  })
  return listener
}

async function connected(): Promise<pg.Client> {
  const client = new pg.Client(test.connection)
  await client.connect()
  return client
}

const tell = (payload: string) => test.database.pool.query('select pg_notify($1, $2)', [channel, payload])
const connections = async (): Promise<readonly number[]> => {
  const { rows } = await test.database.pool.query<{ pid: number }>(
    'select pid from pg_stat_activity where query = $1 and datname = current_database()',
    [`listen ${channel}`],
  )
  return rows.map(({ pid }) => pid)
}

describe('a listener', () => {
  it('hears what is sent on its channel, and by which connection', async () => {
    listen()
    await expect.poll(() => listening).toHaveLength(1)
    const { rows } = await test.database.pool.query<{ pid: number }>(
      'select pg_backend_pid() as pid, pg_notify($1, $2)',
      [channel, 'hello'],
    )
    await expect.poll(() => heard).toStrictEqual([{ payload: 'hello', from: rows[0]?.pid }])
  })

  it('listens again on another connection if one breaks, and reports it', async () => {
    listen()
    await expect.poll(() => listening).toHaveLength(1)
    for (const pid of await connections()) await test.database.pool.query('select pg_terminate_backend($1)', [pid])
    await expect.poll(() => listening).toHaveLength(2)
    expect(silences).toBe(1)
    expect(errors).toHaveLength(1)
    await tell('again')
    await expect.poll(() => heard.map(({ payload }) => payload)).toStrictEqual(['again'])
  })

  it('tries again if no connection can be made', async () => {
    let tries = 0
    listen(() => {
      tries += 1
      return tries < 3 ? Promise.reject(new Error(`try ${tries}`)) : connected()
    })
    await expect.poll(() => listening).toHaveLength(1)
    expect(errors.map(String)).toStrictEqual(['Error: try 1', 'Error: try 2'])
    expect(silences).toBe(0)
  })

  it('closes its connection when it is closed, and hears no more', async () => {
    const { close } = listen()
    await expect.poll(() => listening).toHaveLength(1)
    expect(await connections()).toHaveLength(1)
    await close()
    await expect.poll(connections).toStrictEqual([])
    await tell('nobody')
    expect([heard, errors, silences]).toStrictEqual([[], [], 1])
  })

  it('closes a connection that is made while it is being closed', async () => {
    let connect = (): void => undefined
    const { close } = listen(async () => {
      await new Promise<void>((resolve) => (connect = resolve))
      return connected()
    })
    const closed = close()
    connect()
    await closed
    await expect.poll(connections).toStrictEqual([])
    expect(listening).toStrictEqual([])
  })

  it('does not wait for a hung connection when it is closed', async () => {
    const { close } = listen(() => new Promise(() => undefined))
    await close()
    expect(errors).toStrictEqual([])
  })
})
