import type { ClientBase } from 'pg'
import type { Position, RecordedEvent } from '../../application/ports/event-store.js'
import { coalesce } from './rows/coalesce-changes.js'
import type { RowChange } from './projection.js'
import { moveCheckpoints, type ModelTables } from './registry.js'
import { statementWriter, type Statement, type StatementWriter } from './rows/row-statements.js'
import type { Table } from './rows/table-columns.js'

/** Read models whose tables stand at the same position and take the same events. */
export interface Group {
  readonly models: readonly ModelTables[]
  readonly statementsOf: (events: readonly RecordedEvent[]) => readonly Statement[]
}

interface TableWriter {
  readonly table: Table
  readonly write: StatementWriter
  /** The changes of the batch in hand. */
  changes: RowChange[]
}

interface ModelWriter {
  readonly model: ModelTables
  readonly tables: ReadonlyMap<string, TableWriter>
}

/** Gathers read models into a group. */
export function groupOf(models: readonly ModelTables[]): Group {
  const writers = models.map(modelWriter)
  const handlers = new Map<string, ModelWriter[]>()
  for (const writer of writers) {
    for (const type of writer.model.projection.handles) handlers.set(type, [...(handlers.get(type) ?? []), writer])
  }
  const tables = writers.flatMap((writer) => [...writer.tables.values()])
  return {
    models,
    statementsOf: (events) => {
      for (const table of tables) table.changes = []
      for (const event of events) {
        for (const writer of handlers.get(event.type) ?? []) gather(writer, event)
      }
      return tables.flatMap(({ table, write, changes }) => (changes.length > 0 ? write(coalesce(changes, table)) : []))
    },
  }
}

function modelWriter(model: ModelTables): ModelWriter {
  const tables = [...model.tables].map(([name, table]): [string, TableWriter] => [
    name,
    { table, write: statementWriter(table), changes: [] },
  ])
  return { model, tables: new Map(tables) }
}

function gather({ model, tables }: ModelWriter, event: RecordedEvent): void {
  for (const change of model.projection.project(event)) {
    const writer = tables.get(change.table)
    if (!writer) throw new Error(`Read model ${model.projection.name} has no table ${change.table}`)
    writer.changes.push(change)
  }
}

/** Carries out what events do to the tables of a group, in the transaction that the client is in. */
export async function applyEvents(client: ClientBase, group: Group, events: readonly RecordedEvent[]): Promise<void> {
  for (const { name, text, values } of group.statementsOf(events))
    await client.query({ name, text, values: [...values] })
}

/** The tables of one read model in one version. */
export interface SchemaVersion {
  readonly schema: string
  readonly version: number
}

export interface Advance {
  readonly group: Group
  /** The schemas that have to be advanced with the group, where they stand at the same position. */
  readonly known?: readonly SchemaVersion[]
  readonly from: Position
  readonly events: readonly RecordedEvent[]
  /** Called before the commit. */
  readonly beforeCommit?: () => void
}

/** Whether a batch was written. It is not where checkpoints are others than expected: some missing, or some beside them. */
export type Advanced =
  { readonly outcome: 'advanced' } | { readonly outcome: 'refused'; readonly missing: readonly string[] }

/**
 * One batch: rows and checkpoints in one transaction, so each event counts exactly once. It writes nothing unless the
 * checkpoints of the group, and no others of `known`, stand at `from`.
 */
export async function advance(
  client: ClientBase,
  { group, known, from, events, beforeCommit }: Advance,
): Promise<Advanced> {
  const expected = group.models.map(schemaVersionOf)
  const to = events.at(-1)?.position ?? from
  await client.query('begin')
  const moved = await moveCheckpoints(client, known ?? expected, from, to)
  const missing = expected.map(({ schema }) => schema).filter((schema) => !moved.includes(schema))
  if (missing.length > 0 || moved.length > expected.length) {
    await client.query('rollback')
    return { outcome: 'refused', missing }
  }
  await applyEvents(client, group, events)
  beforeCommit?.()
  await client.query('commit')
  return { outcome: 'advanced' }
}

function schemaVersionOf({ schema, projection }: ModelTables): SchemaVersion {
  return { schema, version: projection.version }
}
