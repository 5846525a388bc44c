import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrate } from '../../adapters/postgres/migrate.ts'
import { readMigrations } from '../../adapters/postgres/migrations.ts'
import { openDatabase } from '../../adapters/postgres/database.ts'
import { readModelsFit, refuseAnotherStore, refuseOtherReadModels } from '../../process/read-models-fit.ts'
import { openStore, type Store } from '../../process/store.ts'
import { readModels } from '../../projections/read-models.ts'
import { rebuildAll } from '../../projections/runner/rebuild.ts'
import { startProjections } from '../../projections/runner/runner.ts'
import { appendEventsTo } from '../faults/append-events.ts'
import { divergentRows } from '../faults/store-checks.ts'
import { created, joined, left } from '../projections/support/people.ts'
import { migratedDatabase, type TestDatabase } from '../support/test-database.ts'

let test: TestDatabase
let store: Store

beforeEach(async () => {
  test = await migratedDatabase()
  store = await openStore({ connection: test.connection, personalDataKey: randomBytes(32), onError: () => undefined })
})
afterEach(async () => {
  await store.close()
  await test.close()
})

const rows = async (statement: string): Promise<readonly object[]> => (await test.database.pool.query(statement)).rows

/** Projects until the read models contain everything. */
async function project(): Promise<void> {
  const own = openDatabase(test.connection, { customPlans: true, holdsLocks: true })
  const errors: unknown[] = []
  const runner = await startProjections({
    pool: own.pool,
    notifier: store.notifier,
    store: store.events,
    projections: readModels,
    onCommitted: () => Promise.resolve(),
    onError: (error) => errors.push(error),
  })
  await runner.reached(await store.events.end())
  await runner.stop()
  await own.close()
  expect(errors).toEqual([])
}

/** Puts the store back to the state before a position, like a restored backup. */
const putBackTo = (position: number): Promise<readonly object[]> =>
  rows(`delete from event_store.events where position > ${position}`)

/** Three people join, and the last one leaves again: at least five events. */
async function something(number: number): Promise<void> {
  await appendEventsTo(store.events)(created(number), joined(number, 1), joined(number, 2), left(number, 1))
}

describe('read models and their event store', () => {
  it('fit if there is nothing yet, and after everything was projected', async () => {
    expect(await readModelsFit(store)).toBe(true)
    await something(1)
    await project()
    expect(await readModelsFit(store)).toBe(true)
    await something(2)
    await refuseOtherReadModels(store)
  })

  it('do not fit if the store was put back to an earlier state: the error says by how much, and what to run', async () => {
    await something(1)
    const end = Number(await store.events.end())
    await something(2)
    await project()
    const position = Number(await store.events.end())
    await putBackTo(end)
    await expect(refuseOtherReadModels(store)).rejects.toMatchObject({
      name: 'EventStoreIsOlder',
      message: expect.stringMatching(
        new RegExp(
          `come to position ${position}, and it ends at position ${end}, ${position - end} positions before them.*guildhall replay`,
        ),
      ),
    })
    expect(await refuseAnotherStore(store)).toMatchObject({ fit: 'older' })
  })

  it('do not fit if another event is at their position, because the store continued differently since', async () => {
    await something(1)
    await something(2)
    await project()
    const position = await store.events.end()
    await rows(`update event_store.events set event_id = gen_random_uuid() where position = ${position}`)
    await expect(refuseOtherReadModels(store)).rejects.toThrow('it has gone another way since')
  })

  it('do not fit if they come from another store, although an event is at their position', async () => {
    await something(1)
    await project()
    await rows('update event_store.events set event_id = gen_random_uuid()')
    await expect(refuseOtherReadModels(store)).rejects.toMatchObject({ name: 'ReadModelsOfAnotherStore' })
    await expect(refuseAnotherStore(store)).rejects.toThrow('check EVENTSTORE_URL')
  })

  it('fit again once all read models were rebuilt', async () => {
    await something(1)
    const end = Number(await store.events.end())
    await something(2)
    await project()
    await putBackTo(end)
    const signal = new AbortController().signal
    await rebuildAll({ pool: test.database.pool, store: store.events, projections: readModels, signal })
    await refuseOtherReadModels(store)
    await something(3)
    await project()
    expect(await divergentRows(store)).toEqual([])
  })

  /** The first migrations also run on a database that has their tables and no ledger. */
  const repeatable_count = 19

  it('still fit if an earlier version projected last, which recorded no event', async () => {
    await something(1)
    await project()
    await rows(
      `create table read_models.earlier as select schema, name, version, position from read_models.checkpoints`,
    )
    await rows(
      'drop view read_models.checkpoints; drop table read_models.own_checkpoints, read_models.joint_checkpoint',
    )
    await rows('alter table read_models.earlier rename to checkpoints; drop table read_models.origin')
    await rows('drop schema ledger cascade')
    await migrate({ ...test, migrations: (await readMigrations()).slice(0, repeatable_count) })
    expect(await readModelsFit(store)).toBe(true)
    await putBackTo(-1)
    await expect(refuseOtherReadModels(store)).rejects.toMatchObject({ name: 'ReadModelsOfAnotherStore' })
  })
})
