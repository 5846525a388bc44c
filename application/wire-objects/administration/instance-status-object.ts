import { z } from 'zod'
import type { ParkedStream, ProcessCounts, ReadModelProgress } from '../../ports/instance-status.ts'
import type { ReadyState, RunningProcess } from '../../ports/readiness.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'
import { timestampOutput } from '../scalars.ts'

const runningProcess = z.object({
  id: z.string(),
  roles: z.array(z.string()).readonly(),
  version: z.string(),
  since: z.string().describe('When it entered the register of processes.'),
  worker_id: z.int().nullable().describe('What its ids are made with; null for a process that makes none.'),
})

const readModel = z.object({
  name: z.string(),
  version: z.int().describe('The version whose tables are asked.'),
  declared_version: z.int().describe('The version of this program; above the other while it is being built.'),
  position: z.string().describe('The event that it has come to.'),
  lag_events_max: z.string().describe('How many events it may lack at most.'),
  parked_streams: z.int().describe('Streams of which it takes nothing, because one of their events does not fit.'),
})

const parkedStream = z.object({
  read_model: z.string(),
  stream: z.string(),
  position: z.string().describe('The event from which on nothing of the stream is taken.'),
  event_id: z.string(),
  event_type: z.string().describe('The type of that event as it is stored.'),
  cause: z
    .enum(['unreadable', 'unprojectable'])
    .describe('Whether this program cannot read the event, or reads it and has no room for it in the rows.'),
})

export const instanceStatusSchema = wireObject('InstanceStatus', {
  process_id: z.string().describe('The process that answers.'),
  ready: z.boolean().describe('Whether this process can do its work.'),
  missing: z.array(z.string()).readonly().describe('What keeps it from that.'),
  without: z.array(z.string()).readonly().describe('What else is out, which it does without for a while.'),
  processes: z.array(runningProcess).readonly().describe('All that serve the instance.'),
  end: z.string().nullable().describe('The position of the newest event.'),
  read_models: z.array(readModel).readonly(),
  parked: z
    .array(parkedStream)
    .readonly()
    .describe('The parked streams of all read models, those of the oldest events first, 100 at most. The log has why.'),
})

export const instanceMetricsSchema = wireObject('InstanceMetrics', {
  process_id: z.string().describe('The process that answers: it counts what it did itself.'),
  at: timestampOutput,
  requests: z.int().describe('Requests that it has answered since its start.'),
  failures: z.int().describe('Of these, those that it answered with a status of 500 or more.'),
  refusals: z.int().describe('Requests that it has refused since its start.'),
  requests_seconds: z.number().describe('How long the requests took together.'),
  requests_in_flight: z.int().describe('Requests that are at work.'),
  gateway_sessions: z.int().nullable().describe('Sessions of its Gateway; null in a process without one.'),
  dispatches: z.int().nullable().describe('Dispatches since its start; null in a process without a Gateway.'),
  memory_bytes: z.int().describe('The memory that it holds.'),
  cpu_seconds: z.number().describe('Processor time since its start.'),
  read_model_lag_events_max: z
    .string()
    .describe('How many events the slowest read model may lack at most, for the whole instance.'),
})

export type InstanceStatusObject = ObjectOf<typeof instanceStatusSchema>
export type InstanceMetricsObject = ObjectOf<typeof instanceMetricsSchema>

interface Seen {
  readonly processId: string
  readonly health: ReadyState
  readonly processes: readonly RunningProcess[]
  readonly readModels: readonly ReadModelProgress[]
  readonly parked: readonly ParkedStream[]
}

/** How the instance is, as administrators see it. */
export function instanceStatusObject({ processId, health, processes, readModels, parked }: Seen): InstanceStatusObject {
  return objectOf(instanceStatusSchema, {
    process_id: processId,
    ready: health.ready,
    missing: health.missing,
    without: health.without,
    processes,
    end: readModels[0] ? String(readModels[0].end) : null,
    read_models: readModels.map((model) => ({
      name: model.name,
      version: model.version,
      declared_version: model.declaredVersion,
      position: String(model.position),
      lag_events_max: String(model.lag_events_max),
      parked_streams: model.parkedStreams,
    })),
    parked: parked.map(({ readModel: name, stream, position, eventId, type, cause }) => ({
      read_model: name,
      stream,
      position: String(position),
      event_id: eventId,
      event_type: type,
      cause,
    })),
  })
}

/** What a process counts, and how far the read models lag, at one moment. */
export function instanceMetricsObject(
  { processId, at }: { readonly processId: string; readonly at: InstanceMetricsObject['at'] },
  counts: ProcessCounts,
  readModels: readonly ReadModelProgress[],
): InstanceMetricsObject {
  const lag = readModels.reduce((most, { lag_events_max: each }) => (each > most ? each : most), 0n)
  return objectOf(instanceMetricsSchema, {
    process_id: processId,
    at,
    requests: counts.requests,
    failures: counts.failures,
    refusals: counts.refusals,
    requests_seconds: counts.requests_seconds,
    requests_in_flight: counts.requestsInFlight,
    gateway_sessions: counts.gatewaySessions,
    dispatches: counts.dispatches,
    memory_bytes: counts.memory_bytes,
    cpu_seconds: counts.cpu_seconds,
    read_model_lag_events_max: String(lag),
  })
}
