import type { RecordedEvent } from '../../../application/ports/event-store.ts'
import type { Position } from '../../../domain/kernel/position.ts'
import type { SessionSnapshot } from '../../../application/ports/queries/session-snapshot.ts'
import type { MembershipEvent } from '../../../domain/membership/events.ts'

/** An answer of the read models: the number of members in each guild of an account, as of a position. */
export interface ObservedCounts {
  readonly position: Position
  readonly members: ReadonlyMap<string, number>
}

export function observedIn({ position, guilds }: Pick<SessionSnapshot, 'position' | 'guilds'>): ObservedCounts {
  return { position, members: new Map(guilds.map(({ guild, memberCount }) => [guild.id, memberCount])) }
}

/** Answers that do not match the events up to their position: they mix rows of two moments, or of two versions. */
export function tornAnswers(
  observed: readonly ObservedCounts[],
  events: readonly RecordedEvent[],
): readonly ObservedCounts[] {
  const counts = new Map<string, number>()
  const upcoming = [...events]
  return observed
    .toSorted((a, b) => Number(a.position - b.position))
    .filter(({ position, members }) => {
      for (let [next] = upcoming; next && next.position <= position; [next] = upcoming) {
        count(counts, next)
        upcoming.shift()
      }
      return [...members].some(([guild, shown]) => shown !== counts.get(guild))
    })
}

function count(counts: Map<string, number>, { type, data }: RecordedEvent): void {
  // Skips types that are not named here.
  const event = { type, data } as MembershipEvent
  if (event.type !== 'MemberJoined' && event.type !== 'MemberLeft') return
  const { guildId } = event.data
  counts.set(guildId, (counts.get(guildId) ?? 0) + (event.type === 'MemberJoined' ? 1 : -1))
}
