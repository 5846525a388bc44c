import type { Channel } from '../../../domain/guild/channel.ts'
import type { InviteTerms } from '../../../domain/invite/events.ts'
import { admits, isOfGuild, type InviteState } from '../../../domain/invite/state.ts'
import { inviteCode, type InviteCode } from '../../../domain/ids/ids.ts'
import { idOf, type StreamName } from '../../../domain/streams.ts'
import { stateAs, stateAt } from '../history/stream-states.ts'
import { invitesThatStand, isTo } from '../history/streams-of-guild.ts'
import { inGroups } from './in-groups.ts'
import type { PlanningNeeds, RewindQuestion } from './rewind-question.ts'

/** An invite that comes back, with the uses that it had left. */
export interface RestoredInvite {
  readonly code: InviteCode
  readonly terms: InviteTerms
  readonly uses: number
}

/** Why an invite does not come back. */
export type WhyNotInvited = 'code_taken' | 'channel_gone'

/** What brings the invites of a guild back. */
export interface InvitesPlan {
  readonly deleted: readonly InviteCode[]
  readonly restored: readonly RestoredInvite[]
  readonly lost: readonly { readonly code: InviteCode; readonly why: WhyNotInvited }[]
}

/**
 * Invites that were made since are deleted, and those that were deleted since come back, unless they would have expired by now. The
 * custom code is no invite (domain/guild/rewind.ts).
 */
export async function planInvites(
  ports: PlanningNeeds,
  channels: readonly Channel[],
  question: RewindQuestion,
): Promise<InvitesPlan> {
  const { guildId, to, now } = question
  const [then, today] = await Promise.all([
    invitesThatStand(ports.queries, guildId, to),
    invitesThatStand(ports.queries, guildId, undefined),
  ])
  const [stood, stand] = [new Set(then), new Set(today)]
  const deleted = await inGroups(
    today.filter((stream) => !stood.has(stream)),
    async (stream) => {
      const code = inviteCode(idOf(stream))
      const { state } = await ports.aggregates.invite.load(code)
      return state.status === 'created' && isTo(state, guildId) && admits(state, now) ? [code] : []
    },
  )
  const returned = await inGroups(
    then.filter((stream) => !stand.has(stream)),
    (stream) => inviteComingBack(ports, channels, stream, question),
  )
  return {
    deleted,
    restored: returned.flatMap((one) => ('terms' in one ? [one] : [])),
    lost: returned.flatMap((one) => ('why' in one ? [one] : [])),
  }
}

async function inviteComingBack(
  { aggregates, events }: PlanningNeeds,
  channels: readonly Channel[],
  stream: StreamName,
  { guildId, to, now }: RewindQuestion,
): Promise<readonly (RestoredInvite | InvitesPlan['lost'][number])[]> {
  const code = inviteCode(idOf(stream))
  const found = await stateAt({ events, revealed: () => true }, stream, { by: 'time', time: to })
  const past = stateAs<InviteState>(found.state)
  if (past.status !== 'created' || !isTo(past, guildId) || !isOfGuild(past.terms) || !admits(past, now)) return []
  // A custom code may be the same in lower case.
  const [{ state }, { state: custom }] = await Promise.all([
    aggregates.invite.load(code),
    aggregates.invite.load(code.toLowerCase()),
  ])
  if (state.status === 'created') return []
  const isTaken = custom.status === 'custom' && custom.guildId !== null
  if (state.status !== 'deleted' || isTaken) return [{ code, why: 'code_taken' }]
  const { terms, uses } = past
  if (channels.every(({ id }) => id !== terms.channelId)) return [{ code, why: 'channel_gone' }]
  return [{ code, terms, uses }]
}
