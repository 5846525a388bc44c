import type { CreateGuild } from '../../domain/guild/commands.js'
import { initialFeatures } from '../../domain/guild/features.js'
import type { Guild } from '../../domain/guild/state.js'
import { channelId, guildId, type GuildId } from '../../domain/ids/ids.js'
import { streamName } from '../../domain/kernel/streams.js'
import { isClaimed, requireUnlimited } from '../access/account-standing.js'
import { joinGuild } from '../admission/join-guild.js'
import { countedAmongGuilds, withinAccountsGuilds } from '../admission/member-room.js'
import type { Caller } from '../caller.js'
import { eventIdOf } from '../commands/command-context.js'
import { followingContext } from '../commands/following-context.js'
import { reject } from '../commands/refused.js'
import { requireOpenToGuilds } from '../instance/one-community.js'
import { guildObject, type GuildObject } from '../objects/guild-objects.js'
import type { Ports } from '../ports.js'

/** What Create guild reads of its body. */
export interface GuildWishes {
  /** 1-100 characters. */
  readonly name: string
  readonly emptyFeatures: boolean
  readonly hasTemplate: boolean
}

type Needs = Pick<Ports, 'aggregates' | 'instancePolicies' | 'queries' | 'readModels' | 'room' | 'limits'>

/**
 * Founds a guild, and makes the caller its owner and first member. Refuses with BOTS_CANNOT_CREATE_GUILDS,
 * UNCLAIMED_ACCOUNT_CANNOT_CREATE_GUILDS, GUILD_CREATION_EMAIL_VERIFICATION_REQUIRED, ACCOUNT_LIMITED,
 * SINGLE_COMMUNITY_CANNOT_CREATE_GUILDS, ACCESS_DENIED where the instance lets nobody found guilds, MAX_GUILDS. Templates are
 * not built: one is refused with GUILD_TEMPLATE_INVALID. Contract: part 1, Create guild.
 */
export function createGuild(ports: Needs) {
  return async (caller: Caller, wishes: GuildWishes): Promise<GuildObject> => {
    checkMayCreate(caller)
    await requireOpenToGuilds(ports)
    if (wishes.hasTemplate) reject('GUILD_TEMPLATE_INVALID')
    const plan = planOf(caller, wishes)
    const act = (): Promise<Guild> => found(ports, caller, plan)
    // A guild that an earlier try of this command founded is counted already.
    const isFounded =
      caller.context.mayRepeat && (await ports.aggregates.guild.load(plan.guildId)).state.status === 'active'
    return guildObject(await (isFounded ? act() : withinAccountsGuilds(ports, caller.account, act)))
  }
}

function checkMayCreate(caller: Caller): void {
  const { account } = caller
  if (account.bot) reject('BOTS_CANNOT_CREATE_GUILDS')
  if (!isClaimed(account)) reject('UNCLAIMED_ACCOUNT_CANNOT_CREATE_GUILDS')
  if (!account.emailVerified) reject('GUILD_CREATION_EMAIL_VERIFICATION_REQUIRED')
  requireUnlimited(caller)
}

/** A guild on its way: its id is known before it is founded. */
export interface GuildPlan {
  readonly guildId: GuildId
  /** Founds it for the caller whatever the limits say, and counts it nevertheless. */
  readonly found: () => Promise<void>
}

/** Plans a guild that the instance itself wants. */
export function planGuild(
  ports: Pick<Needs, 'aggregates' | 'queries' | 'readModels' | 'room'>,
  caller: Caller,
  name: string,
): GuildPlan {
  const plan = planOf(caller, { name, emptyFeatures: false })
  const act = async (): Promise<void> => void (await found(ports, caller, plan))
  return { guildId: plan.guildId, found: () => countedAmongGuilds(ports, caller.account.id, act) }
}

function planOf(
  { account, context }: Caller,
  { name, emptyFeatures }: Pick<GuildWishes, 'name' | 'emptyFeatures'>,
): CreateGuild {
  return {
    type: 'CreateGuild',
    guildId: guildId(context.newId()),
    name,
    ownerId: account.id,
    features: emptyFeatures ? [] : initialFeatures,
    channelIds: {
      textCategory: channelId(context.newId()),
      voiceCategory: channelId(context.newId()),
      text: channelId(context.newId()),
      voice: channelId(context.newId()),
    },
    now: context.now,
  }
}

/** Where the process dies between the two steps, a process manager makes the owner a member. */
async function found(
  { aggregates, readModels }: Pick<Needs, 'aggregates' | 'readModels'>,
  { context }: Caller,
  plan: CreateGuild,
): Promise<Guild> {
  const { guildId: id, ownerId } = plan
  const { state } = await aggregates.guild.executeNew(id, plan, context)
  if (state.status !== 'active') return reject('CONFLICT')
  const following = followingContext(context, eventIdOf(context, streamName('guild', id), plan.type, 0))
  const founding = { guildId: id, accountId: ownerId, temporary: false, admission: { by: 'founding' } } as const
  await joinGuild({ aggregates }, founding, following)
  await readModels.reached(context.written)
  return state
}
