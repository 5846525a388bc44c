import type { StreamName } from '../../../domain/streams.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'

/**
 * A first step whose last step is not recorded yet. Usually the request that made it is still running. If its process died, a
 * process manager finishes it.
 */
export interface UnfinishedStep {
  /** The name of the process manager that it belongs to (`application/processes/process-managers.ts`). */
  readonly process: string
  /** Names the step within its process. */
  readonly key: string
  /** The event that began it. The finishing steps name it as their cause. */
  readonly eventId: string
  readonly correlationId: string
  /** The operation that event names; undefined for none. */
  readonly operation?: string | undefined
  readonly stream: StreamName
  readonly since: Timestamp
  /** What the process manager has kept of the event that began it. */
  readonly data: Readonly<Record<string, unknown>>
}

export interface UnfinishedQueries {
  /** Steps that began before an instant, oldest first, at most `limit`; after `after` if it is given. */
  before(instant: Timestamp, limit: number, after?: UnfinishedStep): Promise<readonly UnfinishedStep[]>
  /** The step of a process and key; undefined if it is finished. */
  find(process: string, key: string): Promise<UnfinishedStep | undefined>
}
