import type { DomainEvent } from '../../domain/kernel/decider.ts'
import type { RecordedEvent } from '../../application/ports/event-store.ts'

/**
 * A value of a row, as Postgres takes it for the column's type. Ids are decimal strings, instants ISO text, arrays and objects
 * plain.
 */
export type ColumnValue =
  | string
  | number
  | boolean
  | null
  | readonly ColumnValue[]
  | { readonly [member: string]: unknown }

export type Row = Readonly<Record<string, ColumnValue>>

/**
 * One change to the tables of a read model. The changes of a batch take effect in order, and are joined into few statements. To
 * allow that, no table has a unique index except its primary key.
 */
export type RowChange =
  /** Writes a whole row, and replaces one with the same key. A column that is not given gets its default. */
  | { readonly change: 'put'; readonly table: string; readonly row: Row }
  /** Changes some columns of the row with a key, if it exists. */
  | { readonly change: 'patch'; readonly table: string; readonly key: Row; readonly columns: Row }
  /** Adds whole numbers to columns of the row with a key. A missing row is made, with its other columns at their defaults. */
  | {
      readonly change: 'add'
      readonly table: string
      readonly key: Row
      readonly amounts: Readonly<Record<string, number>>
    }
  /** Removes the row with a key. */
  | { readonly change: 'remove'; readonly table: string; readonly key: Row }
  /** Removes every row whose columns have these values, none of which is null. */
  | { readonly change: 'removeWhere'; readonly table: string; readonly columns: Row }

export const put = (table: string, row: Row): RowChange => ({ change: 'put', table, row })
export const patch = (table: string, key: Row, columns: Row): RowChange => ({ change: 'patch', table, key, columns })
export const add = (table: string, key: Row, amounts: Readonly<Record<string, number>>): RowChange => ({
  change: 'add',
  table,
  key,
  amounts,
})
export const remove = (table: string, key: Row): RowChange => ({ change: 'remove', table, key })
export const removeWhere = (table: string, columns: Row): RowChange => ({ change: 'removeWhere', table, columns })

/**
 * What a table keeps of each group of rows, besides the rows that have no order. A row gets its order once and keeps it: then the
 * rows that stay do not depend on the size of the batches.
 */
export interface Retention {
  /** The column that has the same value in all rows of a group. */
  readonly group: string
  /** The column that gives the order. Rows in which it is null stay. */
  readonly newestBy: string
  /** Of each group, this many stay: those with the greatest values, and the lower key of two that are equal. */
  readonly rows_max: number
}

/**
 * A read model: its tables, and what each event does to them. Pure: the rows follow from the events alone, whatever the size of
 * the batches. Raise `version` when tables.sql or the mapping changes: the read model is then rebuilt beside the live one.
 */
export interface Projection {
  /** Also the name of the Postgres schema with its live tables. */
  readonly name: string
  /** What it is read for, as a sentence for the reference page. */
  readonly answers: string
  readonly version: number
  /** The file with its `create table` statements, which name no schema. */
  readonly tables: URL
  /** The primary key columns of each table. */
  readonly keys: Readonly<Record<string, readonly string[]>>
  /** Tables of which only the newest rows stay. */
  readonly retains?: Readonly<Record<string, Retention>>
  /** The event types that it handles. */
  readonly handles: readonly string[]
  readonly project: (event: RecordedEvent) => readonly RowChange[]
  /** Whether it also gets every other readable event, for its metadata. */
  readonly takesEvery?: boolean
}

/** What events do to the rows of a read model. */
export type Handlers<Event extends DomainEvent> = {
  readonly [Type in Event['type']]?: (
    event: RecordedEvent<Extract<Event, { readonly type: Type }>>,
  ) => readonly RowChange[]
}

/** Declares a read model over the events of one or more aggregates: `projection<InviteEvent | GuildEvent>()({...})`. */
export function projection<Event extends DomainEvent>(
  declaration: Omit<Projection, 'handles' | 'project' | 'takesEvery'> & {
    readonly on: Handlers<Event>
    /** The changes for any event, whatever its type. They come before those of its type. */
    readonly onEvery?: (event: RecordedEvent) => readonly RowChange[]
  },
): Projection {
  const { on, onEvery, ...rest } = declaration
  const handlers = new Map(Object.entries(on)) as ReadonlyMap<string, (event: RecordedEvent) => readonly RowChange[]>
  return {
    ...rest,
    handles: [...handlers.keys()],
    takesEvery: onEvery !== undefined,
    project: (event) => {
      const changes = handlers.get(event.type)?.(event) ?? []
      return onEvery ? [...onEvery(event), ...changes] : changes
    },
  }
}
