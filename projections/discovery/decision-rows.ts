import type { RecordedEvent } from '../../application/ports/event-store.ts'
import type { DecisionKind } from '../../application/ports/queries/review-queries.ts'
import type { ReviewEvidence } from '../../domain/discovery-application/events.ts'
import type { GuildId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { put, type RowChange } from '../runner/projection.ts'

/** How many decisions of each guild are kept: the newest. */
export const decisions_max = 20

interface Decided {
  readonly guildId: GuildId
  readonly reason: string | null
  readonly evidence: ReviewEvidence | null
  readonly at: Timestamp
}

/** A decision about an application. Who decided stands in the events alone. */
export function decisionRow(
  { position }: Pick<RecordedEvent, 'position'>,
  kind: DecisionKind,
  { guildId, reason, evidence, at }: Decided,
): RowChange {
  const { guild = null, ...listing } = evidence ?? {}
  return put('decisions', {
    guild_id: guildId,
    position: position.toString(),
    kind,
    reason,
    listing: evidence && listing,
    guild: guild && { ...guild },
    decided_at: at,
  })
}
