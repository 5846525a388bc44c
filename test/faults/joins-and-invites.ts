import { z } from 'zod'
import type { RecordedEvent } from '../../application/ports/event-store.ts'

const joined = z.object({ guildId: z.string(), accountId: z.string(), admission: z.object({ by: z.string() }) })

/** The guild and account of a join; nothing for founders, for whom there is no join message. */
export function joinIn(type: string, data: object): readonly string[] {
  if (type !== 'MemberJoined') return []
  const { guildId, accountId, admission } = joined.parse(data)
  return admission.by === 'founding' ? [] : [`${guildId} ${accountId}`]
}

/** How many invites were made with each `max_age`. */
export function invitesByAge(events: readonly RecordedEvent[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { type, data } of events) {
    if (type !== 'InviteCreated' || !('maxAge' in data)) continue
    const age = String(data.maxAge)
    counts.set(age, (counts.get(age) ?? 0) + 1)
  }
  return counts
}
