import { describe, expect, it } from 'vitest'
import { snapshotEvery_events } from '../../../application/aggregates/state-cache.ts'
import { noStream } from '../../../domain/kernel/position.ts'
import { streamName } from '../../../domain/streams.ts'
import { code } from '../../../domain/testing/people.ts'
import { context, creation, fixture, redemption } from './fixture.ts'

const stream = streamName('invite', code)

describe('snapshots', () => {
  async function longStream() {
    const given = fixture()
    const aggregate = given.invites()
    await aggregate.execute(code, creation(0), context())
    for (let number = 1; number <= snapshotEvery_events + 50; number += 1)
      await aggregate.execute(code, redemption(number), context())
    given.reads.length = 0
    const { state, revision } = await aggregate.load(code)
    return { ...given, newest: { state, revision } }
  }

  it('spare a new process everything except the tail', async () => {
    const { invites, reads, newest, snapshots } = await longStream()
    reads.length = 0
    expect(await invites().load(code)).toMatchObject(newest)
    expect(reads).toEqual([snapshotEvery_events - 1])
    expect(snapshots.rows.get(stream)).toMatchObject({ stateVersion: 1, revision: snapshotEvery_events - 1 })
  })

  it('of another version of the state are ignored, and replaced in time', async () => {
    const { invites, reads, newest, snapshots } = await longStream()
    reads.length = 0
    const newer = invites({}, 2)
    expect(await newer.load(code)).toMatchObject(newest)
    expect(reads).toEqual([noStream])
    await newer.execute(code, redemption(1000), context())
    expect(snapshots.rows.get(stream)).toMatchObject({ stateVersion: 2, revision: newest.revision + 1 })
  })

  it('are read again each time for a stream that does not exist: there is no state to keep', async () => {
    const { invites, reads, snapshots } = fixture()
    const aggregate = invites()
    let looks = 0
    const counted = invites({ snapshots: { ...snapshots, load: async () => void (looks += 1) } })
    for (const one of [aggregate, counted]) {
      expect(await one.load(code, 'cached')).toMatchObject({ revision: noStream })
      expect(await one.load(code, 'cached')).toMatchObject({ revision: noStream })
    }
    expect(reads).toEqual([noStream, noStream, noStream, noStream])
    expect(looks).toBe(2)
  })

  it('that are broken are ignored', async () => {
    const { invites, newest, snapshots } = await longStream()
    snapshots.rows.set(stream, { stateVersion: 1, revision: 150, state: '{"status":"cre' })
    expect(await invites().load(code)).toMatchObject(newest)
  })

  it('that cannot be written fail no command, and are reported', async () => {
    const { store, invites } = fixture()
    const failures: unknown[] = []
    const aggregate = invites({
      store,
      snapshots: {
        load: async () => undefined,
        forget: () => Promise.resolve(),
        save: () => Promise.reject(new Error('disk full')),
      },
      onSnapshotFailure: (failed, error) => failures.push([failed, error]),
    })
    await aggregate.execute(code, creation(0), context())
    for (let number = 1; number <= snapshotEvery_events; number += 1)
      await aggregate.execute(code, redemption(number), context())
    expect(failures).toEqual([[stream, new Error('disk full')]])
  })
})
