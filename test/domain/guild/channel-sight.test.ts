import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { channelTypes, type Channel } from '../../../domain/guild/channel.ts'
import type { WishedOverwrite } from '../../../domain/guild/channel-commands.ts'
import type { GuildCommand } from '../../../domain/guild/commands.ts'
import { guild } from '../../../domain/guild/guild.ts'
import { plainChannel } from '../../../domain/guild/layout.ts'
import type { Guild } from '../../../domain/guild/state.ts'
import { viewableChannels } from '../../../domain/permissions/viewable-channels.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { play } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { channelCommands, someChannel } from '../../../domain/testing/commands/channel-arbitraries.ts'
import { oneOf } from '../../../domain/testing/drawing.ts'
import {
  accounts,
  ada,
  channel,
  everyone,
  home,
  homeLayout,
  plainRole,
  role,
  roles,
  start,
} from '../../../domain/testing/people.ts'
import {
  category,
  change,
  create,
  created,
  founded,
  guardian,
  managing,
  MANAGE_ROLES,
  move,
  other,
  outcomeOf,
  owner,
  reorder,
  second,
  text,
  VIEW_CHANNEL,
  voice,
} from './channel-sentences.ts'

/** An actor can see the channels in a request, before the request and after it. */

const denied = [{ id: everyone, type: 0, allow: '0', deny: VIEW_CHANNEL.toString() }] as const
const secret: Channel = {
  ...plainChannel,
  id: channel(6),
  type: channelTypes.category,
  name: 'secret',
  position: 6,
  parentId: null,
  overwrites: denied,
}
const plan: Channel = { ...text, id: channel(7), parentId: secret.id, overwrites: denied }
const history = [...founded, created(secret), created(plan)]

describe('a channel that the actor does not see', () => {
  it('takes no channel below it', () => {
    given(guild, history)
      .when(create({ parentId: secret.id }))
      .refuses('MISSING_PERMISSIONS')
    given(guild, history)
      .when(change(second.id, { parentId: secret.id }))
      .refuses('MISSING_PERMISSIONS')
    given(guild, history)
      .when(reorder([move(second.id, { parentId: secret.id })]))
      .refuses('MISSING_PERMISSIONS')
    const chain = [move(voice.id, { position: 0 }), move(second.id, { parentId: secret.id }, true)]
    given(guild, history).when(reorder(chain)).refuses('MISSING_PERMISSIONS')
  })
  it('is moved nowhere, and nothing is put behind it', () => {
    for (const entry of [
      move(plan.id, { parentId: null }),
      move(plan.id, { parentId: category.id }),
      move(secret.id, { position: 0 }),
      move(second.id, { parentId: null, precedingSiblingId: secret.id }),
    ])
      given(guild, history)
        .when(reorder([entry]))
        .refuses('MISSING_PERMISSIONS')
  })
  it('is refused before other faults of the moves', () => {
    given(guild, history)
      .when(reorder([move(channel(99), {}), move(plan.id, {})]))
      .refuses('MISSING_PERMISSIONS')
    given(guild, history)
      .when(change(text.id, { parentId: plan.id }))
      .refuses('MISSING_PERMISSIONS')
  })
  it('is another one to the owner, who sees them all', () => {
    expect(outcomeOf(history, create({ parentId: secret.id }, owner)).find(channel(9)).overwrites).toStrictEqual(denied)
    expect(outcomeOf(history, reorder([move(plan.id, { parentId: null })], owner)).find(plan.id).parentId).toBeNull()
  })
})

describe('a category that shows with a channel in it', () => {
  const shown = { ...text, id: channel(8), parentId: secret.id }
  const half = [...history, created(shown)]
  it('takes channels, which have its overwrites', () => {
    expect(outcomeOf(half, create({ parentId: secret.id })).find(channel(9)).overwrites).toStrictEqual(denied)
    expect(outcomeOf(half, reorder([move(second.id, { parentId: secret.id })])).find(second.id).parentId).toBe(
      secret.id,
    )
  })
  it('does not show with a forum to a client that does not know threads', () => {
    const forum = { ...shown, type: channelTypes.forum }
    const below = { ...create({ parentId: secret.id }), viewer: { threadAccess: false } }
    given(guild, [...history, created(forum)])
      .when(below)
      .refuses('MISSING_PERMISSIONS')
    expect(outcomeOf(half, below).events).toHaveLength(1)
  })
  it('takes none with a lock that hides it from its mover', () => {
    given(guild, half)
      .when(reorder([move(second.id, { parentId: secret.id }, true)], guardian))
      .refuses('MISSING_PERMISSIONS')
  })
  it('is still visible to the actor who names it', () => {
    const out = move(shown.id, { parentId: null })
    expect(outcomeOf(half, reorder([out])).find(shown.id).parentId).toBeNull()
    given(guild, half)
      .when(reorder([out, move(secret.id, { position: 0 })]))
      .refuses('MISSING_PERMISSIONS')
  })
})

it('an actor who replaces the overwrites of a channel can still see it', () => {
  const hidden: WishedOverwrite = { id: everyone, type: 0, allow: 0n, deny: VIEW_CHANNEL }
  const own: WishedOverwrite = { id: guardian.accountId, type: 1, allow: VIEW_CHANNEL, deny: 0n }
  given(guild, founded)
    .when(change(text.id, { overwrites: [hidden] }, guardian))
    .refuses('MISSING_PERMISSIONS')
  expect(outcomeOf(founded, change(text.id, { overwrites: [hidden, own] }, guardian)).events).toHaveLength(1)
  // The channel in it makes it visible.
  expect(outcomeOf(founded, change(other.id, { overwrites: [hidden, own] }, guardian)).events).toHaveLength(1)
})

const roleOf = (number: number, permissions: bigint): GuildCommand => ({
  type: 'AddBotRole',
  role: { ...plainRole, id: role(number), permissions: permissions.toString() },
  roles_max: 10,
})

const beginning: readonly GuildCommand[] = [
  { type: 'CreateGuild', guildId: home, name: 'Home', ownerId: ada, features: [], layout: homeLayout, now: start },
  roleOf(1, managing),
  roleOf(2, managing | MANAGE_ROLES),
]

/** Commands that hide channels, and show them again. */
const hiding: fc.Arbitrary<GuildCommand> = fc
  .tuple(someChannel, oneOf(...roles, ...accounts), fc.boolean())
  .map(([channelId, id, allows]): GuildCommand => ({
    type: 'SetOverwrite',
    by: owner,
    channelId,
    overwrite: {
      id,
      type: (accounts as readonly string[]).includes(id) ? 1 : 0,
      allow: allows ? VIEW_CHANNEL : 0n,
      deny: allows ? 0n : VIEW_CHANNEL,
    },
    undeclaredBits: 0n,
  }))

const hidingHistories = fc
  .array(fc.oneof(channelCommands, hiding), { maxLength: 40, size: 'max' })
  .map((commands) => play(guild, [...beginning, ...commands]))

property(
  'no command about channels makes its sender see one that was there and hidden',
  hidingHistories,
  ({ steps }) => {
    for (const { before, after, command } of steps) {
      if (before.status !== 'active' || after.status !== 'active') continue
      if (!('by' in command) || typeof command.by === 'string') continue
      for (const threadAccess of [false, true]) {
        const seen = seenIn(before, command.by, threadAccess)
        const there = new Set<string>(before.channels.map(({ id }) => id))
        const gained = seenIn(after, command.by, threadAccess).filter((id) => there.has(id) && !seen.includes(id))
        expect(gained).toStrictEqual([])
      }
    }
  },
)

function seenIn(in_: Guild, by: Parameters<typeof viewableChannels>[1], threadAccess: boolean): readonly string[] {
  return viewableChannels(in_, by, { threadAccess }).map(({ id }) => id)
}
