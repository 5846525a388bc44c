import type { AppendResult } from '../../../application/ports/event-store.ts'
import { inBatches, type Fits, type RunBatch } from '../../../application/concurrency/batches.ts'
import { EventStoreClosed, EventStoreOverloaded, UnstorableEvents } from '../errors.ts'

export interface AppendRequest {
  readonly stream: string
  readonly firstEventId: string
  /** The request as JSON, as the batch function takes it. */
  readonly json: string
}

/** Writes the requests of one batch in one transaction. `Error` stands for one that can't be written as it is. */
export type WriteBatch<Request> = RunBatch<Request, AppendResult>

export interface GroupCommitter<Request> {
  /** Resolves once the request's batch is durable. Rejects with EventStoreOverloaded if the queue is full. */
  append(request: Request): Promise<AppendResult>
  /** Writes the waiting requests and accepts no more. */
  close(): Promise<void>
}

export const batchRequests_max = 256
/** The most characters of JSON in a batch. A single larger request still goes alone. */
export const batchCharacters_max = 4_000_000
export const queueRequests_max = 10_000
export const queueCharacters_max = 64_000_000

interface CommitterSettings<Request> {
  readonly write: WriteBatch<Request>
  /** Describes the fault of a request that failed its batch. The batch wrote nothing, and its other requests can go on. */
  readonly faultOf: (error: unknown) => string | undefined
  readonly queueRequests_max?: number
}

/** Group commit: the disk is waited for once a batch of requests, which are written in the order of their arrival. */
export function groupCommitter<Request extends AppendRequest>(
  settings: CommitterSettings<Request>,
): GroupCommitter<Request> {
  const { queueRequests_max: requests_max = queueRequests_max } = settings
  let closed = false
  const batches = inBatches<Request, AppendResult>({
    run: (batch) => writeAll(batch, settings),
    begin: fitting,
    sizeOf: ({ json }) => json.length,
    refusal: ({ items, size }) => {
      if (closed) return new EventStoreClosed('The event store is closed')
      if (items < requests_max && size <= queueCharacters_max) return undefined
      return new EventStoreOverloaded(`${items} appends wait for the event store already`)
    },
  })
  return {
    append: (request) => batches.add(request),
    async close() {
      closed = true
      await batches.settled()
    },
  }
}

/** A repetition starts another batch: it needs to see what was written. */
function fitting(): Fits<AppendRequest> {
  const ids = new Set<string>()
  let characters = 0
  return ({ firstEventId, json }) => {
    characters += json.length
    if (ids.size === batchRequests_max || (ids.size > 0 && characters > batchCharacters_max) || ids.has(firstEventId))
      return false
    ids.add(firstEventId)
    return true
  }
}

/** Writes a batch; where it fails for the data of a request, each of its requests alone. */
async function writeAll<Request extends AppendRequest>(
  batch: readonly Request[],
  settings: CommitterSettings<Request>,
): Promise<readonly (AppendResult | Error)[]> {
  try {
    return await settings.write(batch)
  } catch (error) {
    const fault = settings.faultOf(error)
    const [first, ...others] = batch
    if (fault === undefined || first === undefined) throw error
    if (others.length === 0) return [new UnstorableEvents(first.stream, fault, { cause: error })]
    const results: (AppendResult | Error)[] = []
    for (const request of batch) results.push(...(await writeAlone(request, settings)))
    return results
  }
}

/** What becomes of its neighbours does not hang on it. */
async function writeAlone<Request extends AppendRequest>(
  request: Request,
  settings: CommitterSettings<Request>,
): Promise<readonly (AppendResult | Error)[]> {
  try {
    return await writeAll([request], settings)
  } catch (error) {
    return [error instanceof Error ? error : new Error('An append failed', { cause: error })]
  }
}
