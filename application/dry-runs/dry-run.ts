import type { StreamName } from '../../domain/streams.ts'
import type { AdminAudit } from '../ports/admin-audit.ts'
import type { NewEvent } from '../ports/event-store.ts'
import type { Letter } from '../ports/mail.ts'
import type { Ports } from '../ports.ts'

/** An event that was to be appended. */
export interface HeldBackEvent extends NewEvent {
  readonly stream: StreamName
}

/** Work that was to be handed to a worker: a background job, an archive, or a job that readers never see. */
export interface HeldBackJob {
  readonly task: string
  /** How many items it works on; null for a job without items. */
  readonly total: number | null
}

/** What a request would write, send and hand to workers, each in its order. */
export interface Foretold {
  readonly events: readonly HeldBackEvent[]
  readonly letters: readonly Letter[]
  readonly jobs: readonly HeldBackJob[]
}

/** Everything that one request is carried out with if it only foretells what would happen. */
export interface DryRun {
  readonly ports: Ports
  readonly adminAudit: AdminAudit
  /** Waits for what was deferred, and gives everything that was held back. Rejects as a deferred task does. */
  foretold(): Promise<Foretold>
}

/** Opens a dry run for one request. */
export type OpenDryRun = () => DryRun
