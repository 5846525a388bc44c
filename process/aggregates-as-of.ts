import { unlessChanged, withoutSnapshotsOf } from '../adapters/event-store/held-back.ts'
import { Refused } from '../application/commands/refused.ts'
import type { Aggregates } from '../application/ports.ts'
import type { StreamAsOf } from '../application/ports/event-store.ts'
import { refusal } from '../domain/kernel/refusal.ts'
import { openAggregates } from './aggregates.ts'
import type { Store } from './store.ts'

/**
 * Opens aggregates for acts that were chosen by what streams held. An act rejects with the error if one of these streams has had
 * other events since.
 */
export function aggregatesAsOf(
  { events, snapshots }: Pick<Store, 'events' | 'snapshots'>,
  error: Error = new Refused(refusal('CONFLICT')),
): (chosen: readonly StreamAsOf[]) => Aggregates {
  return (chosen) =>
    openAggregates({
      store: unlessChanged(events, chosen, error),
      snapshots: withoutSnapshotsOf(snapshots, new Set(chosen.map(({ stream }) => stream))),
    })
}
