import type { CreateGuild } from '../../../domain/guild/commands.ts'
import { initialFeatures } from '../../../domain/guild/features.ts'
import { defaultLayout, type DefaultChannelIds, type GuildLayout } from '../../../domain/guild/layout.ts'
import type { Guild } from '../../../domain/guild/state.ts'
import { templateLayout, tooManyEntries } from '../../../domain/guild/template/template-layout.ts'
import { isRefusal } from '../../../domain/guild/template/template-refusals.ts'
import type { GuildTemplate } from '../../../domain/guild/template/template.ts'
import { channelId, guildId, roleId, type GuildId } from '../../../domain/ids/ids.ts'
import type { Refusal } from '../../../domain/kernel/refusal.ts'
import { streamName } from '../../../domain/streams.ts'
import { isClaimed, requireUnlimited } from '../../access/account-standing.ts'
import { joinGuild } from '../admission/join-guild.ts'
import { countedAmongGuilds, withinAccountsGuilds } from '../admission/within-members.ts'
import type { Caller } from '../../caller.ts'
import { eventIdOf, type CommandContext } from '../../commands/command-context.ts'
import { contextWith, followingContext } from '../../commands/following-context.ts'
import { Refused, reject } from '../../commands/refused.ts'
import { readImage, type ReadingNeeds } from '../../images/read-image.ts'
import { requireOpenToGuilds } from './one-community.ts'
import { guildObject, type GuildObject } from '../../wire-objects/communities/guild-objects.ts'
import type { ReadImage } from '../../ports/images.ts'
import type { Ports } from '../../ports.ts'

/** The parsed body of Create guild. */
export interface GuildWishes {
  /** 1-100 characters. */
  readonly name: string
  readonly icon: Uint8Array | null
  readonly emptyFeatures: boolean
  readonly template: GuildTemplate | null
}

type Needs = Pick<
  Ports,
  'aggregates' | 'blocklistBox' | 'images' | 'instancePolicies' | 'limits' | 'queries' | 'readModels' | 'reservations'
>

/**
 * Creates a guild and makes the caller its owner and first member. Refuses with BOTS_CANNOT_CREATE_GUILDS,
 * UNCLAIMED_ACCOUNT_CANNOT_CREATE_GUILDS, GUILD_CREATION_EMAIL_VERIFICATION_REQUIRED, ACCOUNT_LIMITED,
 * SINGLE_COMMUNITY_CANNOT_CREATE_GUILDS, ACCESS_DENIED if the instance does not allow new guilds,
 * GUILD_TEMPLATE_INVALID, IMAGE_SIZE_EXCEEDS_LIMIT and INVALID_IMAGE_FORMAT for the icon, CONTENT_BLOCKED, MAX_GUILDS.
 * See rules/guilds#create.
 */
export function createGuild(ports: Needs) {
  return async (caller: Caller, wishes: GuildWishes): Promise<GuildObject> => {
    checkMayCreate(caller)
    await requireOpenToGuilds(ports)
    const plan = planOf(caller, wishes)
    const icon = wishes.icon && (await readIcon(ports, caller, wishes.icon))
    const act = async (): Promise<Guild> => found(ports, caller, icon ? await withIcon(plan, icon) : plan)
    // A guild created by an earlier try of this command is already counted.
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

/** A planned guild: its id is known before it is created. */
export interface GuildPlan {
  readonly guildId: GuildId
  /** Creates the guild for the caller whatever the limits, and counts it nevertheless. */
  readonly found: () => Promise<void>
}

/** Plans a guild for the instance itself. */
export function planGuild(
  ports: Pick<Needs, 'aggregates' | 'queries' | 'readModels' | 'reservations'>,
  caller: Caller,
  name: string,
): GuildPlan {
  const plan = planOf(caller, { name, emptyFeatures: false, template: null })
  const act = async (): Promise<void> => void (await found(ports, caller, plan))
  return { guildId: plan.guildId, found: () => countedAmongGuilds(ports, caller.account.id, act) }
}

async function readIcon(ports: ReadingNeeds & Pick<Needs, 'limits'>, caller: Caller, bytes: Uint8Array) {
  const { avatar_max_size: bytes_max } = await ports.limits.ofAccount(caller.account)
  return readImage(ports, caller, { path: 'icon', bytes, bytes_max })
}

/** The icon is stored just before the guild is created, so that a refused guild stores nothing. */
async function withIcon(plan: CreateGuild, image: ReadImage): Promise<CreateGuild> {
  const { hash: icon } = await image.store({ kind: 'icons', owner: plan.guildId })
  return { ...plan, layout: { ...plan.layout, settings: { ...plan.layout.settings, icon } } }
}

function planOf(
  { account, context }: Caller,
  { name, emptyFeatures, template }: Pick<GuildWishes, 'name' | 'emptyFeatures' | 'template'>,
): CreateGuild {
  const id = guildId(context.newId())
  const layout = template ? layoutBy(template, id, context) : defaultLayout(id, defaultIds(context))
  if (isRefusal(layout)) throw new Refused(layout)
  const features = emptyFeatures ? [] : initialFeatures
  return { type: 'CreateGuild', guildId: id, name, ownerId: account.id, features, layout, now: context.now }
}

function defaultIds(context: CommandContext): DefaultChannelIds {
  return {
    textCategory: channelId(context.newId()),
    voiceCategory: channelId(context.newId()),
    text: channelId(context.newId()),
    voice: channelId(context.newId()),
  }
}

/** Draws ids only for as many entries as a template may have; a larger template is refused. */
function layoutBy(template: GuildTemplate, id: GuildId, context: CommandContext): GuildLayout | Refusal {
  const { roles, channels } = template
  const tooMany = tooManyEntries(template)
  if (tooMany) return tooMany
  return templateLayout(template, {
    guildId: id,
    roleIds: roles.map(() => roleId(context.newId())),
    channelIds: [...channels.map(() => channelId(context.newId())), channelId(context.newId())],
  })
}

/** X-Audit-Log-Reason is discarded. If the process dies between the two steps, a process manager makes the owner a member. */
async function found(
  { aggregates, readModels }: Pick<Needs, 'aggregates' | 'readModels'>,
  caller: Caller,
  plan: CreateGuild,
): Promise<Guild> {
  const context = contextWith(caller.context, { reason: undefined })
  const { guildId: id, ownerId } = plan
  const { state } = await aggregates.guild.execute(id, plan, context, 'initial')
  if (state.status !== 'active') return reject('CONFLICT')
  const following = followingContext(context, eventIdOf(context, streamName('guild', id), plan.type, 0))
  const founding = { guildId: id, accountId: ownerId, temporary: false, admission: { by: 'founding' } } as const
  await joinGuild({ aggregates }, founding, following)
  await readModels.reached(context.written)
  return state
}
