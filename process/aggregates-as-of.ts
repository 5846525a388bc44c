import { unlessChanged, withoutSnapshotsOf } from '../adapters/event-store/held-back.ts'
import { Refused } from '../application/commands/refused.ts'
import type { Ports } from '../application/ports.ts'
import { refusal } from '../domain/kernel/refusal.ts'
import { openAggregates } from './aggregates.ts'
import type { Store } from './store.ts'

/**
 * Opens aggregates for acts that were chosen by what a stream held. An act rejects with the error if the stream has had other
 * events since.
 */
export function aggregatesAsOf(
  { events, snapshots }: Pick<Store, 'events' | 'snapshots'>,
  error: Error = new Refused(refusal('CONFLICT')),
): Ports['aggregatesAsOf'] {
  return (chosen) =>
    openAggregates({
      store: unlessChanged(events, { ...chosen, error }),
      snapshots: withoutSnapshotsOf(snapshots, chosen.stream),
    })
}
