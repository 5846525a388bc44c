import type { EntryId } from '../ids/ids.js'

/** Deletions of messages that a month of an audit log still knows one by one; older ones stay as they are. */
export const unfolded_max = 1000

/** One month of a guild's audit log, as far as it is no other aggregate's. */
export interface GuildAuditState {
  readonly status: 'empty' | 'recorded'
  /** The entry that was raised last; null before the first. */
  readonly newest: EntryId | null
  /** The entries of single deletions that can be folded, oldest first; at most `unfolded_max`. */
  readonly unfolded: readonly EntryId[]
}

/** Names the month of a guild's audit log that an instant is in: the id of its stream. The instant is ISO 8601 in UTC. */
export function guildAuditId(guild: string, at: string): string {
  return `${guild}-${at.slice(0, 7)}`
}
