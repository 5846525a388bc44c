import { Folded } from '../parts/folded.tsx'
import { PlainText } from '../parts/plain-text.tsx'
import type { Column } from '../parts/table.tsx'
import { userPath } from '../users/user-list.tsx'
import type { HistoryEvent } from './events-data.ts'

/** Who did something, as history tells it: an account, an Admin key, or a part of the system. */
export type Actor = HistoryEvent['actor']

/** The address of the history of one stream. */
export function streamPath(stream: string): string {
  return `/history/streams/${encodeURIComponent(stream)}`
}

/** The address of all that belongs to an entry of the admin audit log, an event or a request. */
export function explanationPath(id: string): string {
  return `/history/explain/${encodeURIComponent(id)}`
}

/** An actor in words. */
export function actorText({ kind, id }: Actor): string {
  return kind === 'account' ? id : `${kind.replaceAll('_', ' ')} ${id}`
}

/** Where an actor has a page. */
export function actorPath({ account_id: id }: Actor): string | undefined {
  return id === null ? undefined : userPath({ id })
}

/** Who made an event, in which request, and why: the same in each table of events. */
export const causeColumns: readonly Column<HistoryEvent>[] = [
  { source: 'actor', render: ({ actor }) => actorText(actor), link: ({ actor }) => actorPath(actor) },
  { source: 'operation' },
  { source: 'reason', render: ({ reason }) => <PlainText>{reason}</PlainText> },
]

/** The columns of a table of events from all streams. */
export const eventColumns: readonly Column<HistoryEvent>[] = [
  { source: 'at' },
  { source: 'type', link: ({ event_id: id }) => explanationPath(id) },
  { source: 'stream', link: ({ stream }) => streamPath(stream) },
  { source: 'revision' },
  ...causeColumns,
  { source: 'data', render: (event) => <Folded of={event} without={['id']} /> },
]
