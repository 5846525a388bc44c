import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { roles } from '../../../process/roles/role.ts'
import { snapshotEvery_events } from '../../../application/aggregates/state-cache.ts'
import { runHere } from '../../cli/support/command-here.ts'
import { noteFault } from '../../support/fault-table.ts'
import {
  call,
  createGuild,
  createInvite,
  getGuild,
  register,
  type ApiRequest,
  type Person,
} from '../../support/load-api.ts'
import { laidDatabase, type TestDatabase } from '../../support/test-database.ts'
import { startTestGuildhall, type TestGuildhall } from '../../support/test-guildhall.ts'
import { divergentRows } from '../store-checks.ts'
import { historyInDouble, historyInPostgres, type Change, type PutBackHistory } from './put-back-history.ts'

const stores = [
  { row: 'F41a', name: 'Postgres', open: historyInPostgres },
  { row: 'F41b', name: 'EventStoreDB', open: () => historyInDouble() },
] as const

/** The reason with which a start refuses each change. */
const refusals: Readonly<Record<Change['kind'], string>> = {
  another: 'ReadModelsOfAnotherStore',
  'gone another way': 'EventStoreIsOlder',
  older: 'EventStoreIsOlder',
}

describe.each(stores)('read models beside $name with another history', ({ row, name, open }) => {
  const personalDataKey = randomBytes(32)
  let test: TestDatabase
  let history: PutBackHistory
  let guildhall: TestGuildhall | undefined

  beforeEach(async () => {
    test = await laidDatabase()
    history = await open(test)
  })
  afterEach(async () => {
    await guildhall?.close()
    await history.close()
    await test.close()
  })

  const start = (more: Pick<Parameters<typeof startTestGuildhall>[0] & object, 'roles'> = {}): Promise<TestGuildhall> =>
    startTestGuildhall({
      connection: test.connection,
      personalDataKey,
      ...(history.eventStoreUrl !== undefined && { eventStoreUrl: history.eventStoreUrl }),
      ...more,
    })

  /** The refusals of a start with all roles together and of one with each role alone; 'started' if it is not refused. */
  async function starts(): Promise<readonly string[]> {
    const outcomes: string[] = []
    for (const each of [roles, ...roles.map((role) => [role])]) {
      const outcome = await start({ roles: each }).then(
        async (started) => {
          await started.close()
          return 'started'
        },
        (error: unknown) => (error instanceof Error ? error.name : String(error)),
      )
      outcomes.push(outcome)
    }
    return outcomes
  }

  /** Makes one stream so long that it gets a snapshot. */
  async function renameOften(owner: Person, guild: string): Promise<void> {
    await Promise.all(
      Array.from({ length: snapshotEvery_events + 1 }, (_, count) =>
        call(guildhall?.url ?? '', renameGuild(owner, guild, `Name ${count}`)),
      ),
    )
    const kept = async (): Promise<number | null> =>
      (await test.database.pool.query('select from event_store.snapshots where stream = $1', [`guild-${guild}`]))
        .rowCount
    await expect.poll(kept).toBe(1)
  }

  it(`${row}: are refused by name by every role, and continue after they are rebuilt`, async () => {
    guildhall = await start()
    const owner = await call(guildhall.url, register('owner'))
    const { id } = await call(guildhall.url, createGuild(owner, 'Before'))
    const before = await guildhall.store.events.end()
    await renameOften(owner, id)
    const { textChannel } = await call(guildhall.url, getGuild(owner, id))
    await call(guildhall.url, createInvite(owner, textChannel, { max_uses: 1, max_age: 3600 }))
    await guildhall.close()
    guildhall = undefined

    const changes: readonly Change[] = [
      { kind: 'another' },
      { kind: 'gone another way', after: before },
      { kind: 'older', upTo: before },
    ]
    const outcomes: (readonly string[])[] = []
    for (const change of changes) {
      await history.change(change)
      outcomes.push(await starts())
    }
    const began = performance.now()
    const { host = '', port, user, database } = test.connection
    const replayed = await runHere(['replay'], {
      DATABASE_URL: `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
      PERSONAL_DATA_KEY: personalDataKey.toString('base64'),
      EVENTSTORE_URL: history.eventStoreUrl ?? '',
    })
    guildhall = await start()
    await call(guildhall.url, renameGuild(owner, id, 'Afterwards'))
    const stuck_s = (performance.now() - began) / 1000
    const divergent = (await divergentRows(guildhall.store)).length
    const started = outcomes.flat().filter((outcome) => outcome === 'started').length
    noteFault(row, {
      title: `read models of another history in ${name}`,
      runs: outcomes.flat().length,
      lost: 0,
      repeated: 0,
      reordered: 0,
      divergent: divergent + started,
      stuck_s,
      note: `${started} starts`,
    })
    expect(outcomes).toEqual(changes.map(({ kind }) => [roles, ...roles].map(() => refusals[kind])))
    expect(replayed).toMatchObject({ code: 0 })
    expect(divergent).toBe(0)
  })
})

function renameGuild({ token }: Person, guild: string, name: string): ApiRequest<void> {
  return { method: 'PATCH', path: `/v1/guilds/${guild}`, token, body: { name }, parse: () => undefined }
}
