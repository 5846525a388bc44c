import { describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { administrator } from '../../../support/administrators.ts'
import { bodyOf, expectFields, expectRefusal } from '../../support/answers.ts'
import { deletionIsDue, erase } from '../../support/erasure.ts'
import { sent } from '../../support/messages.ts'
import { befriend } from '../../support/relationships.ts'
import { openServer } from '../../support/scene.ts'
import {
  openChannelsOf,
  openDirect,
  openGroup,
  privateChannelsOn,
} from '../../conversations/private-channels/support.ts'
import { entriesAbout, userReadsOf } from './support.ts'

const guildhall = await openServer()
const root = await administrator(guildhall, '*')
const reads = userReadsOf(guildhall, root)
const ada = await guildhall.register()
const [brian, carol, dora] = [await guildhall.register(), await guildhall.register(), await guildhall.register()]
for (const friend of [brian, carol, dora]) await befriend(guildhall, ada, friend)
const withBrian = await openDirect(guildhall, ada, brian)
const withCarol = await openDirect(guildhall, carol, ada)
const withDora = await openDirect(guildhall, ada, dora)
const group = await openGroup(guildhall, ada, brian, carol)

type Channel = Readonly<Record<string, unknown>>
const channels = async (query = '') =>
  bodyOf(await reads.below(ada, `dm-channels${query}`))['channels'] as readonly Channel[]
const idsOf = async (query = '') => (await channels(query)).map((channel) => channel['channel_id'])
const ascending = [withBrian, withCarol, withDora].toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))
const [oldest = '', middle = '', newest = ''] = ascending

describe('List user direct message channels', () => {
  it('gives direct messages with their recipients and their last message', async () => {
    const message = await sent(guildhall, ada, withBrian, 'Hello')
    const tag = bodyOf(await guildhall.request('GET', '/v1/users/@me', { token: brian.token }))
    const found = (await channels()).find((channel) => channel['channel_id'] === withBrian)
    expect(found).toEqual({
      channel_id: withBrian,
      channel_type: 1,
      channel_nsfw: false,
      guild_nsfw_level: null,
      recipient_ids: [ada.id, brian.id],
      recipients: [
        expect.objectContaining({ id: ada.id }),
        {
          id: brian.id,
          username: tag['username'],
          discriminator: tag['discriminator'],
          global_name: tag['global_name'],
          avatar: null,
        },
      ],
      last_message_id: message,
      is_open: true,
      name: null,
      icon: null,
      owner_id: null,
    })
  })
  it('gives the newest first, or those after a cursor oldest first, so that the last one is the next cursor', async () => {
    expect(await idsOf()).toEqual([newest, middle, oldest])
    expect(await idsOf('?type=dm&limit=2')).toEqual([newest, middle])
    expect(await idsOf(`?before=${middle}`)).toEqual([oldest])
    expect(await idsOf(`?before=${oldest}`)).toEqual([])
    expect(await idsOf(`?after=${oldest}&limit=1`)).toEqual([middle])
    expect(await idsOf(`?after=${oldest}`)).toEqual([middle, newest])
  })
  it('lists a closed one too, and leaves it closed', async () => {
    bodyOf(await privateChannelsOn(guildhall).close(ada, withDora))
    expect(await idsOf()).toContain(withDora)
    const closed = (await channels()).find((channel) => channel['channel_id'] === withDora)
    expect(closed).toMatchObject({ is_open: false })
    expect(await openChannelsOf(guildhall, ada)).not.toContain(withDora)
  })
  it('gives all groups of the account, whatever the cursor and the limit', async () => {
    for (const query of ['', `&before=1`, `&after=${group}`, '&limit=1'])
      expect(await channels(`?type=group_dm${query}`)).toMatchObject([
        { channel_id: group, channel_type: 3, owner_id: ada.id, is_open: true, name: null },
      ])
    expect(bodyOf(await reads.below(dora, 'dm-channels?type=group_dm'))).toEqual({ channels: [] })
  })
  it('shows a recipient whose account is erased as a deleted one', async () => {
    const [one, gone] = [await guildhall.register(), await guildhall.register()]
    await befriend(guildhall, one, gone)
    const channel = await openDirect(guildhall, one, gone)
    await deletionIsDue(guildhall, gone)
    expect(await erase(guildhall, gone)).toBe(true)
    expect(bodyOf(await reads.below(one, 'dm-channels'))['channels']).toMatchObject([
      { channel_id: channel, recipients: [{ id: one.id }, { id: gone.id, username: 'DeletedUser' }] },
    ])
  })
  it('is recorded with its type, and for direct messages with the limit and the cursor', async () => {
    const eve = await guildhall.register()
    await reads.below(eve, 'dm-channels')
    await reads.below(eve, 'dm-channels?before=5&limit=3')
    await reads.below(eve, 'dm-channels?after=6')
    await reads.below(eve, 'dm-channels?type=group_dm&after=6')
    const entries = await entriesAbout(guildhall, eve)
    expect(entries.map(({ action }) => action)).toEqual(Array.from({ length: 4 }, () => 'list_user_dm_channels'))
    expect(entries.map(({ metadata }) => metadata)).toEqual([
      { type: 'dm', channel_count: '0', limit: '50' },
      { type: 'dm', channel_count: '0', limit: '3', before_channel_id: '5' },
      { type: 'dm', channel_count: '0', limit: '50', after_channel_id: '6' },
      { type: 'group_dm', channel_count: '0' },
    ])
  })
  it.each(['', '&type=group_dm'])('refuses both cursors%s, also for an unknown account', async (type) => {
    const answer = await reads.below({ id: '1' }, `dm-channels?before=1&after=2${type}`)
    expectFields(answer, field('before', 'CANNOT_SPECIFY_BOTH_BEFORE_AND_AFTER'))
  })
  it.each(['type=notes', 'type=', 'limit=0', 'limit=201', 'before=none', 'after=none'])('refuses %s', async (query) => {
    expectRefusal(await reads.below(ada, `dm-channels?${query}`), 400, 'INVALID_FORM_BODY')
  })
  it('refuses an unknown account', async () => {
    expectRefusal(await reads.below({ id: '1' }, 'dm-channels'), 404, 'UNKNOWN_USER')
  })
})
