import type { RecordedEvent } from '../../application/ports/event-store.ts'
import type { DispatchName } from '../protocol/dispatch-names.ts'
import { knownEventIn } from '../visibility/known-event.ts'
import { tellingOf } from './tellings.ts'

/** The dispatches that an event may lead to, to those who are connected and may see them: what its tellings say. */
export function dispatchesOf(event: RecordedEvent): readonly DispatchName[] {
  const known = knownEventIn(event)
  return known ? tellingOf(known).raises : []
}
