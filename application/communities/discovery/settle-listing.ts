import type { GuildId } from '../../../domain/ids/ids.ts'
import { isListed, type DiscoveryApplicationState } from '../../../domain/discovery-application/state.ts'
import { streamName } from '../../../domain/streams.ts'
import { eventIdOf, type CommandContext } from '../../commands/command-context.ts'
import { deriveId } from '../../commands/derive-id.ts'
import { contextWith, followingContext } from '../../commands/following-context.ts'
import { Refused } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { UnreadableEvent } from '../../failures/unreadable-event.ts'

export interface SettlingNeeds {
  readonly aggregates: Pick<Ports['aggregates'], 'discoveryApplication' | 'guild'>
}

/** A decision about a guild's application, by its number. */
export interface Decision {
  readonly guildId: GuildId
  readonly decision: number
}

/** How often an application may be decided anew while its guild follows. A process manager continues after that. */
const rounds_max = 8

/**
 * The second step of a decision: gives the guild DISCOVERABLE if its application is approved now, and takes it away otherwise. An
 * application of a deleted guild goes with its guild. The application is compared once more after each write: whoever wrote last
 * has seen what was decided last. So the order in which decisions, and those who follow them, meet does not matter. Safe to
 * repeat.
 */
export async function settleListing(
  { aggregates }: SettlingNeeds,
  { guildId, decision }: Decision,
  context: CommandContext,
): Promise<void> {
  for (let round = 0; round < rounds_max; round += 1) {
    const { state } = await aggregates.discoveryApplication.load(guildId)
    const { decisions: seen } = state
    const ofRound = contextWith(context, { commandId: deriveId(context.commandId, `decision ${seen}`) })
    await followInGuild({ aggregates }, guildId, state, ofRound)
    const command = { type: 'SettleDiscovery', guildId, decision, seen } as const
    const settled = await aggregates.discoveryApplication.execute(guildId, command, ofRound)
    if (settled.state.decisions === seen) return
  }
  throw new Error(`The application of guild ${guildId} was decided anew again and again`)
}

async function followInGuild(
  { aggregates }: SettlingNeeds,
  guildId: GuildId,
  application: DiscoveryApplicationState,
  context: CommandContext,
): Promise<void> {
  const [add, remove] = isListed(application) ? [['DISCOVERABLE'] as const, []] : [[], ['DISCOVERABLE'] as const]
  try {
    await aggregates.guild.execute(guildId, { type: 'SetFeatures', add, remove }, context)
  } catch (error) {
    if (!isGone(error)) throw error
    const { state } = await aggregates.guild.load(guildId)
    if (state.status === 'deleted') await dropApplication({ aggregates }, guildId, context)
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Refused && error.refusal.code === 'UNKNOWN_GUILD'
}

/** A deleted guild takes its application along. Does nothing without one. */
export async function dropApplication(
  { aggregates }: { readonly aggregates: Pick<Ports['aggregates'], 'discoveryApplication'> },
  guildId: GuildId,
  context: CommandContext,
): Promise<void> {
  await aggregates.discoveryApplication.execute(guildId, { type: 'DropDiscovery' }, context)
}

/**
 * The same within the request that decided, by the event of its command. If the guild cannot be read, or refuses (it is
 * too busy, or holds no more), the decision stands nevertheless, and a process manager tries again. The guild is
 * changed by the instance: nobody learns from it which administrator decided, or why.
 */
export async function settleDecided(
  ports: SettlingNeeds,
  guildId: GuildId,
  { decisions: decision }: Pick<DiscoveryApplicationState, 'decisions'>,
  step:
    | 'ApplyForDiscovery'
    | 'ApproveDiscovery'
    | 'RemoveDiscoveryListing'
    | 'RestoreDiscoveryListing'
    | 'ChangeDiscoveryByFeature'
    | 'WithdrawDiscovery',
  context: CommandContext,
): Promise<void> {
  const eventId = eventIdOf(context, streamName('discovery_application', guildId), step, 0)
  const following = contextWith(followingContext(context, eventId), {
    actor: { kind: 'system', name: 'discovery_listing' },
    reason: undefined,
  })
  try {
    await settleListing(ports, { guildId, decision }, following)
  } catch (error) {
    if (!(error instanceof UnreadableEvent) && !(error instanceof Refused)) throw error
  }
}
