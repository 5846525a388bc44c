import type { ClientBase, QueryConfig } from 'pg'
import type { RecordedEvent } from '../../application/ports/event-store.ts'
import type { Position } from '../../domain/kernel/position.ts'
import { faultIn, type Group, type Taken } from './group.ts'
import {
  gatherStatement,
  jointMoveStatement,
  missingAt,
  moveStatement,
  standElsewhere,
  type Joint,
  type Move,
  type SchemaVersion,
} from './move-checkpoints.ts'
import { parkStatement, type ParkedIn } from './parked.ts'
import type { ModelTables } from './registry.ts'
import { ignore, sendTogether, type Commit } from './send-together.ts'

/**
 * Applies events to the tables of a group, in the client's open transaction, and parks the streams whose events do not fit;
 * gives those streams. If an event does not fit its rows, the batch is applied again, one event at a time.
 */
export async function applyEvents(
  client: ClientBase,
  group: Group,
  events: readonly RecordedEvent[],
): Promise<readonly ParkedIn[]> {
  await client.query('savepoint batch')
  try {
    return await carryOut(client, group.take(events))
  } catch (error) {
    if (faultIn(error) === undefined) throw error
    await client.query('rollback to savepoint batch')
    return applyOneByOne(client, group, events)
  }
}

/** Like `applyEvents`, when one of the events is known not to fit its rows. */
async function applyOneByOne(
  client: ClientBase,
  group: Group,
  events: readonly RecordedEvent[],
): Promise<readonly ParkedIn[]> {
  const parked: ParkedIn[] = []
  for (const event of events) {
    for (const part of group.partsFor(event)) {
      await client.query('savepoint event')
      try {
        parked.push(...(await carryOut(client, part.take([event]))))
      } catch (error) {
        const reason = faultIn(error)
        if (reason === undefined) throw error
        await client.query('rollback to savepoint event')
        parked.push(...(await carryOut(client, part.giveUp(event, reason))))
      }
      await client.query('release savepoint event')
    }
  }
  return parked
}

async function carryOut(client: ClientBase, { statements, parked }: Taken): Promise<readonly ParkedIn[]> {
  for (const { name, text, values } of statements) await client.query({ name, text, values: [...values] })
  for (const { schema, parked: stream } of parked) await client.query(parkStatement(schema, stream))
  return parked
}

/** A batch to be written. */
export interface Batch extends Commit {
  readonly group: Group
  readonly events: readonly RecordedEvent[]
  /** Its rows, if they were computed before; they are computed now if absent. */
  readonly taken?: () => Taken
  /** Called before the rows are written. */
  readonly beforeApply?: () => void
}

export interface Advance extends Batch {
  /** Schemas that must advance with the group if they stand at the same position. */
  readonly known?: readonly SchemaVersion[]
  readonly from: Position
  /** The moves of this group, where it moves again and again. */
  readonly joint?: Joint
}

/**
 * Whether a batch was written. It is refused if checkpoints are not as expected (some missing, or some in addition), or if
 * tables were swapped since the group was made.
 */
export type Advanced =
  | { readonly outcome: 'advanced'; readonly parked: readonly ParkedIn[] }
  | { readonly outcome: 'refused'; readonly missing: readonly string[] }

/**
 * Writes one batch: rows and checkpoints in one transaction, so each event counts exactly once. It writes nothing unless the
 * checkpoints of the group, and no others of `known`, stand at `from`. If an event does not fit its rows, the batch is applied
 * again, one event at a time.
 */
export async function advance(client: ClientBase, step: Advance): Promise<Advanced> {
  const { group, from, joint } = step
  const last = step.events.at(-1)
  if (joint?.isGathered) {
    const parked = await unlessElsewhere(write(client, step, [jointMoveStatement({ from, last }, joint)]))
    if (parked) return { outcome: 'advanced', parked }
    joint.isGathered = false
  }
  const move: Move = { from, last, models: group.models, known: step.known ?? group.models.map(schemaVersionOf) }
  const parked = await unlessElsewhere(
    write(client, step, [joint ? gatherStatement(move, joint) : moveStatement(move)]),
  )
  // Else tables were swapped in at this position, and this group does not know them yet.
  if (!parked) return { outcome: 'refused', missing: await missingAt(client, group.models.map(schemaVersionOf), from) }
  if (joint) joint.isGathered = true
  return { outcome: 'advanced', parked }
}

/** Undefined if it fails because checkpoints are not as expected. */
async function unlessElsewhere<Result>(written: Promise<Result>): Promise<Result | undefined> {
  try {
    return await written
  } catch (error) {
    if (!standElsewhere(error)) throw error
    return undefined
  }
}

/** Writes one batch of tables that have no checkpoint, like `advance`. Gives the streams that it parked. */
export const writeRows = (client: ClientBase, batch: Batch): Promise<readonly ParkedIn[]> => write(client, batch, [])

/** Runs the given statements and writes the rows of a batch, in one transaction. */
async function write(client: ClientBase, batch: Batch, before: readonly QueryConfig[]): Promise<readonly ParkedIn[]> {
  try {
    return await writeTogether(client, batch, before)
  } catch (error) {
    if (faultIn(error) === undefined) throw error
    return writeOneByOne(client, batch, before)
  }
}

async function writeTogether(
  client: ClientBase,
  batch: Batch,
  before: readonly QueryConfig[],
): Promise<readonly ParkedIn[]> {
  const { statements, parked } = (batch.taken ?? (() => batch.group.take(batch.events)))()
  batch.beforeApply?.()
  const rows = statements.map(({ name, text, values }) => ({ name, text, values: [...values] }))
  const parking = parked.map(({ schema, parked: stream }) => parkStatement(schema, stream))
  await sendTogether(client, [...before, ...rows, ...parking], batch)
  return parked
}

async function writeOneByOne(
  client: ClientBase,
  { group, events, beforeApply, beforeCommit }: Batch,
  before: readonly QueryConfig[],
): Promise<readonly ParkedIn[]> {
  await client.query('begin')
  try {
    for (const statement of before) await client.query(statement)
    beforeApply?.()
    const parked = await applyOneByOne(client, group, events)
    beforeCommit?.()
    await client.query('commit')
    return parked
  } catch (error) {
    await client.query('rollback').catch(ignore)
    throw error
  }
}

/**
 * Writes batches in order, as `write` does it. While one is being written, the rows of the next are computed; they are computed
 * again if a stream was parked meanwhile. Ends before the next batch when the signal aborts.
 */
export async function writeInOrder(
  batches: AsyncIterable<readonly RecordedEvent[]>,
  group: Group,
  signal: AbortSignal,
  write: (batch: Batch) => Promise<readonly ParkedIn[]>,
): Promise<void> {
  let written: Promise<readonly ParkedIn[]> = Promise.resolve([])
  try {
    for await (const events of batches) {
      const ahead = attempt(() => group.take(events))
      const parked = await written
      if (signal.aborted) return
      written = write({ group, events, ...(parked.length === 0 && { taken: ahead }) })
      // While the next batch is read, nothing awaits this promise. Its error is not lost: the next step or the end gets it.
      written.catch(ignore)
    }
    await written
  } finally {
    // Nobody else uses the connection while it writes.
    await Promise.allSettled([written])
  }
}

/** Does a piece of work now, and gives its result or its error when it is asked. */
function attempt<Result>(task: () => Result): () => Result {
  try {
    const result = task()
    return () => result
  } catch (error) {
    return () => {
      throw error
    }
  }
}

function schemaVersionOf({ schema, projection }: ModelTables): SchemaVersion {
  return { schema, version: projection.version }
}
