import type { Part } from './unavailable.js'

/** Why a process is not to be sent requests: a part, or what the process is at. */
export type Lack = Part | 'starting' | 'draining' | 'event loop'

/** Whether a process can do what it is there for, as it found last. */
export interface ReadyState {
  readonly ready: boolean
  /** What keeps it from that. */
  readonly missing: readonly Lack[]
  /** What is out as well, and is done without for a while. */
  readonly without: readonly Part[]
}
