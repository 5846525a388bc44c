import type { GuildId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Ports } from '../../ports.ts'

/** What a rewind is planned from. */
export type PlanningNeeds = Pick<Ports, 'aggregates' | 'events' | 'queries'>

/** Which guild goes back, and to when. */
export interface RewindQuestion {
  readonly guildId: GuildId
  readonly to: Timestamp
  readonly now: Timestamp
}
