import type { Part } from './parts.ts'

/** Why a process should get no requests: a part that is out, or a state of the process. */
export type Lack = Part | 'starting' | 'draining' | 'event loop'

/** The result of the latest checks: whether the process can do its work. */
export interface ReadyState {
  readonly ready: boolean
  /** What prevents it from working. */
  readonly missing: readonly Lack[]
  /** Other parts that are out; the process works without them for a while. */
  readonly without: readonly Part[]
  /** The processes that serve the instance, as they were some seconds ago. */
  readonly processes?: readonly RunningProcess[]
}

/** A process that serves the instance. */
export interface RunningProcess {
  readonly id: string
  readonly roles: readonly string[]
  readonly version: string
  /** When it entered the register, by Postgres' clock: ISO 8601. */
  readonly since: string
  /** 0-1023; null for a process that makes no ids. */
  readonly worker_id: number | null
}
