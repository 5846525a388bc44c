import { accept, refuse, type Decision } from '../../kernel/decider.ts'
import { field, type FieldError } from '../../kernel/refusal.ts'
import { msOf } from '../../kernel/timestamp.ts'
import { lacking, refusalOf } from '../../permissions/authority.ts'
import { channelTypes, has, type Channel } from '../channel.ts'
import type { ModifyGuild } from '../commands.ts'
import type { GuildEvent, Modifiable } from '../events.ts'
import { guildFeatures, toggleableFeatures, type GuildFeature } from '../features.ts'
import type { GuildChanges } from '../modify.ts'
import { systemChannelFlags, type Guild, type GuildImage, type GuildState } from '../state.ts'
import { namesNormalised } from './settings.ts'

/**
 * Changes a guild. Checks of a member MANAGE_GUILD and its second factor, then the MFA level, which only the owner may change,
 * then the fields: all invalid ones are reported (rules/guilds#modify).
 */
export function modify(state: GuildState, { by, changes, bannerMoves, now }: ModifyGuild): Decision<GuildEvent> {
  if (state.status !== 'active') return refuse('UNKNOWN_GUILD')
  const refusal = by === 'instance' ? undefined : refusalOf(state, by, 'MANAGE_GUILD')
  if (refusal !== undefined) return refuse(refusal)
  const setsLevel = by !== 'instance' && changes.mfaLevel !== undefined && changes.mfaLevel !== state.settings.mfaLevel
  if (setsLevel && by.accountId !== state.ownerId) return refuse(lacking('ownership'))
  const errors = [
    ...(setsLevel && !by.hasAuthenticator ? [field('mfa_level', 'MUST_ENABLE_2FA_BEFORE_REQUIRING_FOR_MODS')] : []),
    ...channelErrors(state, changes),
    ...featureErrors(state, changes),
    ...imageErrors(state, changes, bannerMoves),
    ...cutoffErrors(state, changes, msOf(now)),
  ]
  if (errors.length > 0) return refuse('INVALID_FORM_BODY', ...errors)
  const { before, after } = differences(state, wantedOf(state, changes))
  const modifiedNow: GuildEvent = { type: 'GuildModified', data: { guildId: state.id, before, after } }
  return accept<GuildEvent>(modifiedNow, ...(after.features ? namesNormalised(state, after.features) : []))
}

/** The guild with the written values. */
export function modified(guild: Guild, { name, features, ...settings }: Partial<Modifiable>): Guild {
  return {
    ...guild,
    name: name ?? guild.name,
    features: features ?? guild.features,
    settings: { ...guild.settings, ...settings },
  }
}

function channelErrors({ channels }: Guild, { systemChannelId, afkChannelId }: GuildChanges): readonly FieldError[] {
  const find = (id: string): Channel | undefined => channels.find((channel) => channel.id === id)
  const errors: FieldError[] = []
  if (systemChannelId) {
    const channel = find(systemChannelId)
    if (!channel) errors.push(field('system_channel_id', 'SYSTEM_CHANNEL_MUST_BE_IN_GUILD'))
    else if (!has(channel.type, 'messages')) errors.push(field('system_channel_id', 'SYSTEM_CHANNEL_MUST_BE_TEXT'))
  }
  if (afkChannelId) {
    const channel = find(afkChannelId)
    if (!channel) errors.push(field('afk_channel_id', 'AFK_CHANNEL_MUST_BE_IN_GUILD'))
    else if (channel.type !== channelTypes.voice) errors.push(field('afk_channel_id', 'AFK_CHANNEL_MUST_BE_VOICE'))
  }
  return errors
}

function featureErrors(guild: Guild, { features, verificationLevel }: GuildChanges): readonly FieldError[] {
  const held: readonly string[] = guild.features
  const isForeign = (feature: string): boolean => !held.includes(feature) && !toggleableFeatures.includes(feature)
  const isTooLow = verificationLevel === 0 && held.includes('DISCOVERABLE')
  return [
    ...(isTooLow ? [field('verification_level', 'DISCOVERABLE_GUILD_VERIFICATION_LEVEL_TOO_LOW')] : []),
    ...(features?.some(isForeign) === true ? [field('features', 'GUILD_FEATURE_NOT_TOGGLEABLE')] : []),
  ]
}

/** The wanted images that need a feature that the guild lacks, whatever their content. */
export function imagesWithoutFeature(
  { features }: Guild,
  { banner, splash, embedSplash }: { readonly [Name in 'banner' | 'splash' | 'embedSplash']?: object | null },
): readonly FieldError[] {
  const lacks = (feature: GuildFeature): boolean => !features.includes(feature)
  return [
    ...(banner && lacks('BANNER') ? [field('banner', 'GUILD_BANNER_REQUIRES_FEATURE')] : []),
    ...(splash && lacks('INVITE_SPLASH') ? [field('splash', 'INVITE_SPLASH_REQUIRES_FEATURE')] : []),
    ...(embedSplash && lacks('INVITE_SPLASH') ? [field('embed_splash', 'EMBED_SPLASH_REQUIRES_FEATURE')] : []),
  ]
}

function imageErrors(guild: Guild, changes: GuildChanges, bannerMoves: boolean): readonly FieldError[] {
  const holds = (feature: GuildFeature): boolean => guild.features.includes(feature)
  const mayNotMove = Boolean(changes.banner) && bannerMoves && holds('BANNER') && !holds('ANIMATED_BANNER')
  return [
    ...(mayNotMove ? [field('banner', 'ANIMATED_GUILD_BANNER_REQUIRES_FEATURE')] : []),
    ...imagesWithoutFeature(guild, changes),
  ]
}

function cutoffErrors(
  { createdAt }: Guild,
  { messageHistoryCutoff }: GuildChanges,
  now_ms: number,
): readonly FieldError[] {
  if (!messageHistoryCutoff) return []
  const cutoff_ms = msOf(messageHistoryCutoff)
  if (cutoff_ms < msOf(createdAt))
    return [field('message_history_cutoff', 'MESSAGE_HISTORY_CUTOFF_BEFORE_GUILD_CREATION')]
  return cutoff_ms > now_ms ? [field('message_history_cutoff', 'MESSAGE_HISTORY_CUTOFF_IN_FUTURE')] : []
}

/** The requested values of the guild. */
function wantedOf(guild: Guild, changes: GuildChanges): Partial<Modifiable> {
  const { nsfwLevel, nsfw: sentNsfw, contentWarningLevel, features, systemChannelFlags: flags, ...plain } = changes
  const nsfw = sentNsfw ?? (nsfwLevel === undefined ? undefined : nsfwLevel === 3)
  // The level that marks the guild as age-restricted also turns the warning on, unless the request sets warnings.
  const warns = sentNsfw === undefined && nsfwLevel === 3 && guild.settings.contentWarningLevel === 0
  const warning = contentWarningLevel === undefined ? (warns ? 1 : undefined) : contentWarningLevel === 1 ? 1 : 0
  return {
    ...plain,
    ...(nsfw === undefined ? {} : { nsfw }),
    ...(warning === undefined ? {} : { contentWarningLevel: warning }),
    ...(flags === undefined ? {} : { systemChannelFlags: flags & systemChannelFlags.SUPPRESS_JOIN_NOTIFICATIONS }),
    ...(features === undefined ? {} : { features: toggled(guild, features) }),
  }
}

/** The wanted set; features that can't be toggled stay as they are. */
function toggled({ features }: Guild, wanted: readonly string[]): readonly GuildFeature[] {
  return guildFeatures.filter((feature) =>
    toggleableFeatures.includes(feature) ? wanted.includes(feature) : features.includes(feature),
  )
}

interface Differences {
  readonly before: Partial<Modifiable>
  readonly after: Partial<Modifiable>
}

/** The members that differ, before and after. */
function differences(guild: Guild, wanted: Partial<Modifiable>): Differences {
  const now: Modifiable = { name: guild.name, features: guild.features, ...guild.settings }
  const before: Partial<Modifiable> = {}
  const after: Partial<Modifiable> = {}
  const note = <Member extends keyof Modifiable>(member: Member, value: Modifiable[Member] | undefined): void => {
    if (value === undefined || isEqual(now[member], value)) return
    before[member] = now[member]
    after[member] = value
  }
  let member: keyof Modifiable
  for (member in now) note(member, wanted[member])
  return { before, after }
}

/** Features are compared as sets, images by their hash. */
function isEqual(a: Modifiable[keyof Modifiable], b: Modifiable[keyof Modifiable] | undefined): boolean {
  if (isImage(a) && isImage(b)) return a.hash === b.hash
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((entry) => b.includes(entry))
  return a === b
}

function isImage(value: unknown): value is GuildImage {
  return typeof value === 'object' && value !== null && 'hash' in value
}
