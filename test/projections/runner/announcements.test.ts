import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openAnnouncements, topic, type Announcements } from '../../../projections/runner/announcements.ts'
import { openNotifier, type OpenNotifier } from '../../../adapters/postgres/notifier.ts'
import { testDatabase, type TestDatabase } from '../../support/test-database.ts'

let test: TestDatabase
let notifiers: OpenNotifier[]
let spy: pg.Client
/** All texts on the topic, recorded by a listener that answers nothing. */
let said: string[]

beforeEach(async () => {
  test = await testDatabase()
  ;[notifiers, said] = [[], []]
  spy = new pg.Client(test.connection)
  await spy.connect()
  spy.on('notification', ({ payload }) => said.push(payload ?? ''))
  await spy.query(`listen ${topic}`)
})
afterEach(async () => {
  await Promise.all(notifiers.map((notifier) => notifier.close()))
  await spy.end()
  await test.close()
})

/** Opens another process, once it listens, with the positions that it hears. */
async function opened(): Promise<Announcements & { readonly heard: bigint[] }> {
  const heard: bigint[] = []
  const before = said.length
  const notifier = openNotifier({ connection: test.connection, onError: () => undefined })
  notifiers.push(notifier)
  const announcements = openAnnouncements({
    notifier,
    onPosition: (position) => heard.push(position),
    onChange: () => undefined,
  })
  await expect.poll(() => said.slice(before)).toContain('I listen')
  return { ...announcements, heard }
}

const positions = (): readonly string[] => said.filter((text) => /^\d+$/.test(text))

describe('positions are announced', () => {
  it('whether or not another process listens, and to a process not its own', async () => {
    const leader = await opened()
    leader.announce(1n)
    await expect.poll(positions).toStrictEqual(['1'])
    const other = await opened()
    leader.announce(2n)
    await expect.poll(() => other.heard).toStrictEqual([2n])
    expect(leader.heard).toStrictEqual([])
  })

  it('the newest where several come while one is on its way', async () => {
    const [leader, other] = [await opened(), await opened()]
    for (const position of [1n, 2n, 3n]) leader.announce(position)
    await expect.poll(() => other.heard).toStrictEqual([1n, 3n])
  })

  it('to processes of the version before, which first hear who listens', async () => {
    await opened()
    expect(said).toStrictEqual(['I listen'])
    await spy.query(`select pg_notify('${topic}', 'who listens')`)
    await expect.poll(() => said).toStrictEqual(['I listen', 'who listens', 'I listen'])
  })

  it('also if a process listens before the leader comes', async () => {
    const other = await opened()
    const leader = await opened()
    leader.announce(7n)
    await expect.poll(() => other.heard).toStrictEqual([7n])
  })
})
