import type { AppendResult } from '../../../application/ports/event-store.js'
import { EventStoreClosed, EventStoreOverloaded, UnstorableEvents } from '../errors.js'

export interface AppendRequest {
  readonly stream: string
  readonly firstEventId: string
  /** The request as JSON, as the batch function takes it. */
  readonly json: string
}

/** Writes the requests of one batch in one transaction. An `Error` marks a request that can't be written as it is. */
export type WriteBatch<Request> = (batch: readonly Request[]) => Promise<readonly (AppendResult | Error)[]>

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

interface Waiting<Request> {
  readonly request: Request
  readonly resolve: (result: AppendResult) => void
  readonly reject: (error: unknown) => void
}

interface CommitterSettings<Request> {
  readonly write: WriteBatch<Request>
  /** Describes the fault of a request that failed its batch. The batch wrote nothing, and its other requests can go on. */
  readonly faultOf: (error: unknown) => string | undefined
  readonly queueRequests_max?: number
}

/**
 * Group commit: requests that arrive while a batch is being written go into the next one together, so there is one disk wait
 * for each batch. One batch is written at a time, and requests keep their order of arrival.
 */
export function groupCommitter<Request extends AppendRequest>(
  settings: CommitterSettings<Request>,
): GroupCommitter<Request> {
  const { queueRequests_max: requests_max = queueRequests_max } = settings
  const queue: Waiting<Request>[] = []
  let queuedCharacters = 0
  let running: Promise<void> | undefined
  let closed = false

  async function run(): Promise<void> {
    while (queue.length > 0) {
      // Callers answered by the batch before may append again in the same turn of the event loop: let them join.
      await new Promise(setImmediate)
      const batch = queue.splice(0, batchLength(queue))
      for (const { request } of batch) queuedCharacters -= request.json.length
      await settle(batch, settings)
    }
    running = undefined
  }

  return {
    append(request) {
      if (closed) return Promise.reject(new EventStoreClosed('The event store is closed'))
      if (queue.length >= requests_max || queuedCharacters > queueCharacters_max) {
        return Promise.reject(new EventStoreOverloaded(`${queue.length} appends wait for the event store already`))
      }
      return new Promise((resolve, reject) => {
        queue.push({ request, resolve, reject })
        queuedCharacters += request.json.length
        running ??= run()
      })
    },
    async close() {
      closed = true
      await running
    },
  }
}

/**
 * How many waiting requests go into the next batch. A repetition starts another batch, because it must see what was written.
 */
function batchLength(queue: readonly Waiting<AppendRequest>[]): number {
  const ids = new Set<string>()
  let characters = 0
  for (const { request } of queue) {
    characters += request.json.length
    const isFull = ids.size === batchRequests_max || (ids.size > 0 && characters > batchCharacters_max)
    if (isFull || ids.has(request.firstEventId)) break
    ids.add(request.firstEventId)
  }
  return ids.size
}

/** Writes a batch and answers each of its requests. */
async function settle<Request extends AppendRequest>(
  batch: readonly Waiting<Request>[],
  settings: CommitterSettings<Request>,
): Promise<void> {
  try {
    const results = await settings.write(batch.map(({ request }) => request))
    batch.forEach((waiting, index) => answer(waiting, results[index]))
  } catch (error) {
    const fault = settings.faultOf(error)
    const [first, ...others] = batch
    if (fault === undefined || first === undefined) for (const { reject } of batch) reject(error)
    else if (others.length === 0) first.reject(new UnstorableEvents(first.request.stream, fault, { cause: error }))
    else for (const waiting of batch) await settle([waiting], settings)
  }
}

function answer({ resolve, reject }: Waiting<AppendRequest>, result: AppendResult | Error | undefined): void {
  if (result === undefined) reject(new Error('The batch gave no answer to a request'))
  else if (result instanceof Error) reject(result)
  else resolve(result)
}
