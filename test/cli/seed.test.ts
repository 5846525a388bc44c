import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RecordedEvent } from '../../application/ports/event-store.ts'
import { account, registered } from '../projections/support/people.ts'
import { chanceOf } from '../../cli/seed/chance.ts'
import { eachOf } from '../../cli/seed/pace.ts'
import { wishOf } from '../../cli/seed/seed-wish.ts'
import { streamName } from '../../domain/streams.ts'
import { happens } from './support/happenings.ts'
import { instance, type Instance } from './support/instance.ts'

const small = ['--members', '30', '--messages', '40', '--channels', '3', '--until', '2026-06-01T00:00Z'] as const

/** The events without what is sealed with their own keys, in no order of streams. */
function told(events: readonly RecordedEvent[]): readonly string[] {
  return events
    .filter(({ type }) => type !== 'AdminActionRecorded')
    .map(({ stream, revision, type, data, metadata: { eventId } }) =>
      JSON.stringify({ stream, revision, type, data, eventId }),
    )
    .filter((event) => !event.includes('HandleClaimed'))
    .toSorted()
}

describe('seed', () => {
  let the: Instance

  beforeEach(async () => {
    the = await instance()
  })
  afterEach(() => the.close())

  const counts = async () => {
    const [row] = await the.rows(`select
      (select count(*)::int4 from accounts.accounts) as accounts,
      (select count(*)::int4 from members.members) as members,
      (select count(*)::int4 from invites.invites) as invites,
      (select count(*)::int4 from unfinished.steps) as unfinished,
      (select count(*)::int4 from messages.messages) as messages,
      (select count(distinct channel_id)::int4 from messages.messages) as channels`)
    return row
  }

  it('fills an instance that no server runs on with a history that its read models match', async () => {
    await the.close()
    the = await instance(undefined, { withoutTables: true })
    const { code, output, said } = await the.spawned(['seed', ...small, '--name', 'Seedbed'])
    expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining('100 %, 71 of 71') })
    expect(output).toMatch(/^Guild \d+ \(Seedbed\) of account \d+: 31 members, 6 roles,\n7 channels and 40 messages/)
    await the.project()
    const [invite] = await the.rows('select code, max_uses, max_age from invites.invites')
    expect(invite).toStrictEqual({ code: /accept the invite (\w+)/.exec(output)?.[1], max_uses: 0, max_age: 0 })
    const made = { accounts: 31, members: 31, invites: 1, unfinished: 0, messages: 40 }
    expect(await counts()).toMatchObject({ ...made, channels: expect.any(Number) })
    expect(await the.guildhall(['verify'])).toMatchObject({ code: 0 })
    const [{ uses } = {}] = await the.rows('select uses from invites.invites')
    expect(uses).toBe(30)
  })

  it('creates the same from the same seed and instant, and something else from another seed', async () => {
    const seeded = (each: Instance, seed: string) => each.guildhall(['seed', ...small, '--seed', seed])
    expect(await seeded(the, '7')).toMatchObject({ code: 0 })
    const first = told(await the.events())
    const content = async (each: Instance) =>
      each.rows('select id, channel_id, author_id, content from messages.messages order by id')
    const messages = await content(the)
    const [same, other] = [await instance(), await instance()]
    try {
      expect(await seeded(same, '7')).toMatchObject({ code: 0 })
      expect(told(await same.events())).toStrictEqual(first)
      expect(await content(same)).toStrictEqual(messages)
      expect(await seeded(other, '8')).toMatchObject({ code: 0 })
      expect(told(await other.events())).not.toStrictEqual(first)
    } finally {
      await same.close()
      await other.close()
    }
  })

  it('gives the guild to the named account, and fills again from the same seed beside what is there', async () => {
    const owner = account(1)
    await happens(the.store.events, streamName('account', owner), registered(1))
    const options = ['--members', '3', '--messages', '0', '--channels', '0', '--owner', owner]
    for (const seed of ['1', '1'])
      expect(await the.guildhall(['seed', ...options, '--seed', seed])).toMatchObject({ code: 0 })
    await the.project()
    expect(await the.rows('select owner_id::text as owner from guilds.guilds')).toStrictEqual([{ owner }, { owner }])
    expect(await counts()).toMatchObject({ accounts: 7, members: 8, messages: 0 })
  })

  it('is refused for an unknown account, and changes nothing', async () => {
    await the.project()
    const ended = await the.guildhall(['seed', '--owner', 'nobody#1234'])
    expect(ended).toMatchObject({ code: 1, said: expect.stringContaining('There is no account nobody#1234') })
    expect(await the.events()).toStrictEqual([])
  })
})

describe('the parts of seeding', () => {
  const options = { members: '1', messages: '1', channels: '1', name: 'Home', seed: '1' }

  it.each([
    [{ members: '-1' }, '--members -1 is not a number from 0 to 1000000'],
    [{ messages: '1e3' }, '--messages 1e3 is not a number from 0 to 10000000'],
    [{ channels: '497' }, '--channels 497 is not a number from 0 to 496'],
    [{ until: 'soon' }, '--until soon is not an instant'],
    [{ until: '2015-06-29' }, '--until 2015-06-29 is not from 2015-06-30T00:00:00.000Z to 2084-09-06T15:47:35.551Z'],
    [{ until: '2085-01-01' }, '--until 2085-01-01 is not from 2015-06-30'],
    [{ name: '' }, '--name must have 1 to 100 characters'],
  ])('refuses %j', (wrong, said) => {
    expect(() => wishOf({ ...options, ...wrong })).toThrow(said)
  })

  it('draws the same from the same seed, and evenly', () => {
    const [one, other] = [chanceOf(5), chanceOf(5)]
    const drawn = Array.from({ length: 10_000 }, () => one.below(10))
    expect(drawn).toStrictEqual(Array.from({ length: 10_000 }, () => other.below(10)))
    for (let number = 0; number < 10; number += 1) {
      expect(drawn.filter((each) => each === number).length).toBeGreaterThan(800)
    }
  })

  it('does a limited number of things at once, begins none after a failure, and ends once all are over', async () => {
    const { signal } = new AbortController()
    let [atWork, most, begun] = [0, 0, 0]
    const numbers = Array.from({ length: 20 }, (_, number) => number)
    const work = eachOf(numbers, { atOnce: 4, signal }, async (number) => {
      begun += 1
      atWork += 1
      most = Math.max(most, atWork)
      await Promise.resolve()
      atWork -= 1
      if (number === 7) throw new Error('the seventh')
    })
    await expect(work).rejects.toThrow('the seventh')
    expect(most).toBe(4)
    expect(atWork).toBe(0)
    expect(begun).toBeLessThan(13)
  })
})
