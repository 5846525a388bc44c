import { liveEvents } from '../../application/administration/history/live-events.ts'
import { nothingRevealed } from '../../application/administration/history/masked-event.ts'
import { objectOfEvent } from '../../application/administration/history/objects-for-readers.ts'
import type { Actor, EventStore, RecordedEvent } from '../../application/ports/event-store.ts'
import type { Position } from '../../domain/kernel/position.ts'
import type { EventFilter } from '../../application/ports/queries/history-queries.ts'
import { actorObject, type HistoryEventObject } from '../../application/wire-objects/administration/history-objects.ts'
import type { StreamName } from '../../domain/streams.ts'
import { shownEvent } from '../shown-event.ts'

export type Print = (line: string) => void

/** Prints an event for people. `elsewhere`: its stream, if that is not the printed one. */
export function printEvent(event: RecordedEvent, print: Print, elsewhere?: StreamName): void {
  const { revision, position, type, metadata } = event
  const { data, reason } = shownEvent(event)
  const stream = elsewhere === undefined ? '' : `, in ${elsewhere}`
  print(`${(elsewhere === undefined ? revision.toString() : '<').padStart(5)}  ${metadata.at}  ${type}${stream}`)
  print(`       position ${position}, by ${actorText(metadata.actor)}, event ${metadata.eventId}`)
  print(
    `       caused by ${metadata.causationId}, request ${metadata.correlationId}${reason === undefined ? '' : `, reason: ${reason}`}`,
  )
  print(`       ${JSON.stringify(data)}`)
}

/** Prints an event as one line of JSON, as the Admin API has it without what is personal. */
export function printJsonEvent(event: RecordedEvent, print: Print): void {
  print(JSON.stringify(objectOfEvent(event, nothingRevealed)))
}

/** Prints events as they are written, of one stream or of all, until `signal` aborts. */
export async function followed(
  {
    events,
    after,
    stream,
    filter = {},
    isJson,
    signal,
  }: {
    readonly events: Pick<EventStore, 'follow'>
    readonly after: Position
    readonly stream?: StreamName
    readonly filter?: EventFilter
    readonly isJson: boolean
    readonly signal: AbortSignal
  },
  print: Print,
): Promise<void> {
  for await (const event of liveEvents(events, { after, filter, signal })) {
    if (stream !== undefined && event.stream !== stream) continue
    if (isJson) printJsonEvent(event, print)
    else printEvent(event, print, stream === undefined ? event.stream : undefined)
  }
}

/** Who caused an event, for an operator. */
export function actorText(actor: Actor): string {
  return actorObjectText(actorObject(actor))
}

/** The same of an event as the Admin API has it. */
export function actorObjectText({ kind, id, account_id }: HistoryEventObject['actor']): string {
  switch (kind) {
    case 'account':
      return `account ${id}`
    case 'admin_key':
      return `admin key ${id} of account ${account_id ?? ''}`
    case 'system':
      return `the system (${id})`
  }
}
