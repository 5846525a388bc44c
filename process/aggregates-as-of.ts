import { unlessChanged } from '../adapters/event-store/held-back.ts'
import { Refused } from '../application/commands/refused.ts'
import type { Ports } from '../application/ports.ts'
import { refusal } from '../domain/kernel/refusal.ts'
import { openAggregates } from './aggregates.ts'
import type { Store } from './store.ts'

/** Opens aggregates for acts that were chosen by what a stream held. */
export function aggregatesAsOf({ events, snapshots }: Pick<Store, 'events' | 'snapshots'>): Ports['aggregatesAsOf'] {
  return (chosen) => {
    const error = new Refused(refusal('CONFLICT'))
    return openAggregates({ store: unlessChanged(events, { ...chosen, error }), snapshots })
  }
}
