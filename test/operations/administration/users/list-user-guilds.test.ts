import { describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { administrator } from '../../../support/administrators.ts'
import { accept, bodyOf, expectFields, expectRefusal, found, invite } from '../../support/answers.ts'
import { commandGuild } from '../../support/guilds.ts'
import { openServer } from '../../support/scene.ts'
import { entriesAbout, userReadsOf } from './support.ts'

const guildhall = await openServer()
const root = await administrator(guildhall, '*')
const reads = userReadsOf(guildhall, root)
const [ada, brian] = [await guildhall.register(), await guildhall.register()]

/** Brian's guilds in the order of their ids: two of his own, and Ada's among them. */
const first = await found(guildhall, brian, 'First')
const second = await found(guildhall, ada, 'Second')
bodyOf(await accept(guildhall, brian, await invite(guildhall, ada, second.channel)))
const third = await found(guildhall, brian, 'Third')
const foreign = await found(guildhall, ada, 'Foreign')

type Guild = Readonly<Record<string, unknown>>
const guilds = async (query = '') => bodyOf(await reads.below(brian, `guilds${query}`))['guilds'] as readonly Guild[]
const namesOf = async (query = '') => (await guilds(query)).map(({ name }) => name)

describe('List user guilds', () => {
  it('gives the guilds of the account in ascending order, each with its owner', async () => {
    expect((await guilds()).map(({ id }) => id)).toEqual([first.id, second.id, third.id])
    const { username } = bodyOf(await guildhall.request('GET', '/v1/users/@me', { token: ada.token }))
    expect((await guilds())[1]).toEqual({
      id: second.id,
      name: 'Second',
      features: expect.any(Array),
      owner_id: ada.id,
      owner_username: username,
      owner_global_name: null,
      owner_discriminator: expect.stringMatching(/^\d{4}$/),
      icon: null,
      banner: null,
      member_count: 2,
      nsfw_level: 0,
    })
  })
  it('has counts only for true, True and 1', async () => {
    for (const value of ['true', 'True', '1', '%20true%20'])
      expect((await guilds(`?with_counts=${value}`))[1]).toMatchObject({
        approximate_member_count: 2,
        approximate_presence_count: 0,
      })
    for (const value of ['TRUE', 'yes', '0', ''])
      expect((await guilds(`?with_counts=${value}`))[1]).not.toHaveProperty('approximate_member_count')
  })
  it('takes both cursors as the bounds of a window, and ignores one that names a guild the account is not in', async () => {
    expect(await namesOf(`?after=${first.id}`)).toEqual(['Second', 'Third'])
    expect(await namesOf(`?before=${third.id}`)).toEqual(['First', 'Second'])
    expect(await namesOf(`?after=${first.id}&before=${third.id}`)).toEqual(['Second'])
    expect(await namesOf(`?after=${third.id}&before=${first.id}`)).toEqual([])
    expect(await namesOf(`?after=${foreign.id}`)).toEqual(['First', 'Second', 'Third'])
    expect(await namesOf(`?after=${first.id}&before=${foreign.id}&limit=1`)).toEqual(['Second'])
    expect(await namesOf('?limit=2')).toEqual(['First', 'Second'])
  })
  it('shows guilds that are unavailable', async () => {
    const carol = await guildhall.register()
    const guild = await found(guildhall, carol, 'Late')
    await commandGuild(guildhall, guild.id, { type: 'SetFeatures', features: ['UNAVAILABLE_FOR_EVERYONE'] })
    const { guilds: list } = bodyOf(await reads.below(carol, 'guilds'))
    expect(list).toMatchObject([{ id: guild.id, features: ['UNAVAILABLE_FOR_EVERYONE'], member_count: 1 }])
  })
  it('is recorded with its bounds, and with the cursors that were given', async () => {
    const carol = await guildhall.register()
    await reads.below(carol, 'guilds')
    await reads.below(carol, `guilds?with_counts=1&limit=7&before=${first.id}&after=${third.id}`)
    expect((await entriesAbout(guildhall, carol)).map(({ action, metadata }) => [action, metadata])).toEqual([
      ['list_user_guilds', { limit: '200', with_counts: 'false', guild_count: '0' }],
      [
        'list_user_guilds',
        {
          limit: '7',
          with_counts: 'true',
          guild_count: '0',
          before_guild_id: first.id,
          after_guild_id: third.id,
        },
      ],
    ])
  })
  it.each([
    ['?limit=0', 'limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE'],
    ['?limit=201', 'limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE'],
    ['?limit=ten', 'limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE'],
    ['?before=none', 'before', 'INVALID_SNOWFLAKE_FORMAT'],
    ['?after=-1', 'after', 'INVALID_SNOWFLAKE_FORMAT'],
  ] as const)('refuses %s, also for an unknown account', async (query, path, code) => {
    expectFields(await reads.below({ id: '1' }, `guilds${query}`), field(path, code))
  })
  it('refuses an unknown account', async () => {
    expectRefusal(await reads.below({ id: '1' }, 'guilds'), 404, 'UNKNOWN_USER')
  })
})
