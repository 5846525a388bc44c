import { describe, expect, it } from 'vitest'
import { aggregateOf } from '../../../application/aggregates/aggregates.ts'
import { attempts_max } from '../../../application/aggregates/execute.ts'
import { Refused } from '../../../application/commands/refused.ts'
import type { EventStore } from '../../../application/ports/event-store.ts'
import { beforeAll as beforeAllEvents, noStream } from '../../../domain/kernel/position.ts'
import type { CreateGuild } from '../../../domain/guild/commands.ts'
import { guild } from '../../../domain/guild/guild.ts'
import { streamName } from '../../../domain/streams.ts'
import { collect } from '../../contract/sample-events.ts'
import { ada, code, home, homeLayout, start } from '../../../domain/testing/people.ts'
import { context, creation, fixture, redemption } from './fixture.ts'

const stream = streamName('invite', code)
const refusedWith = (refusalCode: string) =>
  expect.objectContaining({ refusal: expect.objectContaining({ code: refusalCode }) })

describe('executing a command', () => {
  it('appends its events and tells the context how far it wrote', async () => {
    const { store, invites } = fixture()
    const given = context()
    expect(given.written).toBe(beforeAllEvents)
    const executed = await invites().execute(code, creation(10), given)
    expect(executed).toMatchObject({ changed: true, revision: 0, state: { status: 'created', uses: 0 } })
    expect(executed.appended).toMatchObject([{ type: 'InviteCreated' }])
    expect(given.written).toBe(await store.end())
    const [event] = await collect(store.readStream(stream, noStream))
    expect(event).toMatchObject({ type: 'InviteCreated', metadata: { at: start, causationId: given.commandId } })
  })

  it('of a refused command rejects with the refusal and appends nothing', async () => {
    const { invites, appends } = fixture()
    const given = context()
    await expect(invites().execute(code, redemption(1), given)).rejects.toThrow(refusedWith('UNKNOWN_INVITE'))
    await expect(invites().execute(code, redemption(1), given)).rejects.toBeInstanceOf(Refused)
    expect(appends).toEqual([])
    expect(given.written).toBe(beforeAllEvents)
  })

  it('reads a stream once, and then works from the state that it has', async () => {
    const { invites, reads, appends } = fixture()
    const aggregate = invites()
    await aggregate.execute(code, creation(0), context())
    for (let number = 1; number <= 20; number += 1) await aggregate.execute(code, redemption(number), context())
    expect(reads).toEqual([noStream])
    expect(appends).toHaveLength(21)
  })

  it('reads the stream again after a failed append, since its outcome is unknown', async () => {
    const { store, invites, reads } = fixture()
    let broken = false
    const breaking: EventStore = {
      ...store,
      async append(...appended) {
        const result = await store.append(...appended)
        if (broken) throw new Error('the connection broke after the append')
        return result
      },
    }
    const aggregate = invites({ store: breaking })
    await aggregate.execute(code, creation(1), context())
    broken = true
    await expect(aggregate.execute(code, redemption(1), context())).rejects.toThrow('the connection broke')
    broken = false
    await expect(aggregate.execute(code, redemption(2), context())).rejects.toThrow(refusedWith('UNKNOWN_INVITE'))
    expect(reads.filter((after) => after === noStream)).toHaveLength(2)
  })
})

describe('when another process has appended', () => {
  it('reads only the tail that is missing, and decides again', async () => {
    const { invites, reads } = fixture()
    const conflicts: string[] = []
    const [one, other] = [invites({ onConflict: (conflicting) => conflicts.push(conflicting) }), invites()]
    await one.execute(code, creation(0), context())
    await other.execute(code, redemption(1), context())
    reads.length = 0
    expect(await one.execute(code, redemption(2), context())).toMatchObject({
      changed: true,
      revision: 2,
      state: { uses: 2 },
    })
    expect(reads).toEqual([0])
    expect(conflicts).toEqual([stream])
  })

  it('a load returns its events too', async () => {
    const { invites } = fixture()
    const [one, other] = [invites(), invites()]
    await one.execute(code, creation(0), context())
    await other.execute(code, redemption(1), context())
    expect(await one.load(code)).toMatchObject({ revision: 1, state: { uses: 1 } })
  })

  it('a refusal by the older state is decided again', async () => {
    const { invites } = fixture()
    const [one, other] = [invites(), invites()]
    await one.execute(code, creation(1), context())
    await one.execute(code, redemption(1), context())
    await other.execute(code, { type: 'ReturnRedemption', redemptionId: 'redemption 1' }, context())
    expect(await one.execute(code, redemption(2), context())).toMatchObject({ changed: true, state: { uses: 1 } })
  })

  it('a command that changes nothing on the older state is decided again', async () => {
    const { invites } = fixture()
    const [one, other] = [invites(), invites()]
    await one.execute(code, creation(1), context())
    await other.execute(code, redemption(1), context())
    const returning = { type: 'ReturnRedemption', redemptionId: 'redemption 1' } as const
    expect(await one.execute(code, returning, context())).toMatchObject({
      changed: true,
      revision: 2,
      state: { uses: 0 },
    })
    expect(await one.execute(code, returning, context())).toMatchObject({ changed: false, revision: 2 })
  })

  it('a command that finds its work done reports the position of that work, and that it wrote nothing itself', async () => {
    const { store, invites } = fixture()
    const [one, other] = [invites(), invites()]
    await one.execute(code, creation(1), context())
    await other.execute(code, redemption(1), context())
    const given = context()
    expect(await one.execute(code, redemption(1), given)).toMatchObject({
      changed: false,
      repeated: false,
      appended: [],
    })
    expect(given).toMatchObject({ written: beforeAllEvents, settled: await store.end() })
  })

  it('a refusal by the newer state is final', async () => {
    const { invites } = fixture()
    const [one, other] = [invites(), invites()]
    await one.execute(code, creation(1), context())
    await other.execute(code, redemption(1), context())
    await expect(one.execute(code, redemption(2), context())).rejects.toThrow(refusedWith('UNKNOWN_INVITE'))
  })

  it('every time, the command gives up after a bounded number of attempts with CONFLICT', async () => {
    const { store, invites } = fixture()
    const other = invites()
    await other.execute(code, creation(0), context())
    let number = 100
    const overtaken: EventStore = {
      ...store,
      async append(...appended) {
        number += 1
        await other.execute(code, redemption(number), context())
        return store.append(...appended)
      },
    }
    const conflicts: string[] = []
    const one = invites({ store: overtaken, onConflict: (conflicting) => conflicts.push(conflicting) })
    await expect(one.execute(code, redemption(1), context())).rejects.toThrow(refusedWith('CONFLICT'))
    expect(conflicts).toHaveLength(attempts_max)
    expect(await invites().load(code)).toMatchObject({ revision: attempts_max, state: { uses: attempts_max } })
  })
})

describe('a command that is sent again', () => {
  it('appends nothing and returns the same position, even if the stream has moved on', async () => {
    const { store, invites, appends } = fixture()
    const aggregate = invites()
    await aggregate.execute(code, creation(0), context())
    const first = context()
    await aggregate.execute(code, redemption(1), first)
    await aggregate.execute(code, redemption(2), context())
    appends.length = 0
    for (const repeater of [aggregate, invites()]) {
      const again = context({ commandId: first.commandId, mayRepeat: true })
      expect(await repeater.execute(code, redemption(1), again)).toMatchObject({
        changed: false,
        revision: 2,
        state: { uses: 2 },
      })
      expect(again.written).toBe(first.written)
    }
    expect(appends).toEqual([])
    expect(await collect(store.readStream(stream, noStream))).toHaveLength(3)
  })

  it('tells the position of the last of its events, and how many they are', async () => {
    const { store, snapshots } = fixture()
    const command: CreateGuild = {
      type: 'CreateGuild',
      guildId: home,
      name: 'Home',
      ownerId: ada,
      features: [],
      layout: homeLayout,
      now: start,
    }
    const guilds = () => aggregateOf(guild, { store, snapshots })
    const first = context()
    const created = await guilds().execute(home, command, first)
    expect(created.revision).toBeGreaterThan(0)
    expect(created.appended).toHaveLength(created.revision + 1)
    await guilds().execute(home, { type: 'ChangeSettings', settings: { nsfw: true } }, context())
    const again = context({ commandId: first.commandId, mayRepeat: true })
    expect(await guilds().execute(home, command, again)).toMatchObject({
      changed: false,
      revision: created.revision + 1,
      appended: created.appended,
    })
    expect(again.written).toBe(first.written)
  })

  it('runs as a new one if the earlier try wrote nothing', async () => {
    const { invites } = fixture()
    const again = context({ mayRepeat: true })
    expect(await invites().execute(code, creation(1), again)).toMatchObject({ changed: true, revision: 0 })
    expect(again.written).toBeGreaterThan(beforeAllEvents)
  })

  it('at the same moment through two processes takes effect once', async () => {
    const { store, invites } = fixture()
    await invites().execute(code, creation(0), context())
    const { commandId } = context()
    const tries = [invites(), invites(), invites()].map((aggregate) => {
      const given = context({ commandId, mayRepeat: true })
      return aggregate.execute(code, redemption(1), given).then(({ changed }) => ({ changed, written: given.written }))
    })
    const results = await Promise.all(tries)
    expect(results.filter(({ changed }) => changed)).toHaveLength(1)
    expect(new Set(results.map(({ written }) => written))).toEqual(new Set([await store.end()]))
    expect(await collect(store.readStream(stream, noStream))).toHaveLength(2)
  })
})

describe('many commands at once', () => {
  it.each([
    ['one process', 1],
    ['4 processes', 4],
    ['64 processes', 64],
  ])('of 64 accounts in %s, on an invite with max_uses 10, let exactly 10 in', async (_, processes) => {
    const { store, invites } = fixture()
    await invites().execute(code, creation(10), context())
    const redeeming = Array.from({ length: processes }, () => invites()).flatMap((aggregate, process) =>
      Array.from({ length: 64 / processes }, (_account, number) =>
        aggregate.execute(code, redemption(process + number * processes), context()),
      ),
    )
    const results = await Promise.allSettled(redeeming)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toEqual(refusedWith('UNKNOWN_INVITE'))
    }
    const events = await collect(store.readStream(stream, 0))
    expect(events.map(({ data }) => ('uses' in data ? data.uses : undefined))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('of one process never conflict with each other', async () => {
    const { invites } = fixture()
    const conflicts: string[] = []
    const aggregate = invites({ onConflict: (conflicting) => conflicts.push(conflicting) })
    await aggregate.execute(code, creation(0), context())
    await Promise.all(Array.from({ length: 30 }, (_, number) => aggregate.execute(code, redemption(number), context())))
    expect(conflicts).toEqual([])
  })
})
