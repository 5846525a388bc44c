import type { Guild } from '../../../domain/guild/state.ts'
import { membershipId, type AccountId } from '../../../domain/ids/ids.ts'
import { hasEnded } from '../../../domain/kernel/timestamp.ts'
import { isBanned, type Ban, type MembershipState } from '../../../domain/membership/state.ts'
import { streamName, type StreamName } from '../../../domain/streams.ts'
import { stateAs, stateAt } from '../history/stream-states.ts'
import { accountOf, membershipsThatAre } from '../history/streams-of-guild.ts'
import { inGroups } from './in-groups.ts'
import type { PlanningNeeds, RewindQuestion } from './rewind-question.ts'

/** A ban that comes back, as it was. */
export interface ImposedBan {
  readonly accountId: AccountId
  readonly ban: Ban
  /** The account's address, in lower case. */
  readonly email: string | null
}

/** Why a ban does not come back. */
export type WhyNotBanned = 'member_again' | 'account_gone'

/** What brings the bans of a guild back. */
export interface BansPlan {
  readonly lifted: readonly AccountId[]
  readonly imposed: readonly ImposedBan[]
  readonly lost: readonly { readonly accountId: AccountId; readonly why: WhyNotBanned }[]
}

/**
 * Bans that were made since are lifted, and those that were lifted since come back, unless they would have ended by now. Members stay:
 * an account that is a member again is not banned.
 */
export async function planBans(ports: PlanningNeeds, guild: Guild, question: RewindQuestion): Promise<BansPlan> {
  const { guildId, to, now } = question
  const [then, today] = await Promise.all([
    membershipsThatAre(ports.queries, guildId, 'banned', { time: to }),
    membershipsThatAre(ports.queries, guildId, 'banned', { time: undefined }),
  ])
  const made = without(today.streams, then.streams)
  const gone = without(then.streams, today.streams)
  const lifted = await inGroups(made, async (stream) => {
    const accountId = accountOf(stream)
    const { state } = await ports.aggregates.membership.load(membershipId(guildId, accountId))
    return isBanned(state, now) ? [accountId] : []
  })
  const returned = await inGroups(gone, async (stream) => banComingBack(ports, guild, stream, question))
  return {
    lifted,
    imposed: returned.flatMap((one) => ('ban' in one ? [one] : [])),
    lost: returned.flatMap((one) => ('why' in one ? [one] : [])),
  }
}

async function banComingBack(
  { aggregates, events, queries }: PlanningNeeds,
  guild: Guild,
  stream: StreamName,
  { guildId, to, now }: RewindQuestion,
): Promise<readonly (ImposedBan | BansPlan['lost'][number])[]> {
  const accountId = accountOf(stream)
  const id = membershipId(guildId, accountId)
  const moment = { by: 'time', time: to } as const
  const found = await stateAt({ events, revealed: () => true }, streamName('membership', id), moment)
  const past = stateAs<MembershipState>(found.state)
  // Whoever was banned until a time that is over is free by then.
  if (past.status !== 'banned' || !isBanned(past, to) || (past.expiresAt && hasEnded(past.expiresAt, now))) return []
  const { state } = await aggregates.membership.load(id)
  if (isBanned(state, now)) return []
  if (state.status === 'member' || guild.ownerId === accountId) return [{ accountId, why: 'member_again' }]
  const account = await queries.accounts.find(accountId)
  if (!account || account.isErased) return [{ accountId, why: 'account_gone' }]
  const { status: _, timeout: __, ...ban } = past
  return [{ accountId, ban, email: account.email?.toLowerCase() ?? null }]
}

/** The streams that another list does not have. */
function without(streams: readonly StreamName[], others: readonly StreamName[]): readonly StreamName[] {
  const known = new Set(others)
  return streams.filter((stream) => !known.has(stream))
}
