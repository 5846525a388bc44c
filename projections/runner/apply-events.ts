import type { ClientBase } from 'pg'
import type { Position, RecordedEvent } from '../../application/ports/event-store.js'
import { faultIn, type Group, type Taken } from './group.js'
import { park, type ParkedIn } from './parked.js'
import { moveCheckpoints, type ModelTables } from './registry.js'

/**
 * Carries out what events do to the tables of a group, in the transaction that the client is in, and parks the streams whose
 * events it can't take; gives those. An event that does not fit its rows costs the batch a second way through, one event at
 * a time.
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

/** As `applyEvents`, where one of the events is known not to fit its rows. */
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
  for (const { schema, parked: stream } of parked) await park(client, schema, stream)
  return parked
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
  /** Called before the rows are written, and before the commit. */
  readonly beforeApply?: () => void
  readonly beforeCommit?: () => void
}

/**
 * Whether a batch was written. It is not where checkpoints are others than expected (some missing, or some beside them), or
 * where tables were swapped since the group was made.
 */
export type Advanced =
  | { readonly outcome: 'advanced'; readonly parked: readonly ParkedIn[] }
  | { readonly outcome: 'refused'; readonly missing: readonly string[] }

/**
 * One batch: rows and checkpoints in one transaction, so each event counts exactly once. It writes nothing unless the
 * checkpoints of the group, and no others of `known`, stand at `from`.
 */
export async function advance(client: ClientBase, step: Advance): Promise<Advanced> {
  try {
    return await advanceBy(client, step, (group, events) => carryOut(client, group.take(events)))
  } catch (error) {
    if (faultIn(error) === undefined) throw error
    await client.query('rollback')
    return advanceBy(client, step, (group, events) => applyOneByOne(client, group, events))
  }
}

async function advanceBy(
  client: ClientBase,
  { group, known, from, events, beforeApply, beforeCommit }: Advance,
  apply: (group: Group, events: readonly RecordedEvent[]) => Promise<readonly ParkedIn[]>,
): Promise<Advanced> {
  const expected = group.models.map(schemaVersionOf)
  const to = events.at(-1)?.position ?? from
  await client.query('begin')
  const moved = await moveCheckpoints(client, known ?? expected, from, to)
  const missing = group.models.filter(({ schema, tablesId }) => moved.get(schema) !== tablesId)
  if (missing.length > 0 || moved.size > expected.length) {
    await client.query('rollback')
    // Tables that were swapped are there, at this position; only this group does not know them.
    return { outcome: 'refused', missing: missing.map(({ schema }) => schema).filter((schema) => !moved.has(schema)) }
  }
  beforeApply?.()
  const parked = await apply(group, events)
  beforeCommit?.()
  await client.query('commit')
  return { outcome: 'advanced', parked }
}

function schemaVersionOf({ schema, projection }: ModelTables): SchemaVersion {
  return { schema, version: projection.version }
}
