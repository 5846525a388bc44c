import { z } from 'zod'
import type { RecordedEvent } from '../../../application/ports/event-store.ts'
import type { GuildEvent } from '../../../domain/guild/events.ts'
import type { InviteEvent } from '../../../domain/invite/events.ts'
import type { MembershipEvent } from '../../../domain/membership/events.ts'
import type { SessionLife } from './watching-session.ts'

/** A watcher, and what it may see. */
export interface Watcher {
  readonly account: string
  /** An owner sees the invites of every guild that it is in. */
  readonly isOwner: boolean
  /** The guilds that it is in for the whole test; undefined for all. */
  readonly guilds: ReadonlySet<string> | undefined
}

const code = z.object({ code: z.string() })
const guild = z.object({ id: z.string() })
const member = z.object({ guild_id: z.string(), user: z.object({ id: z.string() }) })

/** The fact that a dispatch announces; undefined for dispatches that several events may cause, or none. No fact happens twice. */
export function factIn(t: string, d: unknown): string | undefined {
  switch (t) {
    case 'INVITE_CREATE':
      return `invite ${code.parse(d).code}`
    case 'INVITE_DELETE':
      return `no invite ${code.parse(d).code}`
    case 'GUILD_CREATE':
      return `guild ${guild.parse(d).id}`
    case 'GUILD_MEMBER_ADD':
    case 'GUILD_MEMBER_REMOVE': {
      const { guild_id, user } = member.parse(d)
      return `${t === 'GUILD_MEMBER_ADD' ? 'joined' : 'left'} ${guild_id} ${user.id}`
    }
    default:
      return undefined
  }
}

/** The facts that a watcher must hear, in the order of the store. */
export function factsFor(watcher: Watcher, events: readonly RecordedEvent[]): readonly string[] {
  return events.flatMap(({ type, data }) => {
    // Skips types that the switch does not name.
    const event = { type, data } as GuildEvent | InviteEvent | MembershipEvent
    return factFor(watcher, event) ?? []
  })
}

function factFor(watcher: Watcher, event: GuildEvent | InviteEvent | MembershipEvent): string | undefined {
  const { account, isOwner, guilds } = watcher
  switch (event.type) {
    case 'InviteCreated':
      return isOwner ? `invite ${event.data.code}` : undefined
    case 'InviteDeleted':
      return isOwner ? `no invite ${event.data.code}` : undefined
    case 'MemberJoined':
    case 'MemberLeft': {
      const { guildId, accountId } = event.data
      if (guilds && !guilds.has(guildId)) return undefined
      if (accountId === account) return event.type === 'MemberJoined' ? `guild ${guildId}` : undefined
      return `${event.type === 'MemberJoined' ? 'joined' : 'left'} ${guildId} ${accountId}`
    }
    default:
      return undefined
  }
}

/** The faults in what a session heard. */
export interface HearingFaults {
  lost: number
  repeated: number
  reordered: number
  /** Facts that are not in the store. */
  unknown: number
  misnumbered: number
}

export const noHearingFaults: HearingFaults = { lost: 0, repeated: 0, reordered: 0, unknown: 0, misnumbered: 0 }

export function sumOfFaults(all: readonly HearingFaults[]): HearingFaults {
  return all.reduce(
    (sum, one) => ({
      lost: sum.lost + one.lost,
      repeated: sum.repeated + one.repeated,
      reordered: sum.reordered + one.reordered,
      unknown: sum.unknown + one.unknown,
      misnumbered: sum.misnumbered + one.misnumbered,
    }),
    noHearingFaults,
  )
}

/**
 * Compares what a session heard with what it had to hear. Facts may be missing only between two lives: there the session was told
 * that it cannot be resumed.
 */
export function hearingFaults(lives: readonly SessionLife[], expected: readonly string[]): HearingFaults {
  const places = new Map(expected.map((fact, place) => [fact, place]))
  const told = new Set<number>()
  const faults = { ...noHearingFaults }
  lives.forEach(({ facts, misnumbered }, life) => {
    faults.misnumbered += misnumbered
    const heard = facts.flatMap((fact) => places.get(fact) ?? [])
    faults.unknown += facts.length - heard.length
    faults.repeated += heard.filter((place) => told.has(place) || told.size === told.add(place).size).length
    faults.reordered += heard.filter((place, index) => index > 0 && place < (heard[index - 1] ?? place)).length
    const first = life === 0 ? 0 : Math.min(...heard, expected.length)
    const last = life === lives.length - 1 ? expected.length - 1 : Math.max(...heard, -1)
    const known = new Set(heard)
    for (let place = first; place <= last; place += 1) if (!known.has(place)) faults.lost += 1
  })
  return faults
}
