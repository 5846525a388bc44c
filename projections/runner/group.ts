import pg from 'pg'
import { working } from '../../application/observation/at-work.ts'
import type { RecordedEvent } from '../../application/ports/event-store.ts'
import { isUnreadable, reasonCharacters_max } from '../../application/failures/unreadable-event.ts'
import { isParked, parkedStreams_max, TooManyParked, type Parked, type ParkedIn } from './parked.ts'
import type { Retention, RowChange } from './projection.ts'
import type { ModelTables } from './registry.ts'
import { coalesce } from './rows/coalesce-changes.ts'
import { removalsBeyond } from './rows/retained-rows.ts'
import { statementWriter, type Statement, type StatementWriter } from './rows/row-statements.ts'
import type { Table } from './rows/table-columns.ts'

/** Read models whose tables stand at the same position and take the same events. */
export interface Group {
  readonly models: readonly ModelTables[]
  /** The changes of a batch. Throws `DoesNotFit` if one of its events can't be turned into changes of rows. */
  readonly take: (events: readonly RecordedEvent[]) => Taken
  /** The read models that take an event, one by one. */
  readonly partsFor: (event: RecordedEvent) => readonly Part[]
  /** The events that every read model here can take: not those of parked streams, and not unreadable ones. */
  readonly publishable: (events: readonly RecordedEvent[]) => readonly RecordedEvent[]
}

/** What to write for some events: rows, and the streams that they park. */
export interface Taken {
  readonly statements: readonly Statement[]
  readonly parked: readonly (ParkedIn & { readonly schema: string })[]
}

export interface Part {
  readonly take: (events: readonly RecordedEvent[]) => Taken
  /** Parks the stream of an event that does not fit. */
  readonly giveUp: (event: RecordedEvent, reason: string) => Taken
}

/** An event lacks something that the rows of a read model need. */
class DoesNotFit extends Error {
  override readonly name = 'DoesNotFit'
}

/** SQLSTATE classes of values that a column refuses: data exceptions and violated constraints. */
const dataFaults = ['22', '23']

/** Why an event does not fit, if the error is about that; undefined for every other error. */
export function faultIn(error: unknown): string | undefined {
  if (error instanceof DoesNotFit) return error.message
  if (!(error instanceof pg.DatabaseError)) return undefined
  return dataFaults.includes(error.code?.slice(0, 2) ?? '') ? error.message : undefined
}

interface TableWriter {
  readonly table: Table
  readonly retention: Retention | undefined
  readonly write: StatementWriter
  /** The changes of the current batch. */
  changes: RowChange[]
}

interface ModelWriter {
  readonly model: ModelTables
  readonly tables: ReadonlyMap<string, TableWriter>
}

/** Makes a group of read models. It updates the parked streams of each as it takes events. */
export function groupOf(models: readonly ModelTables[]): Group {
  const writers = models.map(modelWriter)
  const handlers = new Map<string, ModelWriter[]>()
  for (const writer of writers) {
    for (const type of writer.model.projection.handles) handlers.set(type, [...(handlers.get(type) ?? []), writer])
  }
  const takingEvery = writers.filter(({ model }) => model.projection.takesEvery)
  for (const [type, handling] of handlers) handlers.set(type, [...new Set([...handling, ...takingEvery])])
  const everyone = { writers, handlers, takingEvery }
  const takers = (event: RecordedEvent): readonly ModelWriter[] => takersOf(everyone, event)
  return {
    models,
    take: (events) => working('projection batch', () => takeAll(writers, takers, events)),
    partsFor: (event) => takers(event).map(partOf),
    publishable(events) {
      const isFree = (event: RecordedEvent): boolean => models.every(({ parked }) => !isParked(parked, event))
      if (models.every(({ parked }) => parked.size === 0) && !events.some(isUnreadable)) return events
      return events.filter((event) => !isUnreadable(event) && isFree(event))
    },
  }
}

const none: readonly ModelWriter[] = []

interface Writers {
  readonly writers: readonly ModelWriter[]
  /** By the type of the event, with those that take every event. */
  readonly handlers: ReadonlyMap<string, readonly ModelWriter[]>
  readonly takingEvery: readonly ModelWriter[]
}

/**
 * The read models that an event concerns. An event of an unknown type may concern any, one of an unknown category none. One whose data
 * are of another version also concerns those that take every event: they are rebuilt once it can be read.
 */
function takersOf({ writers, handlers, takingEvery }: Writers, event: RecordedEvent): readonly ModelWriter[] {
  if (!isUnreadable(event)) return handlers.get(event.type) ?? takingEvery
  switch (event.data.unknown) {
    case 'category':
      return none
    case 'type':
      return writers
    case 'data':
      return handlers.get(event.data.storedType) ?? takingEvery
  }
}

function partOf(writer: ModelWriter): Part {
  return {
    take: (events) => takeAll([writer], () => [writer], events),
    giveUp: ({ stream, position, type, metadata: { eventId } }, why) => {
      const reason = why.slice(0, reasonCharacters_max)
      const parked = { stream, position, eventId, type, cause: 'unprojectable', reason } as const
      return { statements: [], parked: [parkIn(writer.model, parked)] }
    },
  }
}

function takeAll(
  writers: readonly ModelWriter[],
  takers: (event: RecordedEvent) => readonly ModelWriter[],
  events: readonly RecordedEvent[],
): Taken {
  const parked: (ParkedIn & { readonly schema: string })[] = []
  for (const { tables } of writers) for (const table of tables.values()) table.changes = []
  return fitting(() => {
    for (const event of events) {
      for (const writer of takers(event)) {
        const stream = parkedBy(writer.model, event)
        if (stream === 'before') continue
        if (stream) parked.push(parkIn(writer.model, stream))
        else gather(writer, event)
      }
    }
    return { statements: writers.flatMap(({ tables }) => [...tables.values()].flatMap(statementsOf)), parked }
  })
}

/** What an event parks, also when it is taken again; `before` if an earlier event has parked its stream. */
function parkedBy({ parked }: ModelTables, event: RecordedEvent): Parked | 'before' | undefined {
  const since = parked.get(event.stream)
  if (since && isParked(parked, event)) return since.position === event.position ? since : 'before'
  if (!isUnreadable(event)) return undefined
  const { stream, position, data, metadata } = event
  const { storedType: type, reason } = data
  return { stream, position, eventId: metadata.eventId, type, cause: 'unreadable', reason }
}

function parkIn({ schema, projection, parked }: ModelTables, stream: Parked): ParkedIn & { readonly schema: string } {
  if (parked.size >= parkedStreams_max && !parked.has(stream.stream)) throw new TooManyParked(schema, stream)
  parked.set(stream.stream, stream)
  return { readModel: projection.name, schema, parked: stream }
}

function statementsOf({ table, retention, write, changes }: TableWriter): readonly Statement[] {
  if (changes.length === 0) return []
  return [...write(coalesce(changes, table)), ...(retention ? removalsBeyond(table, retention, changes) : [])]
}

function modelWriter(model: ModelTables): ModelWriter {
  const tables = [...model.tables].map(([name, table]): [string, TableWriter] => [
    name,
    { table, retention: model.projection.retains?.[name], write: statementWriter(table), changes: [] },
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

/** An error between an event and its changes occurs every time, because projectors are pure. */
function fitting<Result>(task: () => Result): Result {
  try {
    return task()
  } catch (error) {
    if (error instanceof TooManyParked) throw error
    throw new DoesNotFit(error instanceof Error ? error.message : String(error), { cause: error })
  }
}
