import { rowOf } from '../../../application/sql/row-of.ts'
import { sql } from '../../../application/sql/sql.ts'
import type { Revision } from '../../../domain/kernel/position.ts'

/** The columns of `eventColumns`. */
export interface EventColumns {
  readonly stream: string
  readonly revision: Revision
  readonly position: string
  readonly eventId: string
  readonly type: string
  readonly data: unknown
  readonly metadata: unknown
}

/** A row of event_store.events. The codec judges its data and metadata. */
export const eventOf = ({ position, ...row }: EventColumns) => ({ ...row, position: BigInt(position) })
export const eventRow = rowOf(eventOf)

export const eventColumns = sql.fragment`stream, revision, position, event_id as "eventId", type, data, metadata`
