import type { GuildEvent } from '../../../domain/guild/events.ts'
import { membershipId, type AccountId, type WebhookId } from '../../../domain/ids/ids.ts'
import type { WebhookCommand } from '../../../domain/webhook/commands.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { contextOfPart } from '../../commands/following-context.ts'
import { Refused } from '../../commands/refused.ts'
import type { BackgroundTasks, BegunJob } from '../../ports/background-jobs.ts'
import type { Ports } from '../../ports.ts'
import { asInstance } from '../guilds/as-instance.ts'
import type { BackgroundTaskWork } from '../jobs/run-background-job.ts'
import { inGroups } from './in-groups.ts'
import { planRewind, stepsIn, type RewindPlan } from './plan-rewind.ts'
import type { PlanningNeeds } from './rewind-question.ts'

export type RewindingNeeds = PlanningNeeds & Pick<Ports, 'messages' | 'readModels'>

/** How many steps are taken between two reports of progress: with their metadata they are well within one append. */
const chunk = 250
const bytes_max = 512 * 1024
/** Whoever goes on changing the guild meanwhile is not followed for ever. */
const passes_max = 100

/**
 * The work of the job. Each part plans anew from what the guild is by then, and takes the next steps: so a part that is repeated, after
 * a death, takes none twice. What the plan of the beginning did not know, for instance because the guild was changed meanwhile, is done
 * at the end (rules/administration#rewinds).
 */
export function rewindingGuild(ports: RewindingNeeds): BackgroundTaskWork {
  return {
    chunk,
    run: async (job, from, to, context) => {
      await takeSteps(ports, job, to - from, context)
    },
    finish: async (job, context) => {
      for (let pass = 0; pass < passes_max; pass += 1) {
        const { settled } = context
        // oxlint-disable-next-line no-await-in-loop -- Each pass follows from the one before it.
        const left = await takeSteps(ports, job, chunk, contextOfPart(context, `pass ${pass}`))
        if (left === 0 || context.settled === settled) return
      }
    },
  }
}

/** Takes at most so many of the next steps. Returns how many there were to take. */
async function takeSteps(
  ports: RewindingNeeds,
  { work, requestedBy }: BegunJob,
  steps_max: number,
  ordered: CommandContext,
): Promise<number> {
  // Only queueRewind stores the task.
  const { guildId, to } = work as BackgroundTasks['rewind_guild']
  const context = asInstance(ordered)
  const plan = await planRewind(ports, { guildId, to, now: context.now })
  if (plan.events.length > 0) await changeGuild(ports, plan, steps_max, context)
  const others = [
    ...banSteps(ports, plan, context),
    ...inviteSteps(ports, plan, requestedBy, context),
    ...webhookSteps(ports, plan, context),
  ]
  await inGroups(others.slice(0, Math.max(0, steps_max - plan.events.length)), unlessRefused)
  await ports.readModels.reached(context.settled)
  return stepsIn(plan)
}

async function changeGuild(
  { aggregates, messages }: RewindingNeeds,
  { now: { id }, past, events }: RewindPlan,
  events_max: number,
  context: CommandContext,
): Promise<void> {
  const next = { type: 'RewindGuild', to: past, events_max, bytes_max } as const
  const back = channelsIn(events.slice(0, events_max))
  if (back.length > 0) {
    // Nothing of before comes back into them, and nothing that follows is taken for left over.
    await messages.removeChannels(back)
    await aggregates.guild.execute(id, { type: 'NoteMessagesRemoved', channelIds: back, ofGuild: false }, context)
    await messages.keepChannels(back)
  }
  await aggregates.guild.execute(id, next, context)
}

const channelsIn = (events: readonly GuildEvent[]) =>
  events.flatMap((event) => (event.type === 'ChannelCreated' ? [event.data.channel.id] : []))

type Step = () => Promise<unknown>

function banSteps(
  { aggregates: { membership } }: RewindingNeeds,
  { now: { id: guildId }, bans }: RewindPlan,
  context: CommandContext,
): readonly Step[] {
  const { now } = context
  const lifted = bans.lifted.map((accountId): Step => {
    const lift = { type: 'UnbanMember', guildId, accountId, now } as const
    return () => membership.execute(membershipId(guildId, accountId), lift, context)
  })
  const imposed = bans.imposed.map(({ accountId, email, ban }): Step => {
    const { moderatorId, reason, expiresAt, ip } = ban
    const unsent = { deleteMessageSeconds: null, deleteMessageDays: null }
    const terms = { guildId, accountId, moderatorId, reason, expiresAt, email, ip, ...unsent, now }
    return () => membership.execute(membershipId(guildId, accountId), { type: 'BanMember', ...terms }, context)
  })
  return [...lifted, ...imposed]
}

function inviteSteps(
  { aggregates: { invite } }: RewindingNeeds,
  { invites }: RewindPlan,
  by: AccountId,
  context: CommandContext,
): readonly Step[] {
  const { now } = context
  return [
    ...invites.deleted.map(
      (code): Step =>
        () =>
          invite.execute(code, { type: 'DeleteInvite', by, now }, context),
    ),
    ...invites.restored.map(
      ({ code, ...restored }): Step =>
        () =>
          invite.execute(code, { type: 'RestoreInvite', ...restored }, context),
    ),
  ]
}

function webhookSteps(
  { aggregates: { webhook } }: RewindingNeeds,
  { webhooks }: RewindPlan,
  context: CommandContext,
): readonly Step[] {
  const step =
    (id: WebhookId, command: WebhookCommand): Step =>
    () =>
      webhook.execute(id, command, context)
  return [
    ...webhooks.deleted.map(({ id }) => step(id, { type: 'DeleteWebhook', byToken: false })),
    ...webhooks.restored.map((restored) => step(restored.webhookId, { type: 'RestoreWebhook', webhook: restored })),
    ...webhooks.renewed.map(({ id, changes }) => step(id, { type: 'ChangeWebhook', changes, byToken: false })),
  ]
}

/** What was done or undone meanwhile is not to be done. An outage fails the part. */
async function unlessRefused(step: Step): Promise<readonly []> {
  try {
    await step()
  } catch (error) {
    if (!(error instanceof Refused) || error.refusal.code === 'SERVICE_UNAVAILABLE') throw error
  }
  return []
}
