import type { EventStore, RecordedEvent } from '../../application/ports/event-store.ts'
import { noStream } from '../../domain/kernel/position.ts'
import { streamName, type StreamName } from '../../domain/streams.ts'
import type { Admission, MemberJoined } from '../../domain/membership/events.ts'

/**
 * The events that led to a join, found by the ids in their metadata, oldest first. For a join by an invite: the invite's
 * creation and redemption. For the founder's: the creation of the guild. Empty if the event does not name a cause in another
 * stream.
 */
export async function eventsBehind(
  events: Pick<EventStore, 'readStream'>,
  { type, data, metadata }: RecordedEvent,
): Promise<readonly RecordedEvent[]> {
  if (type !== 'MemberJoined') return []
  // The codec has checked that the data matches the type.
  const { admission, guildId } = data as MemberJoined
  const stream = streamBehind(admission, guildId)
  if (stream === undefined) return []
  const behind: RecordedEvent[] = []
  for await (const page of events.readStream(stream, noStream)) {
    for (const event of page) {
      const isCause = event.metadata.eventId === metadata.causationId
      if (isCause || event.type === 'InviteCreated') behind.push(event)
      if (isCause) return behind
    }
  }
  return behind
}

function streamBehind(admission: Admission, guildId: MemberJoined['guildId']): StreamName | undefined {
  switch (admission.by) {
    case 'invite':
      return streamName('invite', admission.code)
    case 'founding':
      return streamName('guild', guildId)
    case 'custom_invite':
    case 'discovery':
    case 'community':
    case 'administration':
    case 'bot_installation':
      return undefined
  }
}
