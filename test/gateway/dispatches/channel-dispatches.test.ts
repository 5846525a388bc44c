import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { channelTypes, defaultThreads, emptyForum, type Channel } from '../../../domain/guild/channel.ts'
import type { ChannelEvent } from '../../../domain/guild/channel-events.ts'
import { plainChannel } from '../../../domain/guild/layout.ts'
import { channelId } from '../../../domain/ids/ids.ts'
import type { Overwrite } from '../../../domain/permissions/compute-permissions.ts'
import { permissionBits } from '../../../domain/permissions/permission-bits.ts'
import { sessionFlags } from '../../../gateway/protocol/identify.ts'
import type { Client, Payload } from '../support/client.ts'
import { joined, plainRole, rolesChanged } from '../support/facts.ts'
import { openStage, type Account, type Place, type Stage } from '../support/stage.ts'

let stage: Stage
let ada: Account
let grace: Account
let home: Place
/** The clients of Ada, with thread access, and of Grace and a plain member, without. */
let owner: Client
let graces: Client
let plain: Client

const { VIEW_CHANNEL, MANAGE_THREADS } = permissionBits

beforeEach(async () => {
  stage = await openStage()
  ada = stage.account()
  home = stage.found(ada)
  grace = stage.account()
  const member = stage.account()
  stage.happen(joined(home.id, grace.id), joined(home.id, member.id))
  owner = await stage.identify(ada, { flags: sessionFlags.CHANNEL_THREADS })
  graces = await stage.identify(grace)
  plain = await stage.identify(member)
})
afterEach(async () => {
  await stage.end()
})

const text = (members: Partial<Channel> = {}): Channel => ({
  ...plainChannel,
  id: channelId(stage.newId()),
  type: channelTypes.text,
  name: 'talk',
  position: 3,
  threads: defaultThreads,
  ...members,
})
const happen = (...events: readonly ChannelEvent[]) => {
  stage.happen(...events)
}
const made = (channel: Channel): Channel => {
  happen({ type: 'ChannelCreated', data: { guildId: home.id, channel, founding: true } })
  return channel
}
const hiding = (): Overwrite => ({ id: home.id, type: 0, allow: '0', deny: `${VIEW_CHANNEL}` })
const showing = (id: string, type: 0 | 1): Overwrite => ({ id, type, allow: `${VIEW_CHANNEL}`, deny: '0' })
const overwritten = (channel: Channel, after: readonly Overwrite[], synced: readonly Channel['id'][] = []) => {
  const { id, overwrites: before } = channel
  happen({ type: 'ChannelOverwritesChanged', data: { guildId: home.id, channelId: id, before, after, synced } })
}
/** What each client heard of channels since the last call: the names, and the channels. */
const heard = async (...clients: readonly Client[]) =>
  (await stage.told(home, ...clients)).map((payloads) => payloads.filter(isOfChannels).map(shown))
const isOfChannels = ({ t }: Payload): boolean => t?.startsWith('CHANNEL_') === true
const channelsIn = (payload: Payload | undefined): readonly string[] =>
  ((payload?.d['channels'] ?? []) as readonly { id: string }[]).map(({ id }) => id)
const shown = (payload: Payload) => [payload.t, payload.d['id'] ?? channelsIn(payload)]

describe('a channel', () => {
  it('that is created is sent to those who can view it, after a category that is visible only because of it', async () => {
    const category = made(text({ type: channelTypes.category, threads: null, overwrites: [hiding()] }))
    const child = made(text({ parentId: category.id, overwrites: [hiding(), showing(grace.id, 1)] }))
    expect(await heard(owner, graces, plain)).toStrictEqual([
      [
        ['CHANNEL_CREATE', category.id],
        ['CHANNEL_CREATE', child.id],
      ],
      [
        ['CHANNEL_CREATE', category.id],
        ['CHANNEL_CREATE', child.id],
      ],
      [],
    ])
    happen({ type: 'ChannelDeleted', data: { guildId: home.id, channel: child, orphans: [] } })
    expect(await heard(owner, graces, plain)).toStrictEqual([
      [['CHANNEL_DELETE', child.id]],
      [
        ['CHANNEL_DELETE', child.id],
        ['CHANNEL_DELETE', category.id],
      ],
      [],
    ])
  })

  it('that is changed is sent whole, with its newest message, and without thread bits to clients that do not know threads', async () => {
    const overwrites = [{ id: home.id, type: 0, allow: `${VIEW_CHANNEL | MANAGE_THREADS}`, deny: '0' }] as const
    const channel = made(text({ overwrites }))
    const data = { guildId: home.id, channelId: channel.id, channelType: 0 } as const
    happen({ type: 'ChannelChanged', data: { ...data, before: { name: 'talk' }, after: { name: 'news' } } })
    const { d } = await owner.dispatch('CHANNEL_UPDATE')
    expect(d).toMatchObject({ id: channel.id, guild_id: home.id, name: 'news', last_message_id: null })
    expect(d).toMatchObject({ permission_overwrites: overwrites, default_auto_archive_duration: 4320 })
    const { d: without } = await plain.dispatch('CHANNEL_UPDATE')
    expect(without['permission_overwrites']).toStrictEqual([{ ...overwrites[0], allow: `${VIEW_CHANNEL}` }])
    expect(without).not.toHaveProperty('default_auto_archive_duration')
    await heard(owner)
    happen({ type: 'ChannelChanged', data: { ...data, before: {}, after: {} } })
    expect(await stage.heard(home, owner)).toStrictEqual([['CHANNEL_UPDATE']])
  })

  it('that is deleted is sent as it was to those who could view it, after the deletions of what was in it', async () => {
    const category = made(text({ type: channelTypes.category, threads: null, name: 'Things' }))
    const child = made(text({ parentId: category.id, overwrites: [hiding()] }))
    const seen = made(text({ parentId: category.id }))
    await heard(owner, plain)
    const orphans = [child, seen].map(({ id }, index) => ({ channelId: id, position: 7 + index }))
    happen({ type: 'ChannelDeleted', data: { guildId: home.id, channel: category, orphans } })
    const [whole, ofPlain] = await stage.told(home, owner, plain)
    expect(whole?.filter(isOfChannels).map(shown)).toStrictEqual([
      ['CHANNEL_UPDATE_BULK', [child.id, seen.id]],
      ['CHANNEL_DELETE', category.id],
    ])
    expect(ofPlain?.filter(isOfChannels).map(shown)).toStrictEqual([
      ['CHANNEL_UPDATE_BULK', [seen.id]],
      ['CHANNEL_DELETE', category.id],
    ])
    expect(ofPlain?.find(({ t }) => t === 'CHANNEL_DELETE')?.d).toMatchObject({ name: 'Things', guild_id: home.id })
  })

  it('that is moved is sent with all channels that the recipient can view, from top to bottom', async () => {
    const hidden = made(text({ overwrites: [hiding()] }))
    const last = made(text({ position: 9 }))
    await heard(owner, plain)
    const positions = [
      { channelId: last.id, position: 1 },
      { channelId: hidden.id, position: 2 },
    ]
    const data = { guildId: home.id, channelId: last.id, parentId: null, positions, overwrites: null }
    happen({ type: 'ChannelMoved', data })
    const [all, some] = await stage.told(home, owner, plain)
    const idsIn = (payloads: readonly Payload[] | undefined) => {
      const [bulk, ...others] = (payloads ?? []).filter(isOfChannels)
      expect(others).toStrictEqual([])
      expect(bulk).toMatchObject({ t: 'CHANNEL_UPDATE_BULK', d: { guild_id: home.id } })
      return channelsIn(bulk)
    }
    expect(idsIn(all)).toHaveLength(6)
    expect(idsIn(some)).toHaveLength(5)
    expect(idsIn(some)).not.toContain(hidden.id)
    expect(idsIn(all).slice(-1)).not.toContain(last.id)
  })

  it('that is moved with others by one request is in one list, and is taken from those that its new overwrites hide it from', async () => {
    const category = made(text({ type: channelTypes.category, threads: null, overwrites: [hiding()] }))
    const [locked, other] = [made(text({ name: 'locked' })), made(text({ name: 'other', position: 4 }))]
    await heard(owner, plain)
    const positions = [
      { channelId: other.id, position: 1 },
      { channelId: locked.id, position: 5 },
    ]
    const moved = [{ channelId: locked.id, parentId: category.id, overwrites: category.overwrites }]
    happen({ type: 'ChannelsReordered', data: { guildId: home.id, positions, moved } })
    const whole = expect.arrayContaining([category.id, locked.id, other.id])
    const cut = expect.not.arrayContaining([locked.id])
    expect(await heard(owner, plain)).toStrictEqual([
      [['CHANNEL_UPDATE_BULK', whole]],
      [
        ['CHANNEL_UPDATE_BULK', cut],
        ['CHANNEL_DELETE', locked.id],
      ],
    ])
  })

  it('of a forum is sent only to those with thread access', async () => {
    const forum = made(text({ type: channelTypes.forum, forum: emptyForum }))
    overwritten(forum, [hiding()])
    happen({ type: 'ChannelDeleted', data: { guildId: home.id, channel: forum, orphans: [] } })
    expect(await heard(owner, plain)).toStrictEqual([
      [
        ['CHANNEL_CREATE', forum.id],
        ['CHANNEL_UPDATE', forum.id],
        ['CHANNEL_DELETE', forum.id],
      ],
      [],
    ])
  })

  it('of an unavailable guild is sent to nobody', async () => {
    await heard(owner)
    stage.happen({
      type: 'GuildFeaturesChanged',
      data: { guildId: home.id, features: ['UNAVAILABLE_FOR_EVERYONE'] },
    })
    made(text())
    expect(await heard(owner, plain)).toStrictEqual([[], []])
  })
})

describe('accounts that can now view a channel get CHANNEL_CREATE, those that no longer can get CHANNEL_DELETE', () => {
  it('by its overwrites, and those that it gets from its category', async () => {
    const category = made(text({ type: channelTypes.category, threads: null }))
    const child = made(text({ parentId: category.id }))
    await heard(owner, graces, plain)
    overwritten(category, [hiding(), showing(grace.id, 1)], [child.id])
    expect(await heard(owner, graces, plain)).toStrictEqual([
      [
        ['CHANNEL_UPDATE', category.id],
        ['CHANNEL_UPDATE', child.id],
      ],
      [
        ['CHANNEL_UPDATE', category.id],
        ['CHANNEL_UPDATE', child.id],
      ],
      [
        ['CHANNEL_DELETE', child.id],
        ['CHANNEL_DELETE', category.id],
      ],
    ])
    overwritten({ ...category, overwrites: [hiding(), showing(grace.id, 1)] }, [], [child.id])
    expect(await heard(graces, plain)).toMatchObject([
      [['CHANNEL_UPDATE', category.id], expect.anything()],
      [
        ['CHANNEL_CREATE', category.id],
        ['CHANNEL_CREATE', child.id],
      ],
    ])
  })

  it('which contains only the id of a channel that they can no longer view', async () => {
    const channel = made(text({ name: 'secret plans' }))
    await heard(plain)
    overwritten(channel, [hiding()])
    expect((await plain.dispatch('CHANNEL_DELETE')).d).toStrictEqual({ id: channel.id, guild_id: home.id })
  })

  it('by the permissions of a role, and by a role that is deleted', async () => {
    const role = stage.role(home)
    stage.happen(rolesChanged(home.id, grace.id, role))
    const channel = made(text({ overwrites: [hiding(), showing(role, 0)] }))
    const other = made(text({ overwrites: [{ ...hiding(), deny: '0' }] }))
    expect(await heard(graces, plain)).toMatchObject([
      [['CHANNEL_CREATE', channel.id], expect.anything()],
      [expect.anything()],
    ])
    const change = { guildId: home.id, roleId: home.id, before: {}, after: { permissions: '0' } } as const
    stage.happen({ type: 'RoleChanged', data: change })
    const [ofGrace] = await heard(graces, plain, owner)
    expect(ofGrace).toContainEqual(['CHANNEL_DELETE', other.id])
    expect(ofGrace).not.toContainEqual(['CHANNEL_DELETE', channel.id])
    stage.happen({ type: 'RoleDeleted', data: { guildId: home.id, role: plainRole(role) } })
    expect(await heard(graces, plain)).toStrictEqual([[['CHANNEL_DELETE', channel.id]], []])
  })

  it('by the roles of a member', async () => {
    const role = stage.role(home)
    const channel = made(text({ overwrites: [hiding(), showing(role, 0)] }))
    await heard(owner, graces, plain)
    stage.happen(rolesChanged(home.id, grace.id, role))
    expect(await heard(owner, graces, plain)).toStrictEqual([[], [['CHANNEL_CREATE', channel.id]], []])
    stage.happen(rolesChanged(home.id, grace.id))
    expect(await heard(owner, graces, plain)).toStrictEqual([[], [['CHANNEL_DELETE', channel.id]], []])
  })

  it('by the ownership of the guild', async () => {
    const channel = made(text({ overwrites: [hiding()] }))
    await heard(owner, graces)
    stage.happen({ type: 'OwnershipTransferred', data: { guildId: home.id, from: ada.id, to: grace.id } })
    expect(await heard(owner, graces)).toStrictEqual([
      [['CHANNEL_DELETE', channel.id]],
      [['CHANNEL_CREATE', channel.id]],
    ])
  })

  it('by the parent of a child: a category is visible if a channel in it is', async () => {
    const category = made(text({ type: channelTypes.category, threads: null, overwrites: [hiding()] }))
    const child = made(text())
    await heard(plain)
    const data = { guildId: home.id, channelId: child.id, positions: [], overwrites: null }
    happen({ type: 'ChannelMoved', data: { ...data, parentId: category.id } })
    expect(await heard(plain)).toMatchObject([
      [
        ['CHANNEL_CREATE', category.id],
        ['CHANNEL_UPDATE_BULK', expect.arrayContaining([category.id, child.id])],
      ],
    ])
    happen({ type: 'ChannelMoved', data: { ...data, parentId: null } })
    expect(await heard(plain)).toMatchObject([
      [
        ['CHANNEL_UPDATE_BULK', expect.not.arrayContaining([category.id])],
        ['CHANNEL_DELETE', category.id],
      ],
    ])
  })
})
