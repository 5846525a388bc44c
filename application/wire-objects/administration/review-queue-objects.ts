import type { AccountId } from '../../../domain/ids/ids.ts'
import type { DiscoveryClaim } from '../../ports/discovery-claims.ts'
import type { DecisionRecord } from '../../ports/queries/review-queries.ts'
import { pendingApplicationObject, type OwnedApplication } from './discovery-objects.ts'

interface Changed {
  readonly field: string
  readonly before: string | number | readonly string[] | null
  readonly after: string | number | readonly string[] | null
}

interface Review {
  readonly waiting_s: number
  /** Oldest first. */
  readonly earlier: readonly DecisionRecord[]
  /** Undefined if it was never let in. */
  readonly changes: readonly Changed[] | undefined
  readonly claim: DiscoveryClaim | undefined
  /** Who reads the queue. */
  readonly reader: AccountId
}

/** A pending application in the queue. Who decided earlier is in no answer. */
export function queuedApplicationObject(
  owned: OwnedApplication,
  { waiting_s, earlier, changes, claim, reader }: Review,
) {
  return {
    ...pendingApplicationObject(owned),
    waiting_seconds: waiting_s,
    earlier_decisions: earlier.map(({ kind, reason, decidedAt }) => ({ kind, reason, decided_at: decidedAt })),
    changed_since_approval: changes ?? null,
    claim: claim ? claimObject(claim, reader) : null,
  }
}

/** Another administrator's claim is told, and locks nothing. */
export function claimObject({ guildId, by, until }: DiscoveryClaim, reader: AccountId) {
  return { guild_id: guildId, claimed_by: by, claimed_until: until, is_own: by === reader }
}
