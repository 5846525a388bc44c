import { randomBytes } from 'node:crypto'
import { uuid7 } from '../../application/commands/derive-id.ts'
import type { EventStore } from '../../application/ports/event-store.ts'
import type { GuildFeature } from '../../domain/guild/features.ts'
import type { GuildEvent } from '../../domain/guild/events.ts'
import { guildId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { streamName } from '../../domain/streams.ts'

/** Gives a guild exactly these features, as another process of the product would. Throws if somebody changes the guild meanwhile. */
export async function appendFeatures(events: EventStore, id: string, features: readonly GuildFeature[]): Promise<void> {
  const stream = streamName('guild', id)
  let revision = -1
  for await (const page of events.readStream(stream, -1)) revision = page.at(-1)?.revision ?? revision
  const changed: GuildEvent = {
    type: 'GuildFeaturesChanged',
    data: { guildId: guildId(snowflake(id)), features },
  }
  const eventId = uuid7(Date.now(), randomBytes(10))
  const actor = { kind: 'system', name: 'test' } as const
  const metadata = { eventId, at: timestamp(Date.now()), actor, correlationId: eventId, causationId: eventId }
  const { outcome } = await events.append(stream, revision, [{ ...changed, metadata }])
  if (outcome !== 'appended') throw new Error(`${stream}: ${outcome}`)
}
