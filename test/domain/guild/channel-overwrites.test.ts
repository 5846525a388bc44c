import { describe, expect, it } from 'vitest'
import type { WishedOverwrite } from '../../../domain/guild/channel-commands.ts'
import { guild } from '../../../domain/guild/guild.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import type { GuildActor } from '../../../domain/permissions/authority.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { channel, everyone, grace, home, linus, role } from '../../../domain/testing/people.ts'
import {
  category,
  change,
  create,
  CREATE_INSTANT_INVITE,
  created,
  founded,
  guardian,
  MANAGE_CHANNELS,
  MANAGE_THREADS,
  manager,
  outcomeOf,
  owner,
  SEND_MESSAGES,
  settings,
  text,
  VIEW_CHANNEL,
  voice,
} from './channel-sentences.ts'

const wish = (id: string, allow = 0n, deny = 0n, type: 0 | 1 = 0): WishedOverwrite => ({ id, type, allow, deny })
const set = (overwrite: WishedOverwrite, by: GuildActor = guardian, channelId = text.id, undeclaredBits = 0n) =>
  ({ type: 'SetOverwrite', by, channelId, overwrite, undeclaredBits }) as const
const take = (overwriteId: string, by: GuildActor = guardian, channelId = text.id) =>
  ({ type: 'RemoveOverwrite', by, channelId, overwriteId }) as const

const hiding = { id: everyone, type: 0, allow: '0', deny: `${VIEW_CHANNEL}` } as const
const hidden = [...founded, ...outcomeOf(founded, set(wish(everyone, 0n, VIEW_CHANNEL), owner)).events]

describe('setting an overwrite', () => {
  it('records all overwrites before and after, even if nothing differs', () => {
    const data = { guildId: home, channelId: text.id, synced: [] }
    given(guild, founded)
      .when(set(wish(everyone, 0n, VIEW_CHANNEL)))
      .then({ type: 'ChannelOverwritesChanged', data: { ...data, before: [], after: [hiding] } })
    given(guild, hidden)
      .when(set(wish(everyone, 0n, VIEW_CHANNEL), owner))
      .then({ type: 'ChannelOverwritesChanged', data: { ...data, before: [hiding], after: [hiding] } })
  })

  it('has one overwrite for each id', () => {
    const { find } = outcomeOf(hidden, set(wish(everyone, VIEW_CHANNEL), owner))
    expect(find(text.id).overwrites).toStrictEqual([{ id: everyone, type: 0, allow: `${VIEW_CHANNEL}`, deny: '0' }])
    const twice = [wish(everyone, VIEW_CHANNEL), wish(everyone, 0n, VIEW_CHANNEL)]
    expect(outcomeOf(founded, change(text.id, { overwrites: twice }, owner)).find(text.id).overwrites).toStrictEqual([
      hiding,
    ])
  })

  it('goes on from a category to the channels in it that had its overwrites', () => {
    const apart = [...founded, ...outcomeOf(founded, set(wish(linus, VIEW_CHANNEL, 0n, 1), owner, voice.id)).events]
    const { find, events } = outcomeOf(apart, set(wish(everyone, 0n, VIEW_CHANNEL), owner, category.id))
    expect(events).toMatchObject([{ data: { channelId: category.id, synced: [text.id] } }])
    expect(find(category.id).overwrites).toStrictEqual([hiding])
    expect(find(text.id).overwrites).toStrictEqual([hiding])
    expect(find(voice.id).overwrites).toHaveLength(1)
    const back = outcomeOf([...apart, ...events], take(everyone, owner, category.id))
    expect([back.find(category.id).overwrites, back.find(text.id).overwrites]).toStrictEqual([[], []])
  })

  it('leaves the bits that the client does not declare to know as they are stored', () => {
    const stored = outcomeOf(founded, set(wish(everyone, MANAGE_THREADS | VIEW_CHANNEL), owner)).events
    const { find } = outcomeOf(
      [...founded, ...stored],
      set(wish(everyone, SEND_MESSAGES), owner, text.id, MANAGE_THREADS),
    )
    expect(find(text.id).overwrites[0]?.allow).toBe(`${MANAGE_THREADS | SEND_MESSAGES}`)
    const fresh = outcomeOf(founded, set(wish(everyone, MANAGE_THREADS), owner, text.id, MANAGE_THREADS))
    expect(fresh.find(text.id).overwrites[0]?.allow).toBe('0')
    const made = create({ overwrites: [wish(everyone, MANAGE_THREADS)] }, owner)
    expect(outcomeOf(founded, { ...made, undeclaredBits: MANAGE_THREADS }).find(channel(9)).overwrites[0]?.allow).toBe(
      '0',
    )
  })

  it('is refused in this order: the channel, MANAGE_ROLES, its second factor, the role, bits that the actor lacks', () => {
    given(guild, founded)
      .when(set(wish(everyone), guardian, channel(99)))
      .refuses('UNKNOWN_CHANNEL')
    given(guild, founded)
      .when(set(wish(role(9)), manager))
      .refuses('MISSING_PERMISSIONS')
    given(guild, [...founded, settings({ mfaLevel: 1 })])
      .when(set(wish(role(9))))
      .refuses('TWO_FACTOR_REQUIRED')
    given(guild, founded)
      .when(set(wish(role(9), SEND_MESSAGES)))
      .refuses('UNKNOWN_ROLE')
    for (const [allow, deny] of [
      [SEND_MESSAGES, 0n],
      [0n, SEND_MESSAGES],
    ] as const)
      given(guild, founded)
        .when(set(wish(everyone, allow, deny)))
        .refuses('MISSING_PERMISSIONS')
    expect(outcomeOf(founded, set(wish(everyone, MANAGE_CHANNELS))).events).toHaveLength(1)
  })

  it('of a member does not become one of a role that the guild has not', () => {
    const ofLinus = [...founded, ...outcomeOf(founded, set(wish(linus, VIEW_CHANNEL, 0n, 1), owner)).events]
    given(guild, ofLinus)
      .when(set(wish(linus, VIEW_CHANNEL), owner))
      .refuses('UNKNOWN_ROLE')
    given(guild, ofLinus)
      .when(change(text.id, { overwrites: [wish(linus, VIEW_CHANNEL)] }, owner))
      .refuses('INVALID_FORM_BODY', field('permission_overwrites.0.id', 'INVALID_ROLE_ID'))
  })

  it('asks of the bits that would change, and of no others', () => {
    const stored = [...founded, ...outcomeOf(founded, set(wish(everyone, SEND_MESSAGES), owner)).events]
    // In that channel everyone's overwrite gives Grace SEND_MESSAGES, but not MANAGE_THREADS.
    const more = [...stored, ...outcomeOf(stored, set(wish(linus, MANAGE_THREADS, 0n, 1), owner)).events]
    expect(outcomeOf(more, set(wish(linus, MANAGE_THREADS | SEND_MESSAGES, 0n, 1))).events).toHaveLength(1)
    given(guild, more)
      .when(set(wish(linus, 0n, 0n, 1)))
      .refuses('MISSING_PERMISSIONS')
    given(guild, more).when(take(linus)).refuses('MISSING_PERMISSIONS')
  })
})

describe('taking an overwrite away', () => {
  it('does nothing if there is none', () => {
    given(guild, founded)
      .when(take(role(9)))
      .changesNothing()
    given(guild, hidden)
      .when(take(everyone, owner))
      .then({
        type: 'ChannelOverwritesChanged',
        data: { guildId: home, channelId: text.id, before: [hiding], after: [], synced: [] },
      })
  })
})

describe('overwrites in Modify channel and Create guild channel', () => {
  it('replace all that there are; where they alone differ, nothing else is said to be written', () => {
    const overwrites = [wish(grace, VIEW_CHANNEL, 0n, 1)]
    const { events } = outcomeOf(hidden, change(text.id, { overwrites }, owner))
    expect(events.map(({ type }) => type)).toStrictEqual(['ChannelOverwritesChanged'])
    expect(events[0]).toMatchObject({ data: { before: [hiding], after: [{ id: grace, type: 1 }] } })
    const both = outcomeOf(hidden, change(text.id, { overwrites, topic: 'All' }, owner))
    expect(both.events.map(({ type }) => type)).toStrictEqual(['ChannelChanged', 'ChannelOverwritesChanged'])
    const same = outcomeOf(hidden, change(text.id, { overwrites: [wish(everyone, 0n, VIEW_CHANNEL)] }, owner))
    expect(same.events.map(({ type }) => type)).toStrictEqual(['ChannelChanged'])
  })

  it('are refused for a role that is not there, and for bits that the actor lacks', () => {
    const overwrites = [wish(everyone), wish(role(9))]
    const fault = field('permission_overwrites.1.id', 'INVALID_ROLE_ID')
    given(guild, founded)
      .when(change(text.id, { overwrites }, owner))
      .refuses('INVALID_FORM_BODY', fault)
    given(guild, founded).when(create({ overwrites }, owner)).refuses('INVALID_FORM_BODY', fault)
    const granting = { overwrites: [wish(everyone, SEND_MESSAGES)] }
    given(guild, founded).when(create(granting, guardian)).refuses('MISSING_PERMISSIONS')
    given(guild, founded)
      .when(change(text.id, granting, guardian))
      .refuses('MISSING_PERMISSIONS')
  })

  it('of a new channel are refused for bits that the actor lacks in its category', () => {
    const limited = set(wish(role(2), SEND_MESSAGES, CREATE_INSTANT_INVITE), owner, category.id)
    const apart = [...founded, ...outcomeOf(founded, limited).events]
    for (const [bit, inside, outside] of [
      [CREATE_INSTANT_INVITE, 'refused', 'accepted'],
      [SEND_MESSAGES, 'accepted', 'refused'],
    ] as const)
      for (const [parentId, outcome] of [
        [category.id, inside],
        [null, outside],
      ] as const) {
        const made = create({ parentId, overwrites: [wish(grace, bit, 0n, 1)] }, guardian)
        expect(guild.decide(fold(guild, apart), made)).toMatchObject({ outcome })
      }
  })

  it('of a new category are passed to no channel', () => {
    const { find } = outcomeOf(founded, create({ type: 4, overwrites: [wish(everyone, 0n, VIEW_CHANNEL)] }, guardian))
    expect(find(channel(9)).overwrites).toStrictEqual([hiding])
    expect(created(find(channel(9))).type).toBe('ChannelCreated')
  })
})
