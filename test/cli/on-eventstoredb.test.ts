import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openEventStoreDb } from '../../adapters/event-store/eventstoredb/open-event-store.ts'
import type { RecordedEvent } from '../../application/ports/event-store.ts'
import { openStore, type Store } from '../../process/store.ts'
import { readModelsFit, refuseOtherReadModels } from '../../process/read-models-fit.ts'
import { readModels } from '../../projections/read-models.ts'
import { startProjections } from '../../projections/runner/runner.ts'
import { account } from '../projections/support/people.ts'
import { until } from '../projections/support/world.ts'
import { startEventStoreDouble, type EventStoreDouble } from '../support/eventstoredb-double/double.ts'
import { testDatabase } from '../support/test-database.ts'
import { exported, imported } from './support/history-files.ts'
import { instance, type Instance } from './support/instance.ts'
import { patience_ms } from '../support/pace.ts'

const personalDataKey = randomBytes(32)

let double: EventStoreDouble
let source: Instance
let target: Instance
let folder: string
beforeEach(async () => {
  double = await startEventStoreDouble()
  source = await instance(personalDataKey)
  folder = await mkdtemp(path.join(tmpdir(), 'gh-moved-'))
})
afterEach(async () => {
  await source.close()
  await double.close()
  await rm(folder, { recursive: true })
})

/** A file in the folder of the test that contains a history. */
async function fileOf(history: string): Promise<string> {
  const file = path.join(folder, 'moved.jsonl')
  await writeFile(file, history)
  return file
}

describe('a history that moves into EventStoreDB', () => {
  beforeEach(async () => {
    target = await instance(personalDataKey, { eventStoreUrl: double.url, withoutTables: true })
  })
  afterEach(() => target.close())

  it('serves every command there as it did before', async () => {
    await source.storePeople(40)
    const file = path.join(folder, 'history.jsonl')
    expect(await source.guildhall(['export', file, '--with-keys'])).toMatchObject({ code: 0 })
    const moved = await target.guildhall(['import', file])
    expect(moved).toMatchObject({ code: 0, output: '' })
    expect(moved.said).toContain('Imported 200 events and 40 keys; 0 events were there already.')
    expect(moved.said).toContain('This store assigns its own positions')

    // The first projector finds no read models, and builds them without publishing.
    expect(await target.project()).toEqual([])
    const end = await target.store.events.end()
    expect(await target.guildhall(['verify'])).toMatchObject({
      code: 0,
      output: `All ${readModels.length} read models equal what history makes of them, at position ${end}.\n`,
    })
    expect(await target.guildhall(['replay', 'accounts'])).toMatchObject({ code: 0 })
    const status = await target.guildhall(['projections'])
    expect(status.output.split('\n').filter((line) => line.includes(`${end}`))).toHaveLength(readModels.length)

    const shown = await target.spawned(['history', `account-${account(7)}`])
    expect(shown.output).toContain('AccountRegistered')
    expect(shown.output).not.toContain('example.org')
    const granted = await target.guildhall(['admin', 'grant', account(7), '*'])
    expect(granted).toMatchObject({ code: 0, output: `Account ${account(7)} now holds: *\n` })
    expect(await target.store.events.end()).toBeGreaterThan(end)

    const back = await target.spawned(['export', '--with-keys'])
    expect(back.said).toContain('Exported 202 events and 40 keys.')
    // Its positions are now those of EventStoreDB. It can continue anywhere except at an earlier state of its own with other
    // positions.
    await expect(imported(source, back.output)).rejects.toThrow('so import it into an empty one')
    const third = await instance(personalDataKey)
    expect(await imported(third, back.output)).toEqual({ found: 0, written: 202 })
    expect(await third.events()).toEqual(await target.events())
    await third.close()
  })

  it('continues after an import was killed', async () => {
    await source.storePeople(500)
    const whole = await exported(source)
    const killed = await target.spawned(['import'], {
      input: whole,
      killWhen: () => until(async () => double.log.events.length > 1200, patience_ms),
    })
    expect(killed.code).toBe(null)
    const again = await target.guildhall(['import', await fileOf(whole)])
    expect(again).toMatchObject({ code: 0 })
    const counts = /Imported (\d+) events and 500 keys; (\d+) events were there already/.exec(again.said)
    expect(Number(counts?.[1]) + Number(counts?.[2])).toBe(2500)
    expect(Number(counts?.[2])).toBeGreaterThan(1000)
    const withoutPositions = (events: readonly RecordedEvent[]) => events.map(({ position: _, ...event }) => event)
    expect(withoutPositions(await target.events())).toEqual(withoutPositions(await source.events()))
  })
})

describe('an instance whose events move out of its Postgres', () => {
  let moved: Store
  beforeEach(async () => {
    await source.storePeople(20)
    await source.project()
    moved = { ...source.store, ...(await onEventStoreDb()) }
  })
  afterEach(() => moved.close())

  const onEventStoreDb = async (): Promise<Pick<Store, 'events' | 'stored' | 'close'>> => {
    const events = await openEventStoreDb({ url: double.url, keys: source.store.keys })
    return { events, stored: events.stored, close: () => events.close() }
  }
  const environment = () => ({ environment: { EVENTSTORE_URL: double.url } })
  const publish = async () => {
    const published: RecordedEvent[] = []
    const errors: unknown[] = []
    const { pool } = moved.database
    const runner = await startProjections({
      pool,
      notifier: moved.notifier,
      store: moved.events,
      projections: readModels,
      onCommitted: async (events) => void published.push(...events),
      onError: (error) => errors.push(error),
    })
    await runner.reached(await moved.events.end())
    await runner.stop()
    expect(errors).toEqual([])
    return published
  }

  it('rebuilds its read models and starts publishing anew, and publishes nothing of the past', async () => {
    await source.rows(`insert into bus.publisher_checkpoints values ('nats', 100)`)
    await source.rows('update followers.checkpoints set position = 100')
    expect(await source.rows('select from followers.checkpoints')).not.toEqual([])
    const before = await source.rows('select id::text from accounts.accounts order by 1')
    const file = await exported(source)
    expect(await source.guildhall(['import', await fileOf(file)], environment())).toMatchObject({ code: 0 })
    expect(await source.rows('select * from bus.publisher_checkpoints')).toEqual([])
    expect(await source.rows('select * from followers.checkpoints')).toEqual([])
    expect(await source.rows('select * from read_models.checkpoints')).toEqual([])

    expect(await publish()).toEqual([])
    expect(await source.rows('select id::text from accounts.accounts order by 1')).toEqual(before)
    const end = await moved.events.end()
    expect(await source.rows('select distinct position::text from read_models.checkpoints')).toEqual([
      { position: `${end}` },
    ])
    await refuseOtherReadModels(moved)
    expect(await source.guildhall(['verify'], environment())).toMatchObject({ code: 0 })
  })

  it('is refused while its read models belong to the other store, in either direction', async () => {
    expect(await readModelsFit(source.store)).toBe(true)
    const nothing = refuseOtherReadModels(moved)
    await expect(nothing).rejects.toThrow('check EVENTSTORE_URL')
    // The state after an import beside another database: everything is there, and the read models know nothing of it.
    await imported({ stored: moved.stored }, await exported({ stored: source.stored }))
    await expect(refuseOtherReadModels(moved)).rejects.toMatchObject({ name: 'ReadModelsOfAnotherStore' })
    const again = await source.guildhall(['import', await fileOf(await exported(source))], environment())
    expect(again.said).toContain('Imported 0 events and 20 keys; 100 events were there already.')
    await refuseOtherReadModels(moved)
    await publish()
    await refuseOtherReadModels(moved)
    await expect(refuseOtherReadModels(source.store)).rejects.toThrow('check EVENTSTORE_URL')
  })
})

describe('an EventStoreDB that cannot be used', () => {
  it('is named with the setting, and without its password', async () => {
    const { port } = double
    const dead = await startEventStoreDouble()
    await dead.close()
    const unusable: readonly (readonly [string, RegExp])[] = [
      [`esdb://ada:s3cret@127.0.0.1:${dead.port}?tls=false`, /^EVENTSTORE_URL \(127\.0\.0\.1:\d+\): .*ECONNREFUSED/m],
      [`esdb://ada:s3cret@127.0.0.1:${port}`, /^EVENTSTORE_URL \(127\.0\.0\.1:\d+\): /m],
      ['esdb://ada:s3cret@127.0.0.1:2113?tls=maybe', /^EVENTSTORE_URL \(127\.0\.0\.1:2113\): .*can not be used/m],
    ]
    // In processes of their own, side by side, because each waits for the client to give up.
    const tried = unusable.map(async ([EVENTSTORE_URL, reason]) => {
      const ended = await source.spawned(['projections'], { environment: { EVENTSTORE_URL } })
      expect(ended).toMatchObject({ code: 1, output: '' })
      expect(ended.said).toMatch(reason)
      expect(ended.said).not.toContain('s3cret')
    })
    await Promise.all(tried)
  })

  it('leaves no connection open', async () => {
    const dead = await startEventStoreDouble()
    await dead.close()
    const { connection, database, close } = await testDatabase()
    const opened = openStore({ connection, personalDataKey, eventStoreUrl: dead.url, onError: () => undefined })
    await expect(opened).rejects.toThrow('EVENTSTORE_URL')
    const others = async () => {
      const { rows } = await database.pool.query(
        'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
      return rows
    }
    await expect.poll(others).toEqual([])
    await close()
  })
})
