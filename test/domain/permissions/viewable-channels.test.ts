import { describe, expect, it } from 'vitest'
import { channelTypes, type Channel, type ChannelType } from '../../../domain/guild/channel.ts'
import { plainChannel } from '../../../domain/guild/layout.ts'
import { firstTextChannel } from '../../../domain/permissions/first-text-channel.ts'
import { heldRoles } from '../../../domain/permissions/held-roles.ts'
import { canView, needsThreads, viewableChannels } from '../../../domain/permissions/viewable-channels.ts'
import { ada, channel, everyone, grace, home, role } from '../../../domain/testing/people.ts'
import { VIEW_CHANNEL } from '../guild/channel-sentences.ts'

const hidden = [{ id: everyone, type: 0, allow: '0', deny: VIEW_CHANNEL.toString() }] as const
const shown = [{ id: role(1), type: 0, allow: VIEW_CHANNEL.toString(), deny: '0' }] as const

function made(number: number, type: ChannelType, parentId: Channel['parentId'], overwrites = [...hidden]): Channel {
  return { ...plainChannel, id: channel(number), type, name: `c${number}`, position: number, parentId, overwrites }
}

const category = made(1, channelTypes.category, null)
const text = made(2, channelTypes.text, category.id)
const empty = made(3, channelTypes.category, null)
const lobby = made(4, channelTypes.text, null, [])
const forums = made(5, channelTypes.category, null)
const forum = made(6, channelTypes.forum, forums.id, [])
const media = made(7, channelTypes.media, forums.id, [])
const channels = [category, text, empty, lobby, forums, forum, media]
const guild = {
  id: home,
  ownerId: ada,
  roles: [
    { id: everyone, permissions: VIEW_CHANNEL.toString() },
    { id: role(1), permissions: '0' },
  ],
  channels,
}
const member = { accountId: grace, roles: [] }
const withThreads = { threadAccess: true }
const withoutThreads = { threadAccess: false }

const seen = (among: readonly Channel[], viewer = withThreads) =>
  viewableChannels({ ...guild, channels: among }, member, viewer).map(({ id }) => id)

describe('the channels that a member views', () => {
  it('are those with VIEW_CHANNEL, and the categories of these', () => {
    expect(seen(channels)).toStrictEqual([lobby.id, forums.id, forum.id, media.id])
    expect(seen([category, { ...text, overwrites: [] }, empty])).toStrictEqual([category.id, text.id])
  })

  it('do not have a category because of channels that a client without threads does not know', () => {
    expect(seen([forums, forum], withoutThreads)).toStrictEqual([forum.id])
    expect(seen([forums, media], withoutThreads)).toStrictEqual([media.id])
    expect([channelTypes.forum, channelTypes.media, channelTypes.text].map(needsThreads)).toStrictEqual([
      true,
      true,
      false,
    ])
  })

  it.each([...channels, { ...category, overwrites: [] }])('is asked for one of them by the same rule: $name', (one) => {
    const among = { ...guild, channels: channels.map((each) => (each.id === one.id ? one : each)) }
    for (const viewer of [withThreads, withoutThreads]) {
      const viewed = viewableChannels(among, member, viewer)
      expect(canView(among, member, one, viewer)).toBe(viewed.some(({ id }) => id === one.id))
    }
  })

  it('is none that only the channel below it would make viewable, where that is no category', () => {
    const below = { ...made(8, channelTypes.text, text.id), overwrites: [] }
    expect(canView({ ...guild, channels: [text, below] }, member, text, withThreads)).toBe(false)
  })
})

describe('the channel that a custom invite URL leads to', () => {
  const leadsTo = (among: readonly Channel[]) => firstTextChannel({ ...guild, channels: among })?.id

  it('is the first text channel from top to bottom that everyone can view', () => {
    expect(leadsTo([category, text, lobby])).toBe(lobby.id)
    expect(leadsTo([made(9, channelTypes.forum, null, []), { ...lobby, position: 20 }])).toBe(lobby.id)
    expect(
      leadsTo([
        { ...lobby, position: 20 },
        { ...lobby, id: channel(10), position: 3 },
      ]),
    ).toBe(channel(10))
  })

  it('is none where everyone views no text channel', () => {
    expect(leadsTo([text, forum])).toBeUndefined()
    expect(leadsTo([{ ...text, overwrites: [...hidden, ...shown] }])).toBeUndefined()
  })
})

describe('the roles that a member holds', () => {
  it('are those that still exist, in their order', () => {
    const held = { roles: [role(2), role(1), role(3)] }
    expect(heldRoles({ roles: [{ id: role(1) }, { id: role(3) }] }, held)).toStrictEqual({ roles: [role(1), role(3)] })
  })

  it('leave the member as it is where all of them exist', () => {
    const held = { roles: [role(1)] }
    expect(heldRoles(guild, held)).toBe(held)
  })
})
