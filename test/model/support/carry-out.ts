import { addBot, ban, deleteChannel, denyEveryone, giveRole, say, setEveryone } from '../plays/setup-moves.ts'
import { setFeatures, setMfaLevel, setOperations, takeRoles, unban } from '../plays/setup-moves.ts'
import { getCustomUrl, modifyCustomUrl } from '../plays/custom-urls.ts'
import { bulkDeleteMine, createGuild, deleteGuild, getGuild, leaveGuild, listGuilds } from '../plays/guilds.ts'
import { plantInvite } from '../plays/plant-invite.ts'
import { leavePrivate, openPrivate } from '../private/private-channels.ts'
import type { ChangeIntent, ChannelIntent, Dressing, GuildPlace, Intent, SetupIntent } from './intent.ts'
import {
  acceptInvite,
  createInvite,
  deleteInvite,
  getInvite,
  listChannelInvites,
  listGuildInvites,
} from '../plays/invites.ts'
import { modifyGuild, type Changes } from '../plays/modify.ts'
import type { Play } from './outcomes.ts'
import { look, perform, type Stage } from './stage.ts'
import type { ModelChannel, ModelGuild, World } from './world.ts'

/** Carries out an intent with what exists at that moment. */
export async function carryOut(stage: Stage, world: World, intent: Intent): Promise<void> {
  if (isSetup(intent)) return setUp(stage, world, intent)
  const caller = world.cast.callers[intent.by]
  const outcome = await perform(stage, world, caller, playOf(world, intent))
  const isFounding = intent.op === 'create' && outcome.kind === 'done'
  const founded = isFounding ? world.guilds.at(-1) : undefined
  // The first look at a guild teaches the ids of its channels.
  if (founded) await look(stage, world, founded.id)
}

type Operation = Exclude<Intent, SetupIntent>

const setupNames = [
  'give role',
  'take roles',
  'ban',
  'unban',
  'add bot',
  'set everyone',
  'deny everyone',
  'delete channel',
  'set features',
  'set operations',
  'set MFA level',
  'plant invite',
  'open private',
  'leave private',
  'say',
] as const satisfies readonly SetupIntent['op'][]

const isSetup = (intent: Intent): intent is SetupIntent => setupNames.some((name) => name === intent.op)

function playOf(world: World, intent: Operation): Play {
  const caller = world.cast.callers[intent.by]
  switch (intent.op) {
    case 'create':
      return createGuild(world, caller, intent)
    case 'list': {
      const { before, after, ...page } = intent.page
      const ids = { before: maybeGuild(world, before), after: maybeGuild(world, after) }
      return listGuilds(world, caller, { ...page, ...ids })
    }
    case 'get':
      return getGuild(world, caller, guildIdAt(world, intent.guild), intent.threads)
    case 'modify':
      return modificationOf(world, intent)
    case 'delete':
      return deleteGuild(world, caller, guildIdAt(world, intent.guild), intent.proof)
    case 'leave':
      return leaveGuild(world, caller, { ...intent, id: guildIdAt(world, intent.guild) })
    case 'bulk delete mine':
      return bulkDeleteMine(world, caller, guildIdAt(world, intent.guild), intent.proof)
    case 'get custom URL':
      return getCustomUrl(world, caller, guildIdAt(world, intent.guild))
    case 'modify custom URL':
      return modifyCustomUrl(world, caller, guildIdAt(world, intent.guild), intent.code)
    case 'get invite':
      return getInvite(world, codeAt(world, intent.code, intent.dressing))
    case 'accept invite':
      return acceptInvite(world, caller, codeAt(world, intent.code, intent.dressing))
    case 'delete invite':
      return deleteInvite(world, caller, codeAt(world, intent.code, intent.dressing))
    case 'create invite':
      return invitation(world, intent)
    case 'list channel invites':
      return listChannelInvites(world, caller, channelIdAt(world, intent.channel))
    case 'list guild invites':
      return listGuildInvites(world, caller, guildIdAt(world, intent.guild))
  }
}

/** An invite to direct messages outlives a run, since nobody can remove it: each one is new. */
function invitation(world: World, { by, channel, wishes }: Extract<Intent, { readonly op: 'create invite' }>): Play {
  const id = channelIdAt(world, channel)
  const isDirect = world.privateChannel(id)?.kind === 'direct'
  return createInvite(world, world.cast.callers[by], id, isDirect ? { ...wishes, unique: true } : wishes)
}

function modificationOf(world: World, intent: Extract<Intent, { readonly op: 'modify' }>): Play {
  const caller = world.cast.callers[intent.by]
  const { change, proof } = intent
  const id = guildIdAt(world, intent.guild)
  return modifyGuild(world, caller, { id, changes: changesOf(world, change), bad: change.bad, proof })
}

const cutoffs = {
  none: () => null,
  now: () => new Date().toISOString(),
  ancient: () => '2015-01-01T00:00:00.000Z',
  future: () => '2999-01-01T00:00:00.000Z',
} as const

function changesOf(world: World, { plain, system, afk, cutoff }: ChangeIntent): Changes {
  return {
    ...plain,
    ...(system === undefined ? {} : { system_channel_id: system && channelIdAt(world, system) }),
    ...(afk === undefined ? {} : { afk_channel_id: afk && channelIdAt(world, afk) }),
    ...(cutoff === undefined ? {} : { message_history_cutoff: cutoffs[cutoff]() }),
  }
}

async function setUp(stage: Stage, world: World, intent: SetupIntent): Promise<void> {
  world.isUnheard = true
  if (intent.op === 'open private' || intent.op === 'leave private') return setUpPrivate(stage, world, intent)
  const place = 'channel' in intent ? channelAt(world, intent.channel) : undefined
  const guild = place?.[0] ?? ('guild' in intent ? guildAt(world, intent.guild) : undefined)
  if (!guild) return
  guild.lastEntry = undefined
  await moveOf(stage, world, intent, [guild, place?.[1]])
  await look(stage, world, guild.id)
}

function setUpPrivate(stage: Stage, world: World, intent: PrivateIntent): Promise<void> {
  const by = world.cast.callers[intent.by]
  if (intent.op === 'open private') return openPrivate(stage, world, intent.kind, [by, world.cast.callers[intent.with]])
  const channel = world.privateChannels[intent.at % Math.max(1, world.privateChannels.length)]
  return channel ? leavePrivate(stage, world, channel, by) : Promise.resolve()
}

type PrivateIntent = Extract<SetupIntent, { readonly op: 'open private' | 'leave private' }>

function moveOf(
  stage: Stage,
  world: World,
  intent: Exclude<SetupIntent, PrivateIntent>,
  [guild, channel]: readonly [ModelGuild, ModelChannel | undefined],
): Promise<void> {
  const somebody = 'by' in intent ? world.cast.callers[intent.by] : world.cast.callers.owner
  switch (intent.op) {
    case 'give role':
      return giveRole(stage, world, guild, somebody, intent.mask)
    case 'take roles':
      return takeRoles(stage, world, guild, somebody)
    case 'ban':
      return ban(stage, world, guild, somebody)
    case 'unban':
      return unban(stage, world, guild, somebody)
    case 'add bot':
      return addBot(stage, world, guild, somebody)
    case 'set everyone':
      return setEveryone(stage, world, guild, intent.mask)
    case 'set features':
      return setFeatures(stage, guild, intent.features)
    case 'set operations':
      return setOperations(stage, guild, intent.mask)
    case 'set MFA level':
      return setMfaLevel(stage, guild, intent.level)
    case 'deny everyone':
      return channel ? denyEveryone(stage, world, guild, channel, intent.mask) : Promise.resolve()
    case 'delete channel':
      return channel ? deleteChannel(stage, world, guild, channel) : Promise.resolve()
    case 'plant invite':
      return channel ? plantInvite(stage, world, [guild, channel], somebody, intent.age) : Promise.resolve()
    case 'say':
      return channel ? say(stage, guild, channel, somebody) : Promise.resolve()
  }
}

const none = 9
const nowhere = '1'

function guildAt({ guilds }: World, at: number): ModelGuild | undefined {
  return at === none ? undefined : guilds[at % Math.max(1, guilds.length)]
}

/** The id of an existing guild, a deleted one, or one that never existed. */
function guildIdAt(world: World, at: number): string {
  return guildAt(world, at)?.id ?? [...world.goneGuilds].at(-1) ?? nowhere
}

const maybeGuild = (world: World, at: number | undefined) => (at === undefined ? undefined : guildIdAt(world, at))

function channelAt(
  world: World,
  { guild: guildPlace, at }: GuildPlace,
): readonly [ModelGuild, ModelChannel] | undefined {
  const guild = guildAt(world, guildPlace)
  const channels = guild?.channels ?? []
  const channel = at === none ? undefined : channels[at % Math.max(1, channels.length)]
  return guild && channel ? [guild, channel] : undefined
}

function channelIdAt(world: World, place: ChannelIntent): string {
  if ('private' in place) {
    const { privateChannels, gonePrivateChannels } = world
    const channel = privateChannels[place.private % Math.max(1, privateChannels.length)]
    return channel?.id ?? gonePrivateChannels.at(-1) ?? nowhere
  }
  const channel = channelAt(world, place)?.[1]
  return channel?.id ?? world.channelIds.find((id) => !world.guildOfChannel(id)) ?? nowhere
}

/** One of all codes that ever existed, 0 being the newest, in some spelling. */
function codeAt({ codes }: World, at: number, dressing: Dressing): string {
  const code = at === none ? undefined : codes.at(-1 - (at % Math.max(1, codes.length)))
  const plain = code ?? 'nobodys1'
  if (dressing === 'loud') return plain.toUpperCase()
  if (dressing === 'dressed') return ` \u202e${plain.slice(0, 1)}\f${plain.slice(1)} `
  return dressing === 'blank' ? ' \f ' : plain
}
