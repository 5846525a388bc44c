import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { noStream, type Revision } from '../../../domain/kernel/position.ts'

/** A moment in the life of a stream: after an event, or at a time, which is after the events before the first later one. */
export type Moment =
  | { readonly by: 'revision'; readonly revision: Revision }
  | { readonly by: 'time'; readonly time: Timestamp }
  | { readonly by: 'end' }

export const atEnd: Moment = { by: 'end' }
export const beforeFirst: Moment = { by: 'revision', revision: noStream }
