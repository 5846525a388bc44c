import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { sameOverwrites } from '../../../domain/guild/decisions/channels/written-overwrites.ts'
import type { GuildCommand } from '../../../domain/guild/commands.ts'
import type { GuildEvent } from '../../../domain/guild/events.ts'
import { guild } from '../../../domain/guild/guild.ts'
import { rewoundSettings, type GuildPast } from '../../../domain/guild/rewind.ts'
import { initialSettings, type Guild, type GuildState } from '../../../domain/guild/state.ts'
import { roleId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { jsonBytes } from '../../../domain/kernel/json-bytes.ts'
import { guildCommands } from '../../../domain/testing/commands/arbitraries.ts'
import { channelCommands } from '../../../domain/testing/commands/channel-arbitraries.ts'
import { play } from '../../../domain/testing/histories.ts'
import { ada, channel, general, home, homeLayout, start } from '../../../domain/testing/people.ts'
import { property } from '../../support/property.ts'

const create: GuildCommand = {
  type: 'CreateGuild',
  guildId: home,
  name: 'Home',
  ownerId: ada,
  features: [],
  layout: homeLayout,
  now: start,
}

interface Raid {
  readonly past: Guild
  readonly now: Guild
  readonly events_max: number
  readonly bytes_max: number
}

/** Two states of one guild, the later one after anything that may happen to it. */
const raids: fc.Arbitrary<Raid> = fc
  .record({
    commands: fc.array(fc.oneof(channelCommands, guildCommands), { maxLength: 40, size: 'max' }),
    at: fc.nat(),
    events_max: fc.integer({ min: 1, max: 20 }),
    bytes_max: fc.integer({ min: 1, max: 4000 }),
  })
  .map(({ commands, at, ...bounds }) => {
    const states = play(guild, [create, ...commands]).steps.flatMap(({ after }) => activeIn(after))
    const [first] = states
    if (!first) throw new Error('The guild was not created')
    return { past: states[at % states.length] ?? first, now: states.at(-1) ?? first, ...bounds }
  })

const activeIn = (state: GuildState): readonly Guild[] => (state.status === 'active' ? [state] : [])

function step(now: Guild, raid: Omit<Raid, 'past' | 'now'> & { readonly to: GuildPast }): readonly GuildEvent[] {
  const decision = guild.decide({ status: 'active', ...now }, { type: 'RewindGuild', ...raid })
  if (decision.outcome === 'refused') throw new Error(decision.refusal.code)
  return decision.events
}

function after(now: Guild, events: readonly GuildEvent[]): Guild {
  const [state] = activeIn(fold(guild, events, { status: 'active', ...now }))
  if (!state) throw new Error('The guild is gone')
  return state
}

/** Everything that a rewind sends, batch after batch, and the states between the events. */
function rewound({ now, past: to, events_max, bytes_max }: Raid) {
  const batches: (readonly GuildEvent[])[] = []
  const between: Guild[] = []
  let state = now
  for (;;) {
    const events = step(state, { to, events_max, bytes_max })
    if (events.length === 0) return { state, batches, between }
    batches.push(events)
    for (const event of events) {
      state = after(state, [event])
      between.push(state)
    }
  }
}

function founded(): Guild {
  const [state] = activeIn(play(guild, [create]).state)
  if (!state) throw new Error('The guild was not created')
  return state
}

const byId = <Thing extends { readonly id: string }>(things: readonly Thing[]) =>
  things.toSorted((one, other) => one.id.localeCompare(other.id))

describe('a rewind of a guild', () => {
  property('brings back what it was, but for what it says that it keeps', raids, (raid) => {
    const { state } = rewound(raid)
    expect(byId(state.roles)).toStrictEqual(byId(raid.past.roles))
    const bare = ({ channels }: Guild) => byId(channels).map((one) => ({ ...one, overwrites: [] }))
    expect(bare(state)).toStrictEqual(bare(raid.past))
    for (const { id, overwrites } of raid.past.channels)
      expect(sameOverwrites(state.channels.find((one) => one.id === id)?.overwrites ?? [], overwrites)).toBe(true)
    expect(state.name).toBe(raid.past.name)
    expect(state.ownerId).toBe(raid.now.ownerId)
    const kept = new Set<string>(rewoundSettings(raid.now, raid.past).kept.map(({ part }) => part))
    for (const [name, value] of Object.entries(raid.past.settings)) {
      const wanted: unknown = kept.has(name) ? Reflect.get(raid.now.settings, name) : value
      expect(Reflect.get(state.settings, name), `${name}`).toStrictEqual(wanted)
    }
    const differing = new Set([...state.features, ...raid.past.features])
    for (const feature of differing)
      expect(state.features.includes(feature) === raid.past.features.includes(feature), `${feature}`).toBe(
        !kept.has(feature),
      )
  })

  property('keeps every append within its bounds, unless one event alone is larger', raids, (raid) => {
    for (const events of rewound(raid).batches) {
      expect(events.length).toBeLessThanOrEqual(raid.events_max)
      if (events.length > 1)
        expect(events.reduce((sum, { data }) => sum + jsonBytes(data), 0)).toBeLessThanOrEqual(raid.bytes_max)
    }
  })

  property('leaves no setting and no channel that names what is not there, after any event', raids, (raid) => {
    for (const { channels, settings } of rewound(raid).between) {
      const ids: readonly (string | null)[] = [null, ...channels.map(({ id }) => id)]
      for (const named of [settings.systemChannelId, settings.rulesChannelId, settings.afkChannelId])
        expect(ids).toContain(named)
      for (const { parentId } of channels) expect(ids).toContain(parentId)
    }
  })

  property('stopped after any event and begun again, comes to the same', raids, (raid) => {
    const whole = rewound(raid)
    for (const between of whole.between) {
      const again = rewound({ ...raid, now: between }).state
      expect({ ...again, roles: byId(again.roles), channels: byId(again.channels) }).toStrictEqual({
        ...whole.state,
        roles: byId(whole.state.roles),
        channels: byId(whole.state.channels),
      })
    }
  })

  it('gives a deleted role its id again, so that its members hold it again, and its overwrites', () => {
    const mod = {
      ...homeLayout.roles[0],
      id: roleId(snowflake('400001')),
      name: 'Mods',
      permissions: '8',
      position: 1,
    } as Guild['roles'][number]
    const now = founded()
    const overwrites = [{ id: mod.id, type: 0, allow: '1024', deny: '0' }] as const
    const channels = now.channels.map((one) => (one.id === general ? { ...one, overwrites } : one))
    const past = { ...now, roles: [...now.roles, mod], channels }
    const events = step(now, { to: past, events_max: 1000, bytes_max: 1_000_000 })
    expect(events.map(({ type }) => type)).toStrictEqual(['RoleCreated', 'ChannelOverwritesChanged'])
    expect(after(now, events)).toStrictEqual(past)
  })

  it('is refused for a guild that is gone', () => {
    const to = { name: 'Home', features: [], settings: initialSettings, roles: [], channels: [] }
    const gone = { status: 'deleted', id: home, ownerId: ada } as const
    expect(guild.decide(gone, { type: 'RewindGuild', to, events_max: 1, bytes_max: 1 })).toMatchObject({
      outcome: 'refused',
      refusal: { code: 'UNKNOWN_GUILD' },
    })
  })

  it('deletes a channel that was made since, and puts what the raid moved below it back', () => {
    const past = founded()
    const raiders = { ...past.channels[0], id: channel(9), name: 'raided' } as Guild['channels'][number]
    const channels = past.channels.map((one) => (one.id === general ? { ...one, parentId: raiders.id } : one))
    const now = { ...past, channels: [...channels, raiders] }
    const events = step(now, { to: past, events_max: 1000, bytes_max: 1_000_000 })
    expect(events.map(({ type }) => type)).toStrictEqual(['ChannelDeleted', 'ChannelsReordered'])
    expect(after(now, events)).toStrictEqual(past)
  })
})
