import { inviteStatusAfter } from '../../../domain/invite/invite.ts'
import type { AccountId, GuildId } from '../../../domain/ids/ids.ts'
import type { InviteState } from '../../../domain/invite/state.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { membershipStatusAfter } from '../../../domain/membership/membership.ts'
import type { MembershipState } from '../../../domain/membership/state.ts'
import { webhookStatusAfter } from '../../../domain/webhook/webhook.ts'
import { idOf, type StreamName } from '../../../domain/streams.ts'
import type { Ports } from '../../ports.ts'
import type { ChangedStream, ChangesBetween, StreamsFound, StreamsMeant } from '../../ports/queries/history-queries.ts'

type Queries = Pick<Ports['queries'], 'history'>

/** How many streams are read at once: as many as a store may join into one statement. */
export const reads_max = 100

const membershipsOf = (guildId: GuildId): StreamsMeant => ({ beginning: `membership-${guildId}-` })
const invitesOf = (guildId: GuildId): StreamsMeant => ({ subject: guildId, category: 'invite' })
const webhooksOf = (guildId: GuildId): StreamsMeant => ({ subject: guildId, category: 'webhook' })
const applicationsOf = (guildId: GuildId): StreamsMeant => ({ subject: guildId, category: 'discovery_application' })

/** Which memberships: at a time, or now; after an account's, and at most so many, all by default. */
interface MembershipsWanted {
  readonly time: Timestamp | undefined
  readonly after?: AccountId | undefined
  readonly limit?: number
}

/** The memberships of a guild that have a status at a time, or now, by account id: those of a page, and how many there are. */
export function membershipsThatAre(
  { history }: Queries,
  guildId: GuildId,
  status: MembershipState['status'],
  { time, after, limit }: MembershipsWanted,
): Promise<StreamsFound> {
  return history.streamsByNewest(membershipsOf(guildId), {
    types: Object.keys(membershipStatusAfter),
    newest: typesWith(membershipStatusAfter, [status]),
    time,
    after: after === undefined ? undefined : BigInt(after),
    limit,
  })
}

/** The invites that a guild has at a time, or now, in the order in which they began; custom codes that it once had among them. */
export async function invitesThatStand(
  { history }: Queries,
  guildId: GuildId,
  time: Timestamp | undefined,
): Promise<readonly StreamName[]> {
  const found = await history.streamsByNewest(invitesOf(guildId), {
    types: Object.keys(inviteStatusAfter),
    newest: typesWith(inviteStatusAfter, ['created', 'custom']),
    time,
  })
  return found.streams
}

/** The webhooks that a guild has at a time, or now, in the order in which they began. */
export async function webhooksThatStand(
  { history }: Queries,
  guildId: GuildId,
  time: Timestamp | undefined,
): Promise<readonly StreamName[]> {
  const found = await history.streamsByNewest(webhooksOf(guildId), {
    types: Object.keys(webhookStatusAfter),
    newest: typesWith(webhookStatusAfter, ['created']),
    time,
  })
  return found.streams
}

/**
 * The streams of a guild's members, invites, webhooks and directory listing that may differ between two times, in the order of the first event
 * between them, without those that have no event after a position.
 */
export async function streamsThatChanged(
  { history }: Queries,
  guildId: GuildId,
  between: ChangesBetween,
): Promise<readonly ChangedStream[]> {
  const meant = [membershipsOf(guildId), invitesOf(guildId), webhooksOf(guildId), applicationsOf(guildId)]
  const found = await Promise.all(meant.map((streams) => history.changedStreams(streams, between)))
  return found.flat().toSorted((one, other) => Number(one.position - other.position))
}

/** The account of a membership, by its stream's name. */
export const accountOf = (membership: StreamName): AccountId => idOf(membership).split('-')[1] as AccountId

/** Whether an invite or a custom code is a guild's. */
export function isTo(state: InviteState, guildId: GuildId): boolean {
  if (state.status === 'custom') return state.guildId === guildId
  return state.status === 'created' && 'guildId' in state.terms && state.terms.guildId === guildId
}

/** The types of events after which the status is one of these. */
function typesWith(statusAfter: Readonly<Record<string, string>>, statuses: readonly string[]): readonly string[] {
  return Object.entries(statusAfter).flatMap(([type, status]) => (statuses.includes(status) ? [type] : []))
}
