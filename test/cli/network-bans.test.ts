import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { networkBanQueries } from '../../projections/network-bans/queries.ts'
import { instance, type Instance } from './support/instance.ts'

let site: Instance

describe('guildhall ban-ip, unban-ip and ip-bans', () => {
  beforeEach(async () => {
    site = await instance()
  })
  afterEach(() => site.close())

  it('ban an address, forever or for some hours, show it, and unban it', async () => {
    const forGood = await site.spawned(['ban-ip', '203.0.113.7', '--reason', 'spam'])
    expect(forGood).toMatchObject({ code: 0, output: '203.0.113.7/32 is banned until the ban is lifted\n' })
    const forHours = await site.guildhall(['ban-ip', '2001:db8::5', '--hours', '48'])
    const [, until = ''] = /^2001:db8:0:0::\/64 is banned until (\S+Z)\n$/.exec(forHours.output) ?? []
    expect(Math.round((Date.parse(until) - Date.now()) / 3_600_000)).toBe(48)
    await site.project()
    const { output } = await site.spawned(['ip-bans'])
    expect(output.split('\n')).toStrictEqual([
      expect.stringMatching(/^203\.0\.113\.7\/32 {2}since \S+Z {2}for good {2}spam$/),
      expect.stringMatching(/^2001:db8:0:0::\/64 {2}since \S+Z {2}until \S+Z {2}no reason given$/),
      '',
    ])
    const lifted = await site.spawned(['unban-ip', '2001:db8:0:0::/64'])
    expect(lifted).toMatchObject({ code: 0, output: 'The ban of 2001:db8:0:0::/64 is lifted\n' })
    await site.guildhall(['unban-ip', '203.0.113.7'])
    expect(await site.guildhall(['unban-ip', '203.0.113.7'])).toMatchObject({
      code: 0,
      output: '203.0.113.7/32 was not banned: nothing has changed\n',
    })
    await site.project()
    expect((await site.guildhall(['ip-bans'])).output).toBe('Nobody is banned.\n')
    const bans = (await site.events()).filter(({ type }) => type !== 'AdminActionRecorded')
    expect(bans.map(({ metadata }) => metadata.actor)).toStrictEqual(
      Array.from({ length: 4 }, () => ({ kind: 'system', name: 'command line' })),
    )
  })

  it('show no ended ban, and the newest first', async () => {
    for (const host of [1, 2, 3]) await site.guildhall(['ban-ip', `203.0.113.${host}`, '--hours', '1'])
    await site.project()
    const { holding, changes } = networkBanQueries(site.store.database)
    const now_ms = Date.now()
    expect((await holding(timestamp(now_ms), 2)).map(({ network }) => network)).toStrictEqual([
      '203.0.113.3/32',
      '203.0.113.2/32',
    ])
    expect(await changes()).toBe(3)
    expect(await holding(timestamp(now_ms + 3_600_000), 10)).toStrictEqual([])
  })
})

describe('guildhall ban-ip and unban-ip', () => {
  beforeAll(async () => {
    site = await instance()
  })
  afterAll(() => site.close())

  it.each([
    [['ban-ip', 'example.org'], 'example.org is not an address'],
    [['ban-ip', '203.0.113.0/24'], '203.0.113.0/24 is not an address'],
    [['ban-ip', '127.0.0.1'], '127.0.0.1 is private or a trusted proxy'],
    [['ban-ip', '198.51.100.9'], '198.51.100.9 is private or a trusted proxy'],
    [['ban-ip', '203.0.113.7', '--hours', '0'], '--hours is a whole number'],
    [['ban-ip', '203.0.113.7', '--hours', '1.5'], '--hours is a whole number'],
    [['ban-ip', '203.0.113.7', '--reason', ' '], '--reason is 1 to 1024 characters'],
    [['unban-ip', 'everybody'], 'everybody is not an address'],
  ])('refuse %j, and change nothing', async (words, said) => {
    const ended = await site.guildhall(words, { environment: { TRUSTED_PROXIES: '198.51.100.0/24' } })
    expect(ended).toMatchObject({ code: 1, output: '' })
    expect(ended.said).toContain(said)
    expect(await site.events()).toStrictEqual([])
  })
})
