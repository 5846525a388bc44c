import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openNotifier, type OpenNotifier } from '../../../adapters/postgres/notifier.ts'
import { testDatabase, type TestDatabase } from '../../support/test-database.ts'

let test: TestDatabase
let opened: OpenNotifier[]
let heard: { readonly topic: string; readonly text: string; readonly from: number }[]
/** The topics that were heard from some moment on. */
let hearing: string[]
let errors: unknown[]

beforeEach(async () => {
  test = await testDatabase()
  ;[opened, heard, hearing, errors] = [[], [], [], []]
})
afterEach(async () => {
  await Promise.all(opened.map((notifier) => notifier.close()))
  await test.close()
})

function open(connect?: () => Promise<pg.Client>): OpenNotifier {
  const notifier = openNotifier({
    connection: test.connection,
    onError: (error) => errors.push(error),
    ...(connect && { connect }),
  })
  opened.push(notifier)
  return notifier
}

const subscribe = (notifier: OpenNotifier, topic: string) =>
  notifier.subscribe(topic, {
    onText: (text, from) => heard.push({ topic, text, from }),
    onHearing: () => hearing.push(topic),
  })

/** A notifier that hears these topics. */
async function hearingOf(...topics: readonly string[]): Promise<OpenNotifier> {
  const notifier = open()
  for (const topic of topics) subscribe(notifier, topic)
  await expect.poll(() => hearing.toSorted()).toStrictEqual(topics.toSorted())
  return notifier
}

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ ...test.connection, application_name: 'guildhall notifier' })
  await client.connect()
  return client
}

const texts = (): readonly string[] => heard.map(({ topic, text }) => `${topic} ${text}`)
const tell = (topic: string, text: string) => test.database.pool.query('select pg_notify($1, $2)', [topic, text])
const connections = async (): Promise<readonly number[]> => {
  const { rows } = await test.database.pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'guildhall notifier' and datname = current_database()`,
  )
  return rows.map(({ pid }) => pid)
}
async function breakConnections(): Promise<void> {
  for (const pid of await connections()) await test.database.pool.query('select pg_terminate_backend($1)', [pid])
}

describe('a notifier', () => {
  it('hears all topics on one connection, and by which connection each text was told', async () => {
    const notifier = await hearingOf('birds', 'trees')
    subscribe(notifier, 'stones')
    await expect.poll(() => hearing).toContain('stones')
    const { rows } = await test.database.pool.query<{ pid: number }>(
      `select pg_backend_pid() as pid, pg_notify('birds', 'wren'), pg_notify('stones', 'flint'), pg_notify('trees', '')`,
    )
    const from = rows[0]?.pid
    await expect
      .poll(() => heard)
      .toStrictEqual([
        { topic: 'birds', text: 'wren', from },
        { topic: 'stones', text: 'flint', from },
        { topic: 'trees', text: '', from },
      ])
    expect(await connections()).toHaveLength(1)
  })

  it('opens no connection before it is used', async () => {
    open()
    expect(await connections()).toStrictEqual([])
  })

  it('hears nothing on a topic once that is ended', async () => {
    const notifier = await hearingOf('birds')
    const end = subscribe(notifier, 'trees')
    await expect.poll(() => hearing).toContain('trees')
    end()
    await tell('trees', 'oak')
    await tell('birds', 'wren')
    await expect.poll(texts).toStrictEqual(['birds wren'])
  })

  it('tells others and not itself', async () => {
    const [one, other] = [await hearingOf('birds'), open()]
    other.tell('birds', 'wren')
    await expect.poll(texts).toStrictEqual(['birds wren'])
    one.tell('birds', 'owl')
    await tell('birds', 'finch')
    await expect.poll(texts).toContain('birds finch')
    expect(texts()).not.toContain('birds owl')
  })

  it('tells only the newest of what comes while a text is on its way, for each kind', async () => {
    await hearingOf('birds', 'trees')
    const other = open()
    other.tell('trees', 'oak')
    for (const bird of ['wren', 'owl', 'finch']) other.tell('birds', bird)
    other.tell('birds', 'migration', 'seasons')
    await expect.poll(texts).toStrictEqual(['trees oak', 'birds finch', 'birds migration'])
  })

  it('makes another connection if one breaks, reports it, and says that there was a gap', async () => {
    const notifier = await hearingOf('birds', 'trees')
    await breakConnections()
    await expect.poll(() => hearing).toHaveLength(4)
    expect(errors).toHaveLength(1)
    await tell('birds', 'wren')
    await expect.poll(texts).toStrictEqual(['birds wren'])
    expect(await connections()).toHaveLength(1)
    await notifier.close()
  })

  it('tells after a break what it was to tell meanwhile', async () => {
    await hearingOf('birds')
    let isAway = false
    const other = open(() => (isAway ? Promise.reject(new Error('away')) : connected()))
    other.tell('birds', 'wren')
    await expect.poll(texts).toStrictEqual(['birds wren'])
    isAway = true
    await breakConnections()
    await expect.poll(() => errors.map(String)).toContain('Error: away')
    for (const bird of ['owl', 'finch']) other.tell('birds', bird)
    await expect.poll(() => hearing).toHaveLength(2)
    isAway = false
    await expect.poll(texts).toStrictEqual(['birds wren', 'birds finch'])
  })

  it('tries again if no connection can be made', async () => {
    let tries = 0
    const notifier = open(() => {
      tries += 1
      return tries < 3 ? Promise.reject(new Error(`try ${tries}`)) : connected()
    })
    subscribe(notifier, 'birds')
    await expect.poll(() => hearing).toHaveLength(1)
    expect(errors.map(String)).toStrictEqual(['Error: try 1', 'Error: try 2'])
  })

  it('tells what is left when it is closed, closes its connection and hears no more', async () => {
    await hearingOf('birds')
    const other = open()
    subscribe(other, 'trees')
    await expect.poll(() => hearing).toContain('trees')
    for (const bird of ['wren', 'owl']) other.tell('birds', bird)
    await other.close()
    await expect.poll(texts).toStrictEqual(['birds wren', 'birds owl'])
    await expect.poll(connections).toHaveLength(1)
    await tell('trees', 'oak')
    await tell('birds', 'finch')
    await expect.poll(texts).toContain('birds finch')
    expect([texts().includes('trees oak'), errors]).toStrictEqual([false, []])
  })

  it('closes a connection that is made while it is being closed', async () => {
    let connect = (): void => undefined
    const notifier = open(async () => {
      await new Promise<void>((resolve) => (connect = resolve))
      return connected()
    })
    subscribe(notifier, 'birds')
    const closed = notifier.close()
    connect()
    await closed
    await expect.poll(connections).toStrictEqual([])
    expect(hearing).toStrictEqual([])
  })

  it('does not wait for a hung connection when it is closed', async () => {
    const notifier = open(() => new Promise(() => undefined))
    subscribe(notifier, 'birds')
    await notifier.close()
    expect(errors).toStrictEqual([])
  })
})
