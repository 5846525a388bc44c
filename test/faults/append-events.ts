import { randomBytes, randomUUID } from 'node:crypto'
import { uuid7 } from '../../application/commands/derive-id.ts'
import type { EventStore } from '../../application/ports/event-store.ts'
import { noStream, type Position, type Revision } from '../../domain/kernel/position.ts'
import { streamName, type StreamName } from '../../domain/streams.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import type { AnyEvent } from '../projections/support/world.ts'

/** Appends events of guilds, their listings and memberships one after another, each to its stream; returns the position of the last one. */
export type AppendEvents = (...events: readonly AnyEvent[]) => Promise<Position>

/** Works only on a store that nobody else appends to, because it remembers the revisions of streams here. */
export function appendEventsTo(store: EventStore): AppendEvents {
  const revisions = new Map<StreamName, Revision>()
  return async (...events) => {
    let position = -1n
    for (const event of events) {
      const stream = streamOf(event)
      const result = await store.append(stream, revisions.get(stream) ?? noStream, [{ ...event, metadata: metadata() }])
      if (result.outcome !== 'appended') throw new Error(`${stream}: ${result.outcome}`)
      revisions.set(stream, result.revision)
      position = result.position
    }
    return position
  }
}

function metadata() {
  return {
    eventId: uuid7(Date.now(), randomBytes(10)),
    at: timestamp(Date.now()),
    actor: { kind: 'system', name: 'test' } as const,
    correlationId: randomUUID(),
    causationId: randomUUID(),
  }
}

function streamOf({ type, data }: AnyEvent): StreamName {
  if (type.startsWith('Discovery') && 'guildId' in data) return streamName('discovery_application', data.guildId)
  if ('guildId' in data && 'accountId' in data) return streamName('membership', `${data.guildId}-${data.accountId}`)
  if ('guildId' in data) return streamName('guild', data.guildId)
  throw new Error('Only events of guilds and memberships are appended here')
}
