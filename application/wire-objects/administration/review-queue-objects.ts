import { z } from 'zod'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { DiscoveryClaim } from '../../ports/discovery-claims.ts'
import type { DecisionRecord } from '../../ports/queries/review-queries.ts'
import { pendingApplicationObject, type OwnedApplication, pendingMembers } from './discovery-objects.ts'
import { snowflakeOutput, timestampOutput } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

export const claimSchema = wireObject('DiscoveryClaim', {
  guild_id: snowflakeOutput,
  claimed_by: snowflakeOutput,
  claimed_until: timestampOutput,
  is_own: z.boolean().describe('Whether the caller has claimed it.'),
})

export type ClaimObject = ObjectOf<typeof claimSchema>

const changedValueSchema = z.union([z.string(), z.number(), z.array(z.string()).readonly()]).nullable()

export const queuedApplicationSchema = wireObject('QueuedDiscoveryApplication', {
  ...pendingMembers,
  waiting_seconds: z.int().describe('Since the application.'),
  earlier_decisions: z
    .array(
      z.object({
        kind: z.enum(['approved', 'rejected', 'removed', 'restored', 'withdrawn']),
        reason: z.string().nullable(),
        decided_at: timestampOutput,
      }),
    )
    .readonly(),
  changed_since_approval: z
    .array(
      z.object({
        field: z.string(),
        before: changedValueSchema.describe('Its value at the approval.'),
        after: changedValueSchema.describe('Its value now.'),
      }),
    )
    .readonly()
    .nullable(),
  claim: claimSchema.nullable(),
})

export type QueuedApplicationObject = ObjectOf<typeof queuedApplicationSchema>

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
): QueuedApplicationObject {
  return objectOf(queuedApplicationSchema, {
    ...pendingApplicationObject(owned),
    waiting_seconds: waiting_s,
    earlier_decisions: earlier.map(({ kind, reason, decidedAt }) => ({ kind, reason, decided_at: decidedAt })),
    changed_since_approval: changes ?? null,
    claim: claim ? claimObject(claim, reader) : null,
  })
}

/** Another administrator's claim is told, and locks nothing. */
export function claimObject({ guildId, by, until }: DiscoveryClaim, reader: AccountId): ClaimObject {
  return objectOf(claimSchema, { guild_id: guildId, claimed_by: by, claimed_until: until, is_own: by === reader })
}
