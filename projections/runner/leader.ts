import type { ClientBase } from 'pg'
import type { EventStore, RecordedEvent } from '../../application/ports/event-store.ts'
import { beforeAll, type Position } from '../../domain/kernel/position.ts'
import { traceEach } from '../../application/observation/traces.ts'
import { advance, type Advance } from './apply-events.ts'
import { liveBatch_events_max, rebuildBatches } from './event-batches.ts'
import { groupOf, type Group } from './group.ts'
import { jointMoves, type SchemaVersion } from './move-checkpoints.ts'
import { noteOrigin } from './origin.ts'
import { planEachTime, planOnce } from './plan-modes.ts'
import { alarmsOf } from './parked.ts'
import { aborted } from '../../application/concurrency/pauses.ts'
import type { Projection } from './projection.ts'
import { liveCheckpoints, modelTables, ReadModelIsNewer, ReadModelsAhead, type ModelTables } from './registry.ts'
import type { ProjectionInSchema } from './rows/table-columns.ts'
import { areWhole, markWhole } from './whole.ts'

/** Another process moved checkpoints that only the leader may move. Nothing of the current batch was written. */
export class CheckpointsMoved extends Error {
  override readonly name = 'CheckpointsMoved'

  constructor(schemas: readonly string[], expected: Position) {
    super(`Checkpoints of ${schemas.join()} are not at ${expected}: somebody else projects too`)
  }
}

/** Points at which a test may stop the process. */
export type Failpoint = 'before apply' | 'before commit' | 'after commit'

export interface LeaderSettings {
  readonly store: EventStore
  readonly projections: readonly Projection[]
  /** The end of the store when this process started. Empty read models are built up to it, without effects. */
  readonly history: Position
  /** Called with committed events, in order. */
  readonly onCommitted: (events: readonly RecordedEvent[]) => Promise<void>
  /** Called with the position of all live read models, once the committed events are published. */
  readonly onPosition: (position: Position) => void
  /**
   * Called after events were projected later than events that stand behind them: rows may differ from what the right order
   * gives.
   */
  readonly onLate: () => void
  readonly onError: (error: unknown) => void
  readonly failpoint?: ((point: Failpoint) => void) | undefined
}

/** The live read models. */
interface Live {
  /** Lowest position first. Read models at the same position advance together. */
  readonly levels: readonly Level[]
  /** The positions of read models in versions that this program does not project: their successors are being built. */
  readonly outdated: readonly Position[]
}

interface Level {
  readonly position: Position
  readonly models: readonly ModelTables[]
}

/** Projects, on a connection that holds the leader's lock. */
export class Leader {
  readonly #settings: LeaderSettings
  readonly #known: readonly SchemaVersion[]
  #regrouping = new AbortController()
  /** A batch that may have been committed but was not published. */
  #inDoubt: readonly RecordedEvent[] = []
  #published = Promise.resolve()
  /** Up to here, read models that this process found empty are built, and lost rows are written again, without effects. */
  #silentUpTo = beforeAll
  #knowsOrigin = false
  /** Where the read models are whole again after a crash of Postgres; undefined while nothing is lost. */
  #wholeAt: Position | undefined

  constructor(settings: LeaderSettings) {
    this.#settings = settings
    this.#known = settings.projections.map(({ name, version }) => ({ schema: name, version }))
  }

  /**
   * Projects until the signal aborts. Rejects when a batch fails, and with `ReadModelIsNewer` when a newer version took over.
   */
  async lead(client: ClientBase, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#regrouping = new AbortController()
      const until = AbortSignal.any([signal, this.#regrouping.signal])
      const live = await this.#live(client)
      const [lowest, next] = live.levels
      const { store, history } = this.#settings
      const end = await store.end()
      refuseAhead(live, end)
      this.#wholeAt = (await areWhole(client)) ? undefined : end
      if (lowest?.position === beforeAll) this.#silentUpTo = highest(this.#silentUpTo, history)
      if (!lowest) await aborted(until)
      else if (next) await this.#catchUp(client, lowest, next.position, until)
      else if (lowest.position < this.#silentUpTo) await this.#catchUp(client, lowest, this.#silentUpTo, until)
      else await this.#follow(client, lowest, live.outdated, until)
    }
  }

  /** Reads again which read models are live, after the current batch. */
  regroup(): void {
    this.#regrouping.abort()
  }

  /** Publishes the newest batch, unless that has happened, once the read models are known to have reached its end. */
  async settleDoubt(reached: Position): Promise<void> {
    const events = this.#inDoubt
    const last = events.at(-1)
    if (last && last.position <= reached) {
      this.#inDoubt = []
      this.#published = this.#published.then(() => this.#publish(events))
    }
    await this.#published
  }

  async #publish(events: readonly RecordedEvent[]): Promise<void> {
    try {
      await this.#settings.onCommitted(events)
    } catch (error) {
      this.#settings.onError(error)
    }
  }

  async #live(client: ClientBase): Promise<Live> {
    const current: ProjectionInSchema[] = []
    const standing = new Map<string, Position>()
    const outdated: Position[] = []
    for (const checkpoint of await liveCheckpoints(client)) {
      const projection = this.#settings.projections.find(({ name }) => name === checkpoint.name)
      if (!projection) continue
      const { position, version, schema } = checkpoint
      if (version > projection.version) throw new ReadModelIsNewer(checkpoint, projection.version)
      if (version < projection.version) outdated.push(position)
      else {
        current.push({ schema, projection })
        standing.set(schema, position)
      }
    }
    const tables = await modelTables(client, current)
    const positions = [...new Set(standing.values())].toSorted((a, b) => (a < b ? -1 : 1))
    const levels = positions.map((position) => ({
      position,
      models: tables.filter(({ schema }) => standing.get(schema) === position),
    }))
    return { levels, outdated }
  }

  /** Changes the rows up to a position and publishes nothing: read models that are ahead published these events, or a build needs none. */
  async #catchUp(client: ClientBase, { position, models }: Level, upTo: Position, signal: AbortSignal): Promise<void> {
    const group = groupOf(models)
    await planEachTime(client)
    let from = position
    for await (const events of rebuildBatches(this.#settings.store.readAll(from), upTo)) {
      if (signal.aborted) return
      if (!(await this.#advance(client, { group, from, events }))) return
      from = events.at(-1)?.position ?? from
    }
  }

  async #follow(client: ClientBase, level: Level, outdated: readonly Position[], signal: AbortSignal): Promise<void> {
    const { store, failpoint } = this.#settings
    const group = groupOf(level.models)
    const joint = jointMoves()
    let from = level.position
    await planOnce(client)
    await this.#tell(client, from, outdated)
    for await (const events of store.follow(from, { signal, maxEvents: liveBatch_events_max })) {
      const beforeApply = (): void => failpoint?.('before apply')
      const beforeCommit = (): void => {
        failpoint?.('before commit')
        this.#inDoubt = group.publishable(events)
      }
      const afterRefusal = (): void => void (this.#inDoubt = [])
      const step = { group, known: this.#known, joint, from, events, beforeApply, beforeCommit, afterRefusal }
      const began_ms = performance.now()
      // Another read model was swapped in at this position: it joins from now on.
      if (!(await this.#advance(client, step))) return
      traceBatch(events, began_ms)
      failpoint?.('after commit')
      if (areLate(events, from)) this.#settings.onLate()
      from = events.at(-1)?.position ?? from
      await this.#tell(client, from, outdated)
    }
  }

  /** Writes a batch and reports the streams it parked; false if the read models have changed. */
  async #advance(client: ClientBase, step: Advance): Promise<boolean> {
    const advanced = await advance(client, step)
    if (advanced.outcome === 'refused') {
      if (advanced.missing.length > 0) throw await this.#refusal(client, step.group, step.from)
      return false
    }
    for (const alarm of alarmsOf(advanced.parked)) this.#settings.onError(alarm)
    return true
  }

  async #tell(client: ClientBase, position: Position, outdated: readonly Position[]): Promise<void> {
    await this.settleDoubt(position)
    // If the batch in doubt is still in doubt, it was not committed: otherwise the checkpoints would stand after it.
    this.#inDoubt = []
    // If the rows are lost after this, they are written again silently: these events are published already.
    this.#silentUpTo = highest(this.#silentUpTo, position)
    if (!this.#knowsOrigin && position !== beforeAll) this.#knowsOrigin = await noteOrigin(client, this.#settings.store)
    if (this.#wholeAt !== undefined && position >= this.#wholeAt) {
      await markWhole(client)
      this.#wholeAt = undefined
    }
    this.#settings.onPosition([position, ...outdated].reduce((lowest, other) => (other < lowest ? other : lowest)))
  }

  async #refusal(client: ClientBase, { models }: Group, expected: Position): Promise<Error> {
    await this.#live(client)
    return new CheckpointsMoved(
      models.map(({ schema }) => schema),
      expected,
    )
  }
}

/** Each request whose events are in the batch has waited for all of it. */
function traceBatch(events: readonly RecordedEvent[], began_ms: number): void {
  traceEach(
    began_ms,
    () => events.map(({ metadata }) => metadata.correlationId),
    () => ({ name: 'projection batch', attributes: { 'guildhall.events': events.length } }),
  )
}

/** Whether events come after ones that stand behind them, before this batch or in it, because a store had skipped them. */
function areLate(events: readonly RecordedEvent[], from: Position): boolean {
  return events.some(({ position }, index) => position < (events[index - 1]?.position ?? from))
}

function refuseAhead({ levels }: Live, end: Position): void {
  const highest = levels.at(-1)
  if (highest && highest.position > end) throw new ReadModelsAhead(highest.position, end)
}

function highest(a: Position, b: Position): Position {
  return a > b ? a : b
}
