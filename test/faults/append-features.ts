import { randomBytes } from 'node:crypto'
import { uuid7 } from '../../application/commands/derive-id.js'
import type { EventStore } from '../../application/ports/event-store.js'
import type { GuildFeature } from '../../domain/guild/features.js'
import type { GuildEvent } from '../../domain/guild/events.js'
import { guildId } from '../../domain/ids/ids.js'
import { snowflake } from '../../domain/ids/snowflake.js'
import { timestamp } from '../../domain/kernel/timestamp.js'
import { streamName } from '../../domain/streams.js'

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
