import type { RecordedEvent } from '../../../application/ports/event-store.ts'
import type { UnfinishedQueries, UnfinishedStep } from '../../../application/ports/queries/unfinished-queries.ts'
import { unfinishedProjection } from '../../../projections/unfinished/projector.ts'

type Row = Readonly<Record<string, unknown>>

/** The read model of unfinished steps in memory, by the projection itself. */
export class UnfinishedRows {
  readonly #rows = new Map<string, Row>()

  apply(event: RecordedEvent): void {
    for (const change of unfinishedProjection.project(event)) {
      if (change.change === 'put') this.#rows.set(keyOf(change.row), change.row)
      if (change.change === 'remove') this.#rows.delete(keyOf(change.key))
      if (change.change !== 'removeWhere') continue
      for (const [key, row] of this.#rows) {
        if (Object.entries(change.columns).every(([column, value]) => row[column] === value)) this.#rows.delete(key)
      }
    }
  }

  get queries(): UnfinishedQueries {
    return {
      before: async (instant, limit, after) =>
        [...this.#rows.values()]
          .map(stepOf)
          .filter(({ since }) => since < instant)
          .toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
          .filter((step) => after === undefined || orderOf(step) > orderOf(after))
          .slice(0, limit),
      find: async (process, key) => {
        const row = this.#rows.get(keyOf({ process, key }))
        return row && stepOf(row)
      },
    }
  }
}

function keyOf(row: Row): string {
  return JSON.stringify([row['process'], row['key']])
}

const stepOf = (row: Row) =>
  ({
    ...row,
    eventId: row['event_id'],
    correlationId: row['correlation_id'],
    operation: row['operation'] ?? undefined,
  }) as unknown as UnfinishedStep

const orderOf = ({ since, process, key }: UnfinishedStep): string => `${since} ${process} ${key}`
