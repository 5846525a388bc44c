import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  jetstreamManager,
} from '@nats-io/jetstream'
import { nanos, type NatsConnection } from '@nats-io/transport-node'
import { allEvents, streamName } from './subjects.ts'

/** How much the stream keeps. Consumers only use it to catch up after a short break; the event store has everything. */
export interface StreamBounds {
  readonly age_ms_max: number
  readonly bytes_max: number
  readonly replicas: number
}

export const streamBounds: StreamBounds = { age_ms_max: 3_600_000, bytes_max: 1024 ** 3, replicas: 1 }

/** How long the server drops repeated event ids. Readers drop later repetitions themselves. */
const repeatWindow_ms = 120_000

const answer_ms_max = 2000

/** Makes the stream, or sets these bounds on the existing one. */
export async function layStream(
  connection: NatsConnection,
  { age_ms_max, bytes_max, replicas }: StreamBounds,
): Promise<void> {
  const manager = await jetstreamManager(connection, { timeout: answer_ms_max, checkAPI: false })
  const changeable = {
    subjects: [allEvents],
    max_age: nanos(age_ms_max),
    max_bytes: bytes_max,
    num_replicas: replicas,
    duplicate_window: nanos(Math.min(repeatWindow_ms, age_ms_max)),
    discard: DiscardPolicy.Old,
  }
  try {
    await manager.streams.update(streamName, changeable)
  } catch (error) {
    if (!isMissing(error)) throw error
    const fixed = { name: streamName, storage: StorageType.File, retention: RetentionPolicy.Limits }
    await manager.streams.add({ ...fixed, ...changeable })
  }
}

/** Whether an answer says that the stream does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound
}
