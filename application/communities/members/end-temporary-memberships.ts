import { membershipId } from '../../../domain/ids/ids.ts'
import { msOf, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import { streamName } from '../../../domain/streams.ts'
import { holdingMembership } from '../../access/holding-membership.ts'
import { dueContext } from '../../commands/due-context.ts'
import type { MemberName } from '../../ports/queries/member-queries.ts'
import type { Ports } from '../../ports.ts'

export type TemporaryMembershipNeeds = Pick<Ports, 'aggregates' | 'events' | 'locks' | 'presence' | 'queries'>

/** The number of members read by one query, whose presence is then checked at once. */
const page_max = 200
/** How long an account must be absent: longer than its sessions can be resumed, and than Gateways take to restart. */
export const absence_ms = 60_000

/**
 * Ends temporary memberships whose account has had no session for `absence_ms`, except those of owners and of members
 * with a role (rules/members#temporary-memberships). Called again and again; gives how many it has ended. Absences are
 * remembered only from one call to the next: a process that starts counts anew, and so does one that did not hear every
 * Gateway.
 */
export function temporaryMembershipsEnding(ports: TemporaryMembershipNeeds) {
  let absentSince: ReadonlyMap<string, number> = new Map()
  return async (now: Timestamp): Promise<number> => {
    const absent = new Map<string, number>()
    let ended_count = 0
    for await (const member of absentMembers(ports)) {
      const id = membershipId(member.guildId, member.accountId)
      const since = absentSince.get(id) ?? msOf(now)
      if (msOf(now) - since < absence_ms) absent.set(id, since)
      else if (await end(ports, member, now)) ended_count += 1
    }
    absentSince = ports.presence.hearsAll() ? absent : new Map()
    return ended_count
  }
}

/** The temporary members whose accounts have no session; none while it is unknown who has one. */
async function* absentMembers({ presence, queries }: TemporaryMembershipNeeds): AsyncGenerator<MemberName> {
  let after: MemberName | undefined
  do {
    const page = await queries.members.temporary(page_max, after)
    const present = await Promise.all(page.map(({ accountId }) => presence.isPresent(accountId)))
    if (!presence.hearsAll()) return
    yield* page.filter((_, index) => present[index] === false)
    after = page.length < page_max ? undefined : page.at(-1)
  } while (after)
}

async function end(
  ports: TemporaryMembershipNeeds,
  { guildId, accountId }: MemberName,
  now: Timestamp,
): Promise<boolean> {
  const { aggregates } = ports
  return holdingMembership(ports, guildId, accountId, async () => {
    const { state: guild } = await aggregates.guild.load(guildId)
    const isOwner = guild.status === 'active' && guild.ownerId === accountId
    const command = { type: 'EndTemporaryMembership', isOwner, now } as const
    const id = membershipId(guildId, accountId)
    const context = await dueContext(ports, 'temporary memberships', streamName('membership', id), now)
    const { changed } = await aggregates.membership.execute(id, command, context)
    return changed
  })
}
