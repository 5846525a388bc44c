import type { GuildFacts } from '../../../domain/discovery-application/events.ts'
import type { DirectoryListing } from '../../../domain/discovery-application/listing.ts'
import { sameJson } from '../../../domain/kernel/same-json.ts'
import type { DecisionRecord } from '../../ports/queries/review-queries.ts'
import { listingMembers } from '../../wire-objects/communities/discovery-application-object.ts'

/** What a listing says, and what its guild looks like; null where it cannot be read. */
export interface Shown {
  readonly listing: DirectoryListing
  readonly guild: GuildFacts | null
}

export interface ChangedField {
  readonly field: string
  readonly before: string | number | readonly string[] | null
  readonly after: string | number | readonly string[] | null
}

/** What differs from what an administrator decided on. A member is left out where it was or is unknown. */
export function changesSince(decided: Shown, now: Shown): readonly ChangedField[] {
  const before = fieldsOf(decided)
  const after = fieldsOf(now)
  return Object.entries(before).flatMap(([field, value]) => {
    const current = after[field]
    return current === undefined || sameJson(value, current) ? [] : [{ field, before: value, after: current }]
  })
}

/** What the listing and its guild were when the application was last approved or restored. */
export function lastApproval(decisions: readonly DecisionRecord[]): Shown | undefined {
  const last = decisions.findLast(({ kind }) => kind === 'approved' || kind === 'restored')
  return last?.listing ? { listing: last.listing, guild: last.guild } : undefined
}

function fieldsOf({ listing, guild }: Shown): Readonly<Record<string, ChangedField['before']>> {
  const facts = guild && { name: guild.name, icon: guild.icon, member_count: guild.memberCount }
  return { ...facts, ...listingMembers(listing) }
}
