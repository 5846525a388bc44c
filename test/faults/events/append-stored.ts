import { randomBytes, randomUUID } from 'node:crypto'
import { uuid7 } from '../../../application/commands/derive-id.ts'
import type { StoredEvents } from '../../../application/ports/stored-events.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'

/** An event of any type, with any data and in any version, as foreign software could have written it. */
export interface ForeignEvent {
  readonly stream: string
  readonly type: string
  readonly data: unknown
  readonly schemaVersion?: number
}

const streamEvents_max = 1000

/** Appends an event without any check of its meaning; returns its position and its id. */
export async function appendForeign(
  stored: StoredEvents,
  { stream, type, data, schemaVersion = 1 }: ForeignEvent,
): Promise<{ readonly position: bigint; readonly eventId: string }> {
  let revision = 0
  while (revision < streamEvents_max && (await stored.find(stream, revision))) revision += 1
  const end = await stored.end()
  const eventId = uuid7(Date.now(), randomBytes(10))
  const metadata = {
    schemaVersion,
    at: timestamp(Date.now()),
    actor: { kind: 'system', name: 'somebody else' },
    correlationId: randomUUID(),
    causationId: randomUUID(),
  }
  const position = await stored.append(end, [{ stream, revision, position: end + 1n, eventId, type, data, metadata }])
  return { position, eventId }
}
