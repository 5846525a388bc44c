import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { channel, openAnnouncements, type Announcements } from '../../../projections/runner/announcements.js'
import { testDatabase, type TestDatabase } from '../../support/test-database.js'

let test: TestDatabase
let ending: AbortController
let spy: pg.Client
/** All messages on the channel, recorded by a listener that answers nothing. */
let said: string[]

beforeEach(async () => {
  test = await testDatabase()
  ending = new AbortController()
  said = []
  spy = new pg.Client(test.connection)
  await spy.connect()
  spy.on('notification', ({ payload }) => said.push(payload ?? ''))
  await spy.query(`listen ${channel}`)
})
afterEach(async () => {
  ending.abort()
  await spy.end()
  await test.close()
})

/** Opens another process, once it listens, with the positions that it hears. */
async function opened(): Promise<Announcements & { readonly heard: bigint[] }> {
  const heard: bigint[] = []
  const before = said.length
  const announcements = openAnnouncements({
    pool: test.database.pool,
    onPosition: (position) => heard.push(position),
    onChange: () => undefined,
    onError: () => undefined,
    signal: ending.signal,
  })
  await expect.poll(() => said.slice(before)).toContain('who listens')
  return { ...announcements, heard }
}

const positions = (): readonly string[] => said.filter((text) => /^\d+$/.test(text))

describe('positions are announced', () => {
  it('to nobody if nobody else listens, and to a later listener, the newest first', async () => {
    const leader = await opened()
    leader.announce(1n)
    leader.announce(2n)
    const other = await opened()
    await expect.poll(() => other.heard).toStrictEqual([2n])
    leader.announce(3n)
    await expect.poll(() => other.heard).toStrictEqual([2n, 3n])
    expect(positions()).toStrictEqual(['2', '3'])
    expect(leader.heard).toStrictEqual([])
  })

  it('if a process listens already when the leader comes', async () => {
    const other = await opened()
    const leader = await opened()
    leader.announce(7n)
    await expect.poll(() => other.heard).toStrictEqual([7n])
  })
})
