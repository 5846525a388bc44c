import { readFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { laidDatabase, type TestDatabase } from '../support/test-database.ts'
import { startTestGuildhall } from '../support/test-guildhall.ts'

const connections_max = 24
const prefix = 'guildhall '

/** The table of docs/operating.md: how many connections a process alone opens at most, by purpose. */
async function statedAlone(): Promise<ReadonlyMap<string, number>> {
  const page = await readFile('docs/operating.md', 'utf8')
  const table = page.slice(page.indexOf('## Connections to Postgres'), page.indexOf('## Checking a set-up'))
  const rows = [...table.matchAll(/^\| ([a-z ]+) \|[^|]*\| (\d+) \|/gm)]
  return new Map(rows.map(([, purpose = '', most]) => [purpose, Number(most)]))
}

describe('a process alone', () => {
  let test: TestDatabase
  const seen = new Map<string, number>()
  let most = 0

  beforeEach(async () => {
    test = await laidDatabase()
  })
  afterEach(() => test.close())

  /** Notes which connections there are. Those of the test itself have no name. */
  async function look(): Promise<void> {
    const { rows } = await test.database.pool.query<{ name: string; count: number }>(
      `select application_name as name, count(*)::int4 as count from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend' group by 1`,
    )
    const own = rows.filter(({ name }) => name !== '')
    most = Math.max(
      most,
      own.reduce((sum, { count }) => sum + count, 0),
    )
    for (const { name, count } of own) seen.set(name, Math.max(seen.get(name) ?? 0, count))
    expect(rows.find(({ name }) => name === '')?.count).toBeLessThanOrEqual(test.database.pool.totalCount)
  }

  it('opens at most 24 connections, each for a purpose that the table states, and no more than it states', async () => {
    const guildhall = await startTestGuildhall({
      connection: test.connection,
      personalDataKey: randomBytes(32),
      withMailServer: true,
      looks_ms: 50,
    })
    try {
      await expect
        .poll(async () => {
          await look()
          return [...seen.keys()]
        })
        .toEqual(
          expect.arrayContaining(['guildhall elector', 'guildhall notifier', 'guildhall jobs', 'guildhall mail']),
        )
      const register = (name: number) =>
        guildhall.request('POST', '/v1/auth/register', { body: { username: `user${name}` } })
      for (let round = 0; round < 5; round += 1)
        await Promise.all([...Array.from({ length: 40 }, (_, turn) => register(round * 40 + turn)), look(), look()])
      await look()
    } finally {
      await guildhall.close()
    }
    const stated = await statedAlone()
    const atMost = (name: string): number =>
      name.startsWith(prefix) ? (stated.get(name.slice(prefix.length)) ?? 0) : 0
    expect([...seen].filter(([name, count]) => count > atMost(name))).toEqual([])
    expect(most).toBeLessThanOrEqual(connections_max)
    const { all, ...purposes } = Object.fromEntries(stated)
    expect(Object.values(purposes).reduce((sum, count) => sum + count, 0)).toBe(all)
    expect(all).toBe(connections_max)
    expect(seen.get('guildhall notifier')).toBe(1)
    expect(seen.get('guildhall elector')).toBe(1)
  })
})
