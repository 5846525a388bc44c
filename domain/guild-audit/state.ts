import type { EntryId } from '../ids/ids.ts'

/** How many single deletions a month of an audit log remembers; older ones can no longer be folded. */
export const unfolded_max = 1000

/** The part of one month of a guild's audit log that belongs to no other aggregate. */
export interface GuildAuditState {
  readonly status: 'empty' | 'recorded'
  /** The latest entry; null before the first. */
  readonly newest: EntryId | null
  /** The entries of single deletions that can be folded, oldest first; at most `unfolded_max`. */
  readonly unfolded: readonly EntryId[]
}

/** The id of the stream for one month of a guild's audit log. The instant is ISO 8601 in UTC. */
export function guildAuditId(guild: string, at: string): string {
  return `${guild}-${at.slice(0, 7)}`
}
