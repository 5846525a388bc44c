import { randomBytes } from 'node:crypto'
import { uuid7 } from '../../application/commands/derive-id.ts'
import type { NewEvent } from '../../application/ports/event-store.ts'
import { accountId, type AccountId } from '../../domain/ids/ids.ts'
import { snowflake, type Snowflake } from '../../domain/ids/snowflake.ts'
import { streamName, type StreamName } from '../../domain/streams.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'

/** A new event for a stream of its own. */
export interface NewStream {
  readonly stream: StreamName
  readonly event: NewEvent
}

export interface InvitePlace {
  readonly guildId: Snowflake
  readonly channelId: Snowflake
  readonly inviterId: AccountId
}

/** A guild that does not exist. */
const nowhere: InvitePlace = {
  guildId: snowflake('1444000000000000001'),
  channelId: snowflake('1444000000000000002'),
  inviterId: accountId(snowflake('1444000000000000003')),
}

/** What Create channel invite writes: a new event for a new stream. */
export function inviteCreated(place: InvitePlace = nowhere): NewStream {
  const now = Date.now()
  const random = randomBytes(18)
  const code = random.toString('base64url')
  const eventId = uuid7(now, random.subarray(0, 10))
  const at = timestamp(now)
  const terms = { maxUses: 10, maxAge: 86_400, temporary: false, createdAt: at }
  const metadata = {
    eventId,
    at,
    actor: { kind: 'account', id: place.inviterId },
    correlationId: eventId,
    causationId: eventId,
  } as const
  return {
    stream: streamName('invite', code),
    event: { type: 'InviteCreated', data: { code, ...place, ...terms }, metadata },
  }
}

/** The form in which events are stored. */
export function storedParts({ type, data, metadata }: NewEvent) {
  const { eventId, ...rest } = metadata
  return { eventId, type, data, metadata: { ...rest, schemaVersion: 1 } }
}
