import type { Actor, RecordedEvent } from '../../application/ports/event-store.ts'
import { noStream, type EventStore } from '../../application/ports/event-store.ts'
import { categories } from '../../domain/aggregates.ts'
import { categoryOf, type StreamName } from '../../domain/streams.ts'
import { shownEvent } from '../shown-event.ts'
import { besideServer } from './beside.ts'
import { eventsBehind } from './events-behind.ts'

/**
 * Prints the events of a stream, oldest first, each with its actor and its cause. Before a join it prints how the join came
 * about, from the invite to its redemption. Leaves out personal members and reasons.
 */
export async function history(stream: string, print: (line: string) => void): Promise<void> {
  if (!isStreamName(stream))
    throw new Error(
      `${stream} is not a stream: a stream is named <category>-<id>, and the categories are ${categories.join(', ')}`,
    )
  await besideServer(({ events }) => printHistory(events, stream, print))
}

/** The same for an open store. */
export async function printHistory(
  events: Pick<EventStore, 'readStream'>,
  stream: StreamName,
  print: (line: string) => void,
): Promise<void> {
  let count = 0
  for await (const page of events.readStream(stream, noStream)) {
    for (const event of page) {
      for (const behind of await eventsBehind(events, event)) printEvent(behind, print, behind.stream)
      printEvent(event, print)
    }
    count += page.length
  }
  print(count === 0 ? `Nothing has happened in ${stream}.` : `${count} ${count === 1 ? 'event' : 'events'}.`)
}

function isStreamName(stream: string): stream is StreamName {
  return categoryOf(stream) !== undefined
}

/** `elsewhere`: the stream of the event, if it is not the printed one. */
function printEvent(event: RecordedEvent, print: (line: string) => void, elsewhere?: StreamName): void {
  const { revision, position, type, metadata } = event
  const { data, reason } = shownEvent(event)
  const place = elsewhere === undefined ? '' : `, in ${elsewhere}`
  print(`${(elsewhere === undefined ? revision.toString() : '<').padStart(5)}  ${metadata.at}  ${type}${place}`)
  print(`       position ${position}, by ${actorText(metadata.actor)}, event ${metadata.eventId}`)
  print(
    `       caused by ${metadata.causationId}, request ${metadata.correlationId}${reason === undefined ? '' : `, reason: ${reason}`}`,
  )
  print(`       ${JSON.stringify(data)}`)
}

/** Who caused an event, for an operator. */
export function actorText(actor: Actor): string {
  switch (actor.kind) {
    case 'account':
      return `account ${actor.id}`
    case 'admin_key':
      return `admin key ${actor.id} of account ${actor.accountId}`
    case 'system':
      return `the system (${actor.name})`
  }
}
