import type { Position } from '../../ports/event-store.js'
import { secondsAfter, type Timestamp } from '../../../domain/kernel/timestamp.js'
import type { MemberBanned } from '../../../domain/membership/events.js'
import { placesOf } from '../../conversations/messages/guild-places.js'
import type { Ports } from '../../ports.js'

export type ClearingNeeds = Pick<Ports, 'messages' | 'queries' | 'readModels'>

/** What a ban says of the messages that are to go. */
export type BanToClearAfter = Pick<
  MemberBanned,
  'guildId' | 'accountId' | 'bannedAt' | 'deleteMessageSeconds' | 'deleteMessageDays'
>

const secondsPerDay = 24 * 60 * 60
/** How far the clock of whoever took a last message may be ahead of the one that the ban went by. */
const clocksApart_s = 5

/**
 * Deletes for good what a banned account wrote in the guild in the time that was asked for; of what it writes once it is back, nothing.
 * Resolves when all is gone. Safe to repeat: the request does it before it is answered, and a worker after each ban, since the
 * process of the request may have died. Reference gateway 5.5.
 */
export async function clearAfterBan(ports: ClearingNeeds, ban: BanToClearAfter, position: Position): Promise<void> {
  const from = deletedFrom(ban)
  if (from === undefined) return
  await ports.readModels.reached(position)
  const guild = await ports.queries.guilds.find(ban.guildId)
  if (!guild) return
  const until = secondsAfter(ban.bannedAt, clocksApart_s)
  const places = await placesOf(ports, guild)
  await ports.messages.removeOfAuthor(ban.accountId, places, {
    from,
    until,
    after: await ports.queries.positions.held(),
  })
}

/** Whether messages are to go with a ban. */
export function clearsMessages(ban: BanToClearAfter): boolean {
  return deletedFrom(ban) !== undefined
}

/** From when on messages go; undefined where none do. Seconds count before days. */
function deletedFrom({ deleteMessageSeconds, deleteMessageDays, bannedAt }: BanToClearAfter): Timestamp | undefined {
  const seconds = deleteMessageSeconds ?? (deleteMessageDays ?? 0) * secondsPerDay
  return seconds === 0 ? undefined : secondsAfter(bannedAt, -seconds)
}
