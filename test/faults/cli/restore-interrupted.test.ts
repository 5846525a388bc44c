import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../projections/support/world.ts'
import { placeKey, placeOfTest, type Place } from '../../cli/support/backup-scene.ts'
import { run } from '../../cli/support/command-process.ts'
import { instance } from '../../cli/support/instance.ts'

/** Each has five events: more than a restore writes at once. */
const people_count = 500
const events_count = 5 * people_count
/** A backup of so many events, which every test restores into a place of its own. */
let backup: string
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'gh-interrupted-'))
  backup = path.join(folder, 'backup')
  const dataDir = path.join(folder, 'data')
  await mkdir(dataDir)
  const many = await instance(placeKey)
  try {
    await many.storePeople(people_count)
    expect(await many.guildhall(['backup', backup], { environment: { DATA_DIR: dataDir } })).toMatchObject({ code: 0 })
  } finally {
    await many.close()
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function eventsIn(large: Place): Promise<number> {
  const [table] = await large.rows(`select to_regclass('event_store.events')::text as name`)
  if (table?.['name'] === null) return 0
  return Number((await large.rows('select count(*)::int as count from event_store.events'))[0]?.['count'])
}

/** The place is refused, and running the command again restores all of it. */
async function expectFinished(large: Place): Promise<void> {
  const started = await run(['start'], { ...large.environment, STATUS_PORT: '0' })
  expect(started.code).toBe(1)
  expect(started.said + started.output).toContain('run guildhall restore again with the same backup')
  // Postgres may still notice the end of the process.
  const locks = `select 1 from pg_locks l join pg_database d on d.oid = l.database
    where l.locktype = 'advisory' and d.datname = current_database()`
  await expect.poll(() => large.rows(locks)).toStrictEqual([])
  expect(await large.guildhall('restore', backup)).toMatchObject({ code: 0 })
  expect(await eventsIn(large)).toBe(events_count)
  expect(await large.rows(`select from pg_class where oid = to_regclass('ledger.unfinished_restore')`)).toHaveLength(0)
}

describe('a restore that ends by SIGKILL', () => {
  it('while events are written is refused at a start, and finished by running it again', async () => {
    const large = await placeOfTest()
    const killed = await run(['restore', backup], large.environment, {
      killWhen: () => until(async () => (await eventsIn(large)) > 0, 60_000),
    })
    expect(killed.code).toBe(null)
    expect(await large.rows('select tables from ledger.unfinished_restore')).toStrictEqual([{ tables: true }])
    await expectFinished(large)
  })

  it('while read models are built is refused at a start, and finished by running it again', async () => {
    const large = await placeOfTest()
    const building = `select from pg_namespace where nspname like '%accounts%'`
    const killed = await run(['restore', backup], large.environment, {
      killWhen: () => until(async () => (await large.rows(building)).length > 0, 60_000),
    })
    expect(killed.code).toBe(null)
    expect(killed.output).toContain('Now the read models are built')
    await expectFinished(large)
  })
})
