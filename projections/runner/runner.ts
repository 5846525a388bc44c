import type { Pool, PoolClient } from 'pg'
import { electorOn, type Seat } from '../../application/concurrency/elector.ts'
import type { EventStore, RecordedEvent } from '../../application/ports/event-store.ts'
import type { ReadModelProgress } from '../../application/ports/instance-status.ts'
import type { Position } from '../../domain/kernel/position.ts'
import type { Notifier } from '../../application/ports/notifier.ts'
import type { ReadModels } from '../../application/ports/read-models.ts'
import { openAnnouncements, type Announcements } from './announcements.ts'
import { Leader, type Failpoint } from './leader.ts'
import { pause } from '../../application/concurrency/pauses.ts'
import { progress, type Progress } from './progress.ts'
import type { Projection } from './projection.ts'
import { buildOutdated, mayBeOutdated, rebuildAll } from './rebuild.ts'
import { liveCheckpoints, locks, positionOf, ReadModelIsNewer, setUpRegistry } from './registry.ts'
import { readModelStatus } from './status.ts'

export interface ProjectionSettings {
  /** Its connections plan each statement for its values (`customPlans`). One of them is held, two while building. */
  readonly pool: Pool
  /** Asked how far the read models are, also while they are built. `pool` by default. */
  readonly askingPool?: Pool
  /** Carries positions and swaps between processes. */
  readonly notifier: Notifier
  readonly store: EventStore
  readonly projections: readonly Projection[]
  /** Publishes events. Called in order, after their rows are committed and before waiting callers are resumed. */
  readonly onCommitted: (events: readonly RecordedEvent[]) => Promise<void>
  /**
   * Called when this process begins to lead. The function that it returns is called when another process may have begun to
   * lead.
   */
  readonly whileLeading?: (readModels: ReadModels) => () => Promise<void>
  /** Called with each position that the read models are known to hold, before callers that waited for it go on. */
  readonly onPosition?: ((position: Position) => void) | undefined
  /** Called when live tables were replaced, or may have been: whoever caches their rows forgets them. */
  readonly onChange?: (() => void) | undefined
  /** Called with every error. Projection continues unless stated otherwise. */
  readonly onError: (error: unknown) => void
  /** For tests: throws at the point where the process should fail. */
  readonly failpoint?: (point: Failpoint) => void
}

/** The read models of this process: projected here, or by another process that leads. */
export interface ProjectionRunner extends ReadModels {
  /** Whether this process projects at the moment. */
  readonly isLeading: boolean
  /**
   * The position for which `reached` resolves at once. It only grows. Before anything is known, it is less than any position.
   */
  readonly position: Position
  status(): Promise<readonly ReadModelProgress[]>
  /** Finishes the current batch and lets another process lead. */
  stop(): Promise<void>
}

/** How often a standby process tries to get the lock: it takes over this soon after a leader's end. */
const standby_ms = 500
const retry_ms = 500

const nothingToEnd = (): Promise<void> => Promise.resolve()

/**
 * Keeps the read models up to date: projects while this process leads, otherwise stands by, and builds read models whose
 * declared version is not live yet. Resolves once the tables exist; `reached` tells how far they have come. Rejects with
 * `ReadModelIsNewer` if the database belongs to a newer version of the product.
 */
export async function startProjections(settings: ProjectionSettings): Promise<ProjectionRunner> {
  // It holds no lock afterwards, so the pool may keep it for the leader.
  const client = await settings.pool.connect()
  try {
    await setUpRegistry(client, settings.projections)
  } catch (error) {
    // Closing it undoes the transaction.
    client.release(true)
    throw error
  }
  client.release()
  return new Runner(settings, await settings.store.end())
}

class Runner implements ProjectionRunner {
  readonly #settings: ProjectionSettings
  readonly #stopping = new AbortController()
  readonly #progress: Progress
  readonly #leader: Leader
  readonly #announcements: Announcements
  readonly #ended: Promise<void>
  #isLeading = false
  /** Whether this process has tried to lead. Until then there may be no other leader to follow. */
  #hasTried = false
  #built = Promise.resolve()
  #isRepairDue = false
  #endLeading = nothingToEnd

  constructor(settings: ProjectionSettings, history: Position) {
    this.#settings = settings
    this.#progress = progress(() => void this.#look(), settings.onPosition)
    this.#announcements = openAnnouncements({
      notifier: settings.notifier,
      onPosition: (position) => void this.#note(position),
      onChange: () => {
        settings.onChange?.()
        return this.#isLeading ? this.#leader.regroup() : void this.#look()
      },
    })
    const onPosition = (position: Position): void => {
      this.#progress.note(position)
      this.#announcements.announce(position)
    }
    this.#leader = new Leader({ ...settings, history, onPosition, onLate: () => this.#repair() })
    this.#ended = this.#keepLeading()
  }

  get isLeading(): boolean {
    return this.#isLeading
  }

  get position(): Position {
    return this.#progress.position
  }

  reached(position: Position): Promise<void> {
    return this.#progress.reached(position)
  }

  status(): Promise<readonly ReadModelProgress[]> {
    return readModelStatus({ ...this.#settings, pool: this.#askingPool })
  }

  get #askingPool(): Pool {
    return this.#settings.askingPool ?? this.#settings.pool
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#announcements.close()
    await this.#ended
    await this.#built
    this.#progress.close()
  }

  /**
   * Notes the announcements of others. Only standby processes need them: a leader knows first, and publishes before it
   * announces.
   */
  async #note(position: Position): Promise<void> {
    if (this.#isLeading) return
    await this.#leader.settleDoubt(position)
    this.#progress.note(position)
  }

  async #look(): Promise<void> {
    if (this.#isLeading || !this.#hasTried) return
    try {
      await this.#note(positionOf(await liveCheckpoints(this.#askingPool), this.#settings.projections))
    } catch (error) {
      this.#settings.onError(error)
    }
  }

  async #keepLeading(): Promise<void> {
    const { pool, onError } = this.#settings
    const { signal } = this.#stopping
    const elector = electorOn<PoolClient>(pool)
    while (!signal.aborted) {
      try {
        await elector.use((seat) => this.#leadWhenFree(seat))
      } catch (error) {
        onError(error)
        // This process may no longer write those tables.
        if (error instanceof ReadModelIsNewer) return
      } finally {
        this.#isLeading = false
        this.#hasTried = true
        const end = this.#endLeading
        this.#endLeading = nothingToEnd
        await end()
      }
      await pause(retry_ms, signal)
    }
  }

  /** The lock belongs to the connection, and every batch is written on that connection: without it nothing is projected. */
  async #leadWhenFree(seat: Seat<PoolClient>): Promise<void> {
    const { client, lost } = seat
    const signal = AbortSignal.any([this.#stopping.signal, lost])
    if (!(await seat.take(locks.leading))) await this.#standBy(seat, signal)
    if (!signal.aborted) {
      this.#isLeading = true
      // The previous leader may have known fewer events than this process.
      await this.#buildIfOutdated(client)
      this.#endLeading = this.#settings.whileLeading?.(this) ?? nothingToEnd
      await this.#leader.lead(client, signal)
    }
    if (lost.aborted) throw new Error("The projector's connection was lost", { cause: lost.reason })
  }

  /** Another process may lead in an earlier version: what is outdated for this one is built meanwhile. */
  async #standBy(seat: Seat<PoolClient>, signal: AbortSignal): Promise<void> {
    this.#hasTried = true
    void this.#look()
    await this.#buildIfOutdated(seat.client)
    do await pause(standby_ms, signal)
    while (!signal.aborted && !(await seat.take(locks.leading)))
  }

  /** Building has a connection of its own, which is opened only if there may be something to build. */
  async #buildIfOutdated(client: PoolClient): Promise<void> {
    if (!(await mayBeOutdated(client, this.#settings).catch(() => true))) return
    this.#built = this.#built.then(() => this.#untilBuilt((signal) => buildOutdated({ ...this.#settings, signal })))
  }

  /** Rebuilds all read models beside the live ones. A repair that waits for its turn also serves the requests after it. */
  #repair(): void {
    if (this.#isRepairDue) return
    this.#isRepairDue = true
    const repair = async (signal: AbortSignal): Promise<boolean> => {
      this.#isRepairDue = false
      await rebuildAll({ ...this.#settings, signal })
      return true
    }
    this.#built = this.#built.then(() => this.#untilBuilt(repair))
  }

  async #untilBuilt(build: (signal: AbortSignal) => Promise<boolean>): Promise<void> {
    const { onError } = this.#settings
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        if (await build(signal)) return
      } catch (error) {
        onError(error)
      }
      await pause(retry_ms, signal)
    }
  }
}
