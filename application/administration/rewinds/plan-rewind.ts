import type { GuildEvent } from '../../../domain/guild/events.ts'
import { guild as guildDecider } from '../../../domain/guild/guild.ts'
import { rewoundSettings, type GuildPast, type Kept } from '../../../domain/guild/rewind.ts'
import type { Guild, GuildState } from '../../../domain/guild/state.ts'
import { streamName } from '../../../domain/streams.ts'
import { reject } from '../../commands/refused.ts'
import { stateAs, stateAt } from '../history/stream-states.ts'
import { planBans, type BansPlan } from './plan-bans.ts'
import { planInvites, type InvitesPlan } from './plan-invites.ts'
import { planWebhooks, type WebhooksPlan } from './plan-webhooks.ts'
import type { PlanningNeeds, RewindQuestion } from './rewind-question.ts'

/** What brings a guild back to a moment, and what does not come back. */
export interface RewindPlan {
  readonly now: Guild
  readonly past: GuildPast & Pick<Guild, 'ownerId'>
  /** All that is still to happen to the guild itself. */
  readonly events: readonly GuildEvent[]
  /** Settings and features that stay as they are. */
  readonly kept: readonly Kept[]
  readonly bans: BansPlan
  readonly invites: InvitesPlan
  readonly webhooks: WebhooksPlan
}

/** How many steps a plan has: none once everything is back. */
export function stepsIn({ events, bans, invites, webhooks }: RewindPlan): number {
  const steps = [
    events,
    bans.lifted,
    bans.imposed,
    invites.deleted,
    invites.restored,
    webhooks.deleted,
    webhooks.restored,
    webhooks.renewed,
  ]
  return steps.reduce((sum, { length }) => sum + length, 0)
}

/**
 * What is to be done so that a guild is what it was at a moment. It follows from the guild as it is now, so it may be planned anew
 * after each step. Refuses with UNKNOWN_GUILD for a guild that is not there, and with INVALID_FORM_BODY at `to`:
 * TIME_BEFORE_FIRST_EVENT (rules/administration#rewinds).
 */
export async function planRewind(ports: PlanningNeeds, question: RewindQuestion): Promise<RewindPlan> {
  const { guildId, to } = question
  const { state: now } = await ports.aggregates.guild.load(guildId)
  if (now.status !== 'active') return reject('UNKNOWN_GUILD')
  const reading = { events: ports.events, revealed: () => true }
  const found = await stateAt(reading, streamName('guild', guildId), { by: 'time', time: to }, 'to')
  const past = stateAs<GuildState>(found.state)
  if (past.status !== 'active') return reject('UNKNOWN_GUILD')
  const [bans, invites, webhooks] = await Promise.all([
    planBans(ports, now, question),
    planInvites(ports, past.channels, question),
    planWebhooks(ports, past.channels, question),
  ])
  const unbounded = { events_max: Infinity, bytes_max: Infinity }
  const decision = guildDecider.decide(now, { type: 'RewindGuild', to: past, ...unbounded })
  const events = decision.outcome === 'accepted' ? decision.events : []
  return { now, past, events, kept: rewoundSettings(now, past).kept, bans, invites, webhooks }
}
