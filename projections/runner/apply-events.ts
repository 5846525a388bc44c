import type { ClientBase } from 'pg'
import type { Position, RecordedEvent } from '../../application/ports/event-store.js'
import { faultIn, type Group, type Taken } from './group.js'
import { missingAt, moveStatement, standElsewhere, type Move, type SchemaVersion } from './move-checkpoints.js'
import { parkStatement, type ParkedIn } from './parked.js'
import type { ModelTables } from './registry.js'
import { ignore, sendTogether, type Commit } from './send-together.js'

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

export interface Advance extends Commit {
  readonly group: Group
  /** Schemas that must advance with the group if they stand at the same position. */
  readonly known?: readonly SchemaVersion[]
  readonly from: Position
  readonly events: readonly RecordedEvent[]
  /** Called before the rows are written. */
  readonly beforeApply?: () => void
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
  try {
    return { outcome: 'advanced', parked: await advanceTogether(client, step).catch(whereFaulty(client, step)) }
  } catch (error) {
    if (!standElsewhere(error)) throw error
    // Tables were swapped in at this position, and this group does not know them yet.
    return { outcome: 'refused', missing: await missingAt(client, step.group.models.map(schemaVersionOf), step.from) }
  }
}

async function advanceTogether(client: ClientBase, step: Advance): Promise<readonly ParkedIn[]> {
  const { statements, parked } = step.group.take(step.events)
  step.beforeApply?.()
  const rows = statements.map(({ name, text, values }) => ({ name, text, values: [...values] }))
  const parking = parked.map(({ schema, parked: stream }) => parkStatement(schema, stream))
  await sendTogether(client, [moveStatement(moveOf(step)), ...rows, ...parking], step)
  return parked
}

function whereFaulty(client: ClientBase, step: Advance) {
  return (error: unknown): Promise<readonly ParkedIn[]> => {
    if (faultIn(error) === undefined) throw error
    return advanceOneByOne(client, step)
  }
}

async function advanceOneByOne(client: ClientBase, step: Advance): Promise<readonly ParkedIn[]> {
  await client.query('begin')
  try {
    await client.query(moveStatement(moveOf(step)))
    step.beforeApply?.()
    const parked = await applyOneByOne(client, step.group, step.events)
    step.beforeCommit?.()
    await client.query('commit')
    return parked
  } catch (error) {
    await client.query('rollback').catch(ignore)
    throw error
  }
}

function moveOf({ group, known, from, events }: Advance): Move {
  return { from, last: events.at(-1), models: group.models, known: known ?? group.models.map(schemaVersionOf) }
}

function schemaVersionOf({ schema, projection }: ModelTables): SchemaVersion {
  return { schema, version: projection.version }
}
