import { describe, expect, it } from 'vitest'
import { plainChannel } from '../../../domain/guild/layout.ts'
import type { GuildEvent } from '../../../domain/guild/events.ts'
import { noExpressions } from '../../../domain/guild-expressions/state.ts'
import { initialSettings, type Guild } from '../../../domain/guild/state.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { memberAtFirst } from '../../../domain/membership/membership.ts'
import { permissionBits } from '../../../domain/permissions/permission-bits.ts'
import { channelDispatches } from '../../../gateway/dispatches/channels/channels.ts'
import type { Scene } from '../../../gateway/dispatches/telling.ts'
import { knownEventIn, type KnownEvent } from '../../../gateway/visibility/known-event.ts'
import { gatewayLimits } from '../../../gateway/limits.ts'
import { readIdentify } from '../../../gateway/protocol/identify.ts'
import { Session } from '../../../gateway/sessions/session.ts'
import { ReplayMemory } from '../../../gateway/sessions/replay-memory.ts'
import { newLink, Room } from '../../../gateway/visibility/room.ts'
import { sightsOf } from '../../../gateway/visibility/sight.ts'
import type { Change } from '../../../gateway/visibility/world.ts'
import { account, ada, channel, everyone, founding, home, role, start } from '../../../domain/testing/people.ts'
import { identifyOf, plainRole } from '../support/facts.ts'
import { ReadModels } from '../support/read-models.ts'

const { VIEW_CHANNEL } = permissionBits
const before: Guild = {
  id: home,
  name: 'The Analytical Engine',
  ownerId: ada,
  features: [],
  settings: initialSettings,
  createdAt: start,
  roles: [plainRole(everyone, 'VIEW_CHANNEL'), plainRole(role(1))],
  channels: [{ ...plainChannel, id: channel(1), type: 0, name: 'talk', position: 1 }],
}

/** A session of an account that does not understand threads. */
function sessionOf(id: AccountId): Session {
  const models = new ReadModels()
  const identify = readIdentify(identifyOf({ token: models.register(id) }))
  const found = models.accounts.get(id)
  if (!identify.ok || !found) throw new Error('no such session')
  const origin = { id, tokenHash: '', account: found, settings: {}, identify: identify.value, position: 1n, now: start }
  return new Session(origin, gatewayLimits, new ReplayMemory(gatewayLimits))
}

/** A room with a number of links for each rank: with a role, and without one. Links of one rank share a session. */
function roomOf(ofEach: number): Room {
  const room = new Room(before, noExpressions, 2 * ofEach, 1n)
  const threads = new Map()
  for (const [rank, roles] of [[role(1)], []].entries()) {
    const accountId = account(rank + 9)
    const joined = { guildId: home, accountId, joinedAt: start, temporary: false, admission: founding }
    const member = { ...memberAtFirst(joined), roles }
    const session = sessionOf(accountId)
    for (let number = 0; number < ofEach; number += 1) {
      const link = newLink(session, room, { member, memberAt: 1n, since: 1n })
      for (const [id, active] of threads) link.threads.set(id, active)
      room.add(link)
    }
  }
  return room
}

/** The next event in the room: what it changes, and how it is announced. */
function happening(room: Room, event: GuildEvent): { readonly event: KnownEvent; readonly scene: Scene } {
  const was = room.guild
  room.evolve(event, 2n)
  const actor = { kind: 'system', name: 'test' } as const
  const metadata = { eventId: '2', at: start, actor, correlationId: 'correlation', causationId: 'causation' }
  const known = knownEventIn({ stream: `guild-${home}`, revision: 1, position: 2n, metadata, ...event })
  if (!known) throw new Error('the Gateway does not know the event')
  return { event: known, scene: { ...nothingFound, room, was, arrived: [], departed: [] } }
}

/** Only the rooms themselves are needed; every lookup is empty. */
const nothingFound: Omit<Scene, keyof Change> = {
  lastMessages: new Map(),
  staysOf: () => [],
  onlineCount: () => 0,
  now: start,
  sessionsOf: () => [],
}

describe('who sees which channels', () => {
  it('is computed for any number of sessions of any ranks', () => {
    const room = roomOf(150_000)
    const overwrite = { id: everyone, type: 0, allow: '0', deny: VIEW_CHANNEL.toString() } as const
    const data = { guildId: home, channelId: channel(1), before: [], after: [overwrite], synced: [] }
    const { event, scene } = happening(room, { type: 'ChannelOverwritesChanged', data })
    const [told, ...others] = channelDispatches(event, scene)
    expect(others).toStrictEqual([])
    expect(told?.t).toBe('CHANNEL_DELETE')
    expect(told?.audience.kind === 'sessions' && told.audience.sessions.length).toBe(300_000)
  })

  it('is not computed if a role is only renamed or moved', () => {
    const renamed = { guildId: home, roleId: role(1), before: { name: 'Crew' }, after: { name: 'Poets' } }
    const { scene: afterName } = happening(roomOf(1), { type: 'RoleChanged', data: renamed })
    expect(sightsOf(afterName, 2n)).toStrictEqual([])
    const roles = [{ roleId: role(1), moved: true, before: { position: 1 }, after: { position: 2 } }]
    const { scene: afterMove } = happening(roomOf(1), { type: 'RolesReordered', data: { guildId: home, roles } })
    expect(sightsOf(afterMove, 2n)).toStrictEqual([])
  })
})
