import type { Position } from '../../../domain/kernel/position.ts'
import { secondsAfter, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { MemberBanned } from '../../../domain/membership/events.ts'
import { placesOf } from '../../conversations/messages/guild-places.ts'
import type { Ports } from '../../ports.ts'

export type ClearingNeeds = Pick<Ports, 'messages' | 'queries' | 'readModels'>

/** The part of a ban that says which messages to delete. */
export type BanToClearAfter = Pick<
  MemberBanned,
  'guildId' | 'accountId' | 'bannedAt' | 'deleteMessageSeconds' | 'deleteMessageDays'
>

const secondsPerDay = 24 * 60 * 60
/** The clock of the process that accepted a last message may be ahead of the ban's clock by this much. */
const clocksApart_s = 5

/**
 * Permanently deletes what a banned account wrote in the guild in the requested time, but nothing that it writes after
 * a return. Resolves when everything is deleted. Safe to repeat: the request does it before its answer, and a worker
 * does it after each ban, since the request's process may have died. See rules/members#ban.
 */
export async function clearAfterBan(ports: ClearingNeeds, ban: BanToClearAfter, position: Position): Promise<void> {
  const from = deletedFrom(ban)
  if (from === undefined) return
  await ports.readModels.reached(position)
  const guild = await ports.queries.guilds.find(ban.guildId)
  if (!guild) return
  const until = secondsAfter(ban.bannedAt, clocksApart_s)
  const places = await placesOf(ports, guild)
  await ports.messages.removeOfAuthor(ban.accountId, places, { from, until })
}

/** Whether a ban deletes messages. */
export function clearsMessages(ban: BanToClearAfter): boolean {
  return deletedFrom(ban) !== undefined
}

/** Messages from this time on are deleted; undefined if none are. Seconds take precedence over days. */
function deletedFrom({ deleteMessageSeconds, deleteMessageDays, bannedAt }: BanToClearAfter): Timestamp | undefined {
  const seconds = deleteMessageSeconds ?? (deleteMessageDays ?? 0) * secondsPerDay
  return seconds === 0 ? undefined : secondsAfter(bannedAt, -seconds)
}
