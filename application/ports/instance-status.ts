import type { Position } from '../../domain/kernel/position.ts'
import type { ReadyState, RunningProcess } from './readiness.ts'

/** How far one read model has come. */
export interface ReadModelProgress {
  readonly name: string
  /** The version whose tables are live: below `declaredVersion` while that one is being built, 0 for none yet. */
  readonly version: number
  readonly declaredVersion: number
  readonly position: Position
  /** The position of the newest event. */
  readonly end: Position
  /** The most events that it may lack: positions may skip numbers. */
  readonly lag_events_max: bigint
  /** How many streams it no longer takes events of, because one of their events did not fit. */
  readonly parkedStreams: number
}

/** A stream of which a read model takes nothing from an event on. */
export interface ParkedStream {
  readonly readModel: string
  readonly stream: string
  readonly position: Position
  readonly eventId: string
  /** The type of the event as it is stored. */
  readonly type: string
  /** Whether the event can't be read, or was read and does not fit the rows of the read model. */
  readonly cause: 'unreadable' | 'unprojectable'
}

/** What this process counts, as of now. Those since its start only grow, until it starts anew. */
export interface ProcessCounts {
  readonly requests: number
  /** Of these, what was answered with a status of 500 or more. */
  readonly failures: number
  readonly refusals: number
  /** How long all requests took together. */
  readonly requests_seconds: number
  readonly requestsInFlight: number
  /** Null in a process without a Gateway. */
  readonly gatewaySessions: number | null
  readonly dispatches: number | null
  readonly memory_bytes: number
  readonly cpu_seconds: number
}

/** How the instance is right now. It is asked where it is kept already, and nothing is stored for it. */
export interface InstanceStatus {
  /** The process that answers, as the register names it. */
  readonly processId: string
  /** What this process lacks. */
  health(): ReadyState
  /** The processes that serve the instance. */
  processes(): Promise<readonly RunningProcess[]>
  readModels(): Promise<readonly ReadModelProgress[]>
  /** The parked streams of all read models, those of the oldest events first, as many as are asked for. */
  parked(streams_max: number): Promise<readonly ParkedStream[]>
  /** What this process counts. */
  counts(): Promise<ProcessCounts>
}
