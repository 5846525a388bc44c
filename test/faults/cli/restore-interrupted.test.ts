import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../projections/support/world.ts'
import { placeKey, placeOfTest, type Place } from '../../cli/support/backup-scene.ts'
import { run } from '../../cli/support/command-process.ts'
import { instance } from '../../cli/support/instance.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** A backup of 4,000 events, and an empty place to restore it into. */
async function largeBackup(): Promise<{ readonly backup: string; readonly large: Place }> {
  const folder = await temporaryFolder('interrupted')
  const large = await placeOfTest()
  const many = await instance(placeKey)
  onTestFinished(() => many.close())
  await many.storePeople(800)
  const backup = path.join(folder, 'backup')
  expect(await many.guildhall(['backup', backup], { environment: { DATA_DIR: large.dataDir } })).toMatchObject({
    code: 0,
  })
  return { backup, large }
}

async function eventsIn(large: Place): Promise<number> {
  const [table] = await large.rows(`select to_regclass('event_store.events')::text as name`)
  if (table?.['name'] === null) return 0
  return Number((await large.rows('select count(*)::int as count from event_store.events'))[0]?.['count'])
}

/** The place is refused, and running the command again restores all of it. */
async function expectFinished(backup: string, large: Place): Promise<void> {
  const started = await run(['start'], { ...large.environment, STATUS_PORT: '0' })
  expect(started.code).toBe(1)
  expect(started.said + started.output).toContain('run guildhall restore again with the same backup')
  // Postgres may still notice the end of the process.
  const locks = `select 1 from pg_locks l join pg_database d on d.oid = l.database
    where l.locktype = 'advisory' and d.datname = current_database()`
  await expect.poll(() => large.rows(locks)).toStrictEqual([])
  expect(await large.guildhall('restore', backup)).toMatchObject({ code: 0 })
  expect(await eventsIn(large)).toBe(4000)
  expect(await large.rows(`select from pg_class where oid = to_regclass('ledger.unfinished_restore')`)).toHaveLength(0)
}

describe('a restore that ends by SIGKILL', () => {
  it('while events are written is refused at a start, and finished by running it again', async () => {
    const { backup, large } = await largeBackup()
    const killed = await run(['restore', backup], large.environment, {
      killWhen: () => until(async () => (await eventsIn(large)) > 0, 60_000),
    })
    expect(killed.code).toBe(null)
    expect(await large.rows('select tables from ledger.unfinished_restore')).toStrictEqual([{ tables: true }])
    await expectFinished(backup, large)
  })

  it('while read models are built is refused at a start, and finished by running it again', async () => {
    const { backup, large } = await largeBackup()
    const building = `select from pg_namespace where nspname like '%accounts%'`
    const killed = await run(['restore', backup], large.environment, {
      killWhen: () => until(async () => (await large.rows(building)).length > 0, 60_000),
    })
    expect(killed.code).toBe(null)
    expect(killed.output).toContain('Now the read models are built')
    await expectFinished(backup, large)
  })
})
