import { expect } from 'vitest'
import { inviteEntry } from '../news/entries.ts'
import { entriesTold, inviteTold, isListener, ofOwnGuild, toGuild } from '../news/told.ts'
import {
  acceptPrivateInvite,
  createPrivateInvite,
  deletePrivateInvite,
  getPrivateInvite,
  listPrivateInvites,
} from '../private/private-invites.ts'
import type { ModelCaller, Person } from '../support/cast.ts'
import { done, refuse, refuseFields, type Done, type Play } from '../support/outcomes.ts'
import {
  authenticated,
  can,
  channelFor,
  everyoneMaskIn,
  guildFor,
  isUnavailable,
  requirePermission,
  bits,
} from '../support/rules.ts'
import { inviteMetadata, inviteObject, type Body } from '../support/wire.ts'
import {
  limits,
  newestFirst,
  type InviteWishes,
  type ModelGuild,
  type ModelInvite,
  type World,
} from '../support/world.ts'

/** The six operations on invites. Those for private channels are passed on. */

const instantInvites = 1 << 3

export function createInvite(world: World, caller: ModelCaller, channelId: string, wishes: InviteWishes): Play {
  return {
    method: 'POST',
    path: `/v1/channels/${channelId}/invites`,
    body: wishes,
    judge() {
      const person = authenticated(caller)
      const { max_uses: uses, max_age: age } = wishes
      const faults = [
        ...(uses && (uses < 0 || uses > 100) ? ['max_uses INVALID_FORMAT'] : []),
        ...(age && (age < 0 || age > 604_800) ? ['max_age INVALID_FORMAT'] : []),
      ]
      if (faults.length > 0) refuseFields(faults)
      const room = world.privateChannel(channelId)
      if (room) return createPrivateInvite(world, room, person, wishes)
      const [guild, channel] = channelFor(world, person, channelId)
      if (!can(guild, person, 'VIEW_CHANNEL', channel)) refuse('MISSING_ACCESS')
      const isShut = (guild.settings.disabled_operations & instantInvites) !== 0
      if (!can(guild, person, 'CREATE_INSTANT_INVITE', channel))
        refuse('MISSING_PERMISSIONS', ...(isShut ? ['FEATURE_TEMPORARILY_DISABLED'] : []))
      if (isShut) refuse('FEATURE_TEMPORARILY_DISABLED')
      return newOrEquivalent(world, guild, channelId, person, wishes)
    },
  }
}

function newOrEquivalent(
  world: World,
  guild: ModelGuild,
  channelId: string,
  { id: inviterId }: Person,
  wishes: InviteWishes,
): Done {
  const terms = {
    guildId: guild.id,
    channelId,
    inviterId,
    maxUses: wishes.max_uses ?? 0,
    maxAge: wishes.max_age ?? 0,
    temporary: wishes.temporary ?? false,
  }
  const equivalents = world.invites.filter((invite) => hasTerms(invite, terms))
  if (wishes.unique !== true && equivalents.length > 0)
    return done(200, (answer) => {
      const { code } = answer as { readonly code: string }
      const found = equivalents.find((invite) => invite.code === code)
      expect(found).toBeDefined()
      return found && inviteMetadata(world, guild, found)
    })
  if (standing(world, guild) >= limits.max_guild_invites) refuse('MAX_INVITES')
  let invite: ModelInvite
  const created = done(200, (answer) => {
    const { code, created_at: createdAt } = answer as { readonly code: string; readonly created_at: string }
    expect(code).toMatch(/^[A-Za-z0-9]{8}$/)
    expect(world.codes).not.toContain(code)
    invite = { ...terms, code, createdAt, uses: 0 }
    world.invites.push(invite)
    world.note(code)
    return inviteMetadata(world, guild, invite)
  })
  const records = () => [inviteEntry(invite, inviterId, false)]
  const tells = () => [...inviteTold(world, guild, invite, 'INVITE_CREATE'), ...entriesTold(world, guild, records())]
  return { ...created, touches: guild.id, records, tells }
}

function hasTerms(invite: ModelInvite, terms: Omit<ModelInvite, 'code' | 'createdAt' | 'uses'>): boolean {
  return (Object.keys(terms) as (keyof typeof terms)[]).every((key) => invite[key] === terms[key])
}

/** Counts the invites of all channels, and the custom invite URL. */
function standing({ invites }: World, { id, customCode }: ModelGuild): number {
  return invites.filter(({ guildId }) => guildId === id).length + (customCode === null ? 0 : 1)
}

/** The place that a code leads to. */
interface Target {
  readonly guild: ModelGuild
  /** Undefined for a custom invite URL. */
  readonly invite: ModelInvite | undefined
  /** Undefined if it is gone, or if a custom invite URL finds none. */
  readonly channelId: string | undefined
}

function normalised(code: string): string {
  const trimmed = code.replaceAll(/[\f\u202e]/g, '').trim()
  return trimmed.length < 1 || trimmed.length > 256 ? refuseFields(['invite_code STRING_LENGTH_INVALID']) : trimmed
}

/** Looks for the exact code first, then for a custom code. */
function targetOf(world: World, code: string): Target {
  const trimmed = normalised(code)
  const invite = world.invite(trimmed)
  if (invite) {
    const guild = world.guild(invite.guildId)
    if (!guild) return refuse('UNKNOWN_GUILD')
    const channel = guild.channels?.find(({ id }) => id === invite.channelId)
    return { guild, invite, channelId: channel?.id }
  }
  if (world.fadingCodes.has(trimmed)) return refuse('UNKNOWN_INVITE', 'UNKNOWN_GUILD')
  const guild = world.guilds.find(({ customCode }) => customCode === trimmed.toLowerCase())
  return guild ? { guild, invite: undefined, channelId: firstPublicText(guild) } : refuse('UNKNOWN_INVITE')
}

/** The first text channel in channel order that the default role can view. */
function firstPublicText(guild: ModelGuild): string | undefined {
  const channels = (guild.channels ?? []).filter(
    (channel) => channel.type === 0 && (everyoneMaskIn(guild, channel) & bits.VIEW_CHANNEL) !== 0n,
  )
  return channels.toSorted((one, other) => one.position - other.position)[0]?.id
}

/** What Get invite shows of it. */
function render(world: World, { guild, invite, channelId }: Target): Body {
  if (channelId === undefined) return refuse(invite ? 'UNKNOWN_CHANNEL' : 'UNKNOWN_INVITE')
  const custom = { code: guild.customCode ?? '', temporary: false, maxAge: 0, createdAt: '', inviterId: null }
  return inviteObject(world, guild, invite ?? { ...custom, createdAt: new Date(0).toISOString() }, channelId)
}

const invitePath = (code: string): string => `/v1/invites/${encodeURIComponent(code)}`

/** The same for every caller, whatever their credential. */
export function getInvite(world: World, code: string): Play {
  return {
    method: 'GET',
    path: invitePath(code),
    judge() {
      const led = world.privateInvite(normalised(code))
      if (led) return getPrivateInvite(world, led)
      const shown = render(world, targetOf(world, code))
      return done(200, (answer) => {
        for (const member of ['uses', 'max_uses', 'created_at']) expect(answer).not.toHaveProperty(member)
        return shown
      })
    },
  }
}

export function acceptInvite(world: World, caller: ModelCaller, code: string): Play {
  return {
    method: 'POST',
    path: invitePath(code),
    judge() {
      const person = authenticated(caller, { bots: false })
      const led = world.privateInvite(normalised(code))
      if (led) return acceptPrivateInvite(world, person, led)
      const target = targetOf(world, code)
      const { guild, channelId, invite } = target
      // Without a channel there is no invite to accept, unless one is stored.
      if (!invite && channelId === undefined) refuse('UNKNOWN_INVITE')
      if (guild.members.has(person.id)) {
        const shown = render(world, target)
        return done(200, () => shown)
      }
      checkAdmission(world, person, target)
      // An account admitted to a deleted channel joins the guild, and the answer still contains the channel.
      if (channelId === undefined) {
        admit(world, person, target)
        world.isUnheard = true
        refuse('UNKNOWN_CHANNEL')
      }
      const admitted = done(200, () => {
        admit(world, person, target)
        return render(world, target)
      })
      const added = { t: 'GUILD_MEMBER_ADD', d: { guild_id: guild.id, user: { id: person.id } } }
      const tells = () =>
        isListener(world, person.id) ? ofOwnGuild('GUILD_CREATE', { id: guild.id }) : toGuild(world, guild, added)
      return { ...admitted, touches: guild.id, tells }
    },
  }
}

/** The order of rules/invites#accept. */
function checkAdmission(world: World, person: Person, { guild, invite }: Target): void {
  if (isUnavailable(guild, person)) refuse('MISSING_ACCESS')
  if (guild.bans.has(person.id)) refuse('USER_BANNED_FROM_GUILD')
  if (guild.features.has('INVITES_DISABLED') || guild.features.has('RAID_DETECTED')) refuse('INVITES_DISABLED')
  if (guild.settings.disabled_operations & instantInvites) refuse('FEATURE_TEMPORARILY_DISABLED')
  if (world.guildsOf(person.id).length >= limits.max_guilds) refuse('MAX_GUILDS')
  if (guild.members.size >= limits.max_guild_members) refuse('MAX_GUILD_MEMBERS')
  if (invite?.temporary === true && !person.isPresent) refuse('TEMPORARY_INVITE_REQUIRES_PRESENCE')
}

function admit(world: World, { id }: Person, { guild, invite }: Target): void {
  guild.members.set(id, { roles: new Set() })
  if (!invite) {
    guild.customUses += 1
    return
  }
  invite.uses += 1
  if (invite.maxUses !== 0 && invite.uses >= invite.maxUses) world.removeInvite(invite.code)
}

export function deleteInvite(world: World, caller: ModelCaller, code: string): Play {
  return {
    method: 'DELETE',
    path: invitePath(code),
    judge(): Done {
      const person = authenticated(caller)
      const led = world.privateInvite(normalised(code))
      if (led) return deletePrivateInvite(world, person, led)
      const { guild, invite } = targetOf(world, code)
      if (!invite) return refuse('UNKNOWN_INVITE')
      guildFor(world, person, guild.id)
      if (invite.inviterId !== person.id) requirePermission(guild, person, 'MANAGE_GUILD')
      const records = () => [inviteEntry(invite, person.id, true)]
      const tells = () => [
        ...inviteTold(world, guild, invite, 'INVITE_DELETE'),
        ...entriesTold(world, guild, records()),
      ]
      return { ...done(204, () => world.removeInvite(invite.code)), touches: guild.id, records, tells }
    },
  }
}

export function listChannelInvites(world: World, caller: ModelCaller, channelId: string): Play {
  return {
    method: 'GET',
    path: `/v1/channels/${channelId}/invites`,
    judge() {
      const person = authenticated(caller)
      if (world.privateChannel(channelId)) return listPrivateInvites(world, person, channelId)
      const [guild, channel] = channelFor(world, person, channelId)
      if (!can(guild, person, 'VIEW_CHANNEL', channel)) refuse('MISSING_ACCESS')
      requirePermission(guild, person, 'MANAGE_CHANNELS')
      return done(200, () => listed(world, guild, (invite) => invite.channelId === channelId))
    },
  }
}

export function listGuildInvites(world: World, caller: ModelCaller, guildId: string): Play {
  return {
    method: 'GET',
    path: `/v1/guilds/${guildId}/invites`,
    judge() {
      const person = authenticated(caller)
      const guild = guildFor(world, person, guildId)
      requirePermission(guild, person, 'MANAGE_GUILD')
      return done(200, () => listed(world, guild, () => true))
    },
  }
}

function listed(world: World, guild: ModelGuild, isAsked: (invite: ModelInvite) => boolean): readonly Body[] {
  const invites = world.invites.filter((invite) => invite.guildId === guild.id)
  return newestFirst(invites.filter(isAsked)).map((invite) => inviteMetadata(world, guild, invite))
}
