import type { RecordedEvent } from '../../../application/ports/event-store.ts'
import type { ReportQueries } from '../../../application/ports/queries/report-queries.ts'
import { compareSnowflakes } from '../../../domain/ids/snowflake.ts'
import { msOf } from '../../../domain/kernel/timestamp.ts'
import type { ReportEvent, ReportFiled, ReportResolved } from '../../../domain/report/events.ts'

interface Row extends ReportFiled {
  readonly resolution: Pick<ReportResolved, 'adminId' | 'resolvedAt'> | null
}

/** The reports, as far as use cases need them: searches are tested with Postgres. */
export class ReportRows {
  readonly #rows = new Map<string, Row>()

  apply(recorded: RecordedEvent): void {
    // Only events of reports come here.
    const event = recorded as unknown as ReportEvent
    if (event.type === 'ReportFiled') this.#rows.set(event.data.reportId, { ...event.data, resolution: null })
    if (event.type !== 'ReportResolved') return
    const row = this.#rows.get(event.data.reportId)
    if (row) this.#rows.set(row.reportId, { ...row, resolution: event.data })
  }

  get queries(): Pick<ReportQueries, 'pendingAgainst'> {
    return {
      pendingAgainst: async (account, { without, orResolved, after, count_max }) =>
        [...this.#rows.values()]
          .filter(({ reported, category }) => reported.accountId === account && !without.includes(category))
          .filter(
            ({ resolution }) =>
              resolution === null ||
              (resolution.adminId === orResolved?.by && msOf(resolution.resolvedAt) >= msOf(orResolved.since)),
          )
          .map(({ reportId: id, reporterId }) => ({ id, reporterId }))
          .filter(({ id }) => after === null || compareSnowflakes(id, after) > 0)
          .toSorted((a, b) => compareSnowflakes(a.id, b.id))
          .slice(0, count_max),
    }
  }
}
