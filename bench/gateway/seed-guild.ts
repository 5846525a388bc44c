import { randomBytes } from 'node:crypto'
import { uuid7 } from '../../application/commands/derive-id.ts'
import type { EventStore, NewEvent } from '../../application/ports/event-store.ts'
import { noStream } from '../../domain/kernel/position.ts'
import { channelTypes, defaultThreads } from '../../domain/guild/channel.ts'
import { guild } from '../../domain/guild/guild.ts'
import { everyoneRole, plainChannel } from '../../domain/guild/layout.ts'
import { accountId, channelId, guildId, membershipId, roleId, type GuildId } from '../../domain/ids/ids.ts'
import { nextSnowflake, snowflake, type Snowflake } from '../../domain/ids/snowflake.ts'
import type { Decision, DomainEvent } from '../../domain/kernel/decider.ts'
import { streamName, type StreamName } from '../../domain/streams.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { membership } from '../../domain/membership/membership.ts'
import { newGuildEveryonePermissions } from '../../domain/permissions/permission-bits.ts'

export interface GuildSize {
  readonly channels: number
  /** In each channel. */
  readonly overwrites: number
  /** Besides the everyone role; none by default. */
  readonly roles?: number
}

const eventsPerAppend_max = 100
/** Ids that the product does not make: its workers are numbered from 0 on. */
const worker = 900
let clock = { ms: 0, sequence: 0 }

function newId(): Snowflake {
  const next = nextSnowflake(clock, Date.now(), worker)
  clock = next.clock
  return next.id
}

/** Creates a guild of an account by its events, larger than requests can make it. Gives its id. */
export async function seedGuild(store: EventStore, owner: string, size: GuildSize): Promise<GuildId> {
  const [id, ownerId, now] = [guildId(newId()), accountId(snowflake(owner)), timestamp(Date.now())]
  const overwrite = () => ({ id: newId(), type: 1, allow: '0', deny: '2048' }) as const
  const channels = Array.from({ length: size.channels }, (_none, position) => ({
    ...plainChannel,
    id: channelId(newId()),
    type: channelTypes.text,
    name: `channel-${position}`,
    position,
    threads: defaultThreads,
    overwrites: Array.from({ length: size.overwrites }, overwrite),
  }))
  const roles = Array.from({ length: size.roles ?? 0 }, (_none, index) => ({
    ...everyoneRole(id, '0'),
    id: roleId(newId()),
    name: `role-${index}`,
    position: index + 1,
  }))
  const everyone = everyoneRole(id, newGuildEveryonePermissions.toString())
  const layout = { roles: [everyone, ...roles], channels, settings: {} }
  const create = { type: 'CreateGuild', guildId: id, name: 'Large', ownerId, features: [], layout, now } as const
  await write(store, streamName('guild', id), guild.decide(guild.initial, create))
  const admission = { by: 'custom_invite' } as const
  const join = { type: 'JoinGuild', guildId: id, accountId: ownerId, temporary: false, admission, now } as const
  await write(store, streamName('membership', membershipId(id, ownerId)), membership.decide(membership.initial, join))
  return id
}

async function write(store: EventStore, stream: StreamName, decision: Decision<DomainEvent>): Promise<void> {
  if (decision.outcome === 'refused') throw new Error(decision.refusal.code)
  const events = decision.events.map(({ type, data }): NewEvent => {
    const eventId = uuid7(Date.now(), randomBytes(10))
    const actor = { kind: 'system', name: 'bench' } as const
    return {
      type,
      data,
      metadata: { eventId, at: timestamp(Date.now()), actor, correlationId: eventId, causationId: eventId },
    }
  })
  let revision = noStream
  for (let from = 0; from < events.length; from += eventsPerAppend_max) {
    const written = await store.append(stream, revision, events.slice(from, from + eventsPerAppend_max))
    if (written.outcome === 'conflict') throw new Error(`${stream} is not new`)
    revision = written.revision
  }
}
