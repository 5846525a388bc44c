import { noStream, type EventStore, type RecordedEvent } from '../../application/ports/event-store.js'
import { streamName, type StreamName } from '../../domain/streams.js'
import type { Admission, MemberJoined } from '../../domain/membership/events.js'

/**
 * The events that led to one by the ids in their metadata, oldest first: to a join by an invite the making of the invite and the
 * redemption, to a founder's the founding of the guild. Nothing where the event itself says of no other stream what it came of.
 */
export async function eventsBehind(
  events: Pick<EventStore, 'readStream'>,
  { type, data, metadata }: RecordedEvent,
): Promise<readonly RecordedEvent[]> {
  if (type !== 'MemberJoined') return []
  // The codec has checked that the data is what the type says.
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
    case 'community':
    case 'bot_installation':
      return undefined
  }
}
