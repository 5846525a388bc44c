import { randomBytes } from 'node:crypto'
import { uuid7 } from '../../application/commands/derive-id.ts'
import type { EventStore } from '../../application/ports/event-store.ts'
import { noStream } from '../../domain/kernel/position.ts'
import { accountId, guildId, membershipId, type GuildId } from '../../domain/ids/ids.ts'
import { nextSnowflake, snowflake } from '../../domain/ids/snowflake.ts'
import { streamName } from '../../domain/streams.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { membership } from '../../domain/membership/membership.ts'

const appendsAtOnce_max = 512

/** Lets this many accounts that do not exist join a guild, by the events of a join. Gives the position of the last event. */
export async function seedCrowd(store: EventStore, guild: string, members_count: number): Promise<bigint> {
  let clock = { ms: 0, sequence: 0 }
  let position = 0n
  for (let from = 0; from < members_count; from += appendsAtOnce_max) {
    const count = Math.min(appendsAtOnce_max, members_count - from)
    const joins = Array.from({ length: count }, () => {
      const next = nextSnowflake(clock, Date.now(), 2)
      clock = next.clock
      return join(store, guildId(snowflake(guild)), accountId(next.id))
    })
    for (const written of await Promise.all(joins)) if (written > position) position = written
  }
  return position
}

async function join(store: EventStore, guild: GuildId, account: ReturnType<typeof accountId>): Promise<bigint> {
  const now = timestamp(Date.now())
  const decision = membership.decide(membership.initial, {
    type: 'JoinGuild',
    guildId: guild,
    accountId: account,
    temporary: false,
    admission: { by: 'custom_invite' },
    now,
  })
  if (decision.outcome === 'refused') throw new Error(decision.refusal.code)
  const events = decision.events.map(({ type, data }) => {
    const eventId = uuid7(Date.now(), randomBytes(10))
    const actor = { kind: 'system', name: 'bench' } as const
    return { type, data, metadata: { eventId, at: now, actor, correlationId: eventId, causationId: eventId } }
  })
  const result = await store.append(streamName('membership', membershipId(guild, account)), noStream, events)
  if (result.outcome === 'conflict') throw new Error('An account is a member already')
  return result.position
}
