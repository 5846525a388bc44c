import type { ModelCaller, Person } from './cast.ts'
import { refuse, refuseFields, refuseWith } from './outcomes.ts'
import type { ModelChannel, ModelGuild, World } from './world.ts'

/** Who may do what. */

export const bits = {
  CREATE_INSTANT_INVITE: 1n << 0n,
  ADMINISTRATOR: 1n << 3n,
  MANAGE_CHANNELS: 1n << 4n,
  MANAGE_GUILD: 1n << 5n,
  VIEW_AUDIT_LOG: 1n << 7n,
  VIEW_CHANNEL: 1n << 10n,
  SEND_MESSAGES: 1n << 11n,
  MANAGE_MESSAGES: 1n << 13n,
} as const
export type Permission = keyof typeof bits

export const threadBits = (1n << 34n) | (1n << 35n) | (1n << 36n) | (1n << 38n)
export const newThreadBits = (1n << 35n) | (1n << 36n) | (1n << 38n)
/** Bits that stay as they are in a write without the client capability. */
export const boundBits = threadBits | (1n << 54n)
export const defaultEveryone = 8_933_636_165_185n | (1n << 54n)
const allBits = (1n << 64n) - 1n
const elevated: readonly Permission[] = ['ADMINISTRATOR', 'MANAGE_CHANNELS', 'MANAGE_GUILD', 'MANAGE_MESSAGES']

/**
 * An operation's policy: refuses callers without a credential, a bearer without the scope, and bots where they are not allowed.
 */
export function authenticated(
  caller: ModelCaller,
  { scope, bots = true }: { readonly scope?: string; readonly bots?: boolean } = {},
): Person {
  const { person, scopes } = caller
  if (!person) return refuse('UNAUTHORIZED')
  if (scopes && scope === undefined) return refuse('ACCESS_DENIED')
  if (scopes && scope !== undefined && !scopes.includes(scope))
    return refuseWith('MISSING_OAUTH_SCOPE', { required_scope: scope })
  if (person.isBot && !bots) return refuse('ACCESS_DENIED')
  return person
}

export function isUnavailable({ features }: ModelGuild, person: Person): boolean {
  if (features.has('UNAVAILABLE_FOR_EVERYONE')) return true
  return features.has('UNAVAILABLE_FOR_EVERYONE_BUT_STAFF') && !person.isStaff
}

/** The guild, for a member of it. */
export function guildFor(world: World, person: Person, guildId: string): ModelGuild {
  const guild = world.guild(guildId)
  if (!guild) return refuse('UNKNOWN_GUILD')
  requireMember(guild, person)
  return guild
}

export function requireMember(guild: ModelGuild, person: Person): void {
  if (isUnavailable(guild, person)) refuse('MISSING_ACCESS')
  if (!guild.members.has(person.id)) refuse('MISSING_PERMISSIONS')
}

/** The channel and its guild, for a member of it. */
export function channelFor(world: World, person: Person, channelId: string): readonly [ModelGuild, ModelChannel] {
  const found = world.guildOfChannel(channelId)
  // For a deleted guild, either answer is allowed.
  if (!found)
    return world.goneChannels.has(channelId) ? refuse('UNKNOWN_CHANNEL', 'UNKNOWN_GUILD') : refuse('UNKNOWN_CHANNEL')
  requireMember(found[0], person)
  return found
}

/** The whole mask, in the guild or in one of its channels. */
export function maskOf(guild: ModelGuild, accountId: string, channel?: ModelChannel): bigint {
  if (guild.ownerId === accountId) return allBits
  const member = guild.members.get(accountId)
  if (!member) return 0n
  const base = [guild.id, ...member.roles].reduce((mask, role) => mask | (guild.roles.get(role) ?? 0n), 0n)
  if (base & bits.ADMINISTRATOR) return allBits
  return channel ? (base & ~channel.deny) | channel.allow : base
}

/** The permissions of the everyone role in a channel, for any member. */
export function everyoneMaskIn(guild: ModelGuild, channel: ModelChannel): bigint {
  const base = guild.roles.get(guild.id) ?? 0n
  return base & bits.ADMINISTRATOR ? allBits : (base & ~channel.deny) | channel.allow
}

export function can(guild: ModelGuild, person: Person, permission: Permission, channel?: ModelChannel): boolean {
  return (maskOf(guild, person.id, channel) & bits[permission]) !== 0n
}

/** Requires a permission in the guild, and an authenticator if the guild's MFA level demands one. */
export function requirePermission(guild: ModelGuild, person: Person, permission: Permission): void {
  if (!can(guild, person, permission)) refuse('MISSING_PERMISSIONS')
  if (lacksAuthenticator(guild, person) && elevated.includes(permission)) refuse('TWO_FACTOR_REQUIRED')
}

export function lacksAuthenticator(guild: ModelGuild, person: Person): boolean {
  return guild.settings.mfa_level === 1 && guild.ownerId !== person.id && !person.isEnrolled
}

/** A category is visible to those who can view it or anything in it. */
export function viewable(guild: ModelGuild, accountId: string): readonly ModelChannel[] {
  const channels = guild.channels ?? []
  const sees = (channel: ModelChannel) => (maskOf(guild, accountId, channel) & bits.VIEW_CHANNEL) !== 0n
  return channels.filter(
    (channel) =>
      sees(channel) || (channel.type === 4 && channels.some((child) => child.parentId === channel.id && sees(child))),
  )
}

/** How a caller tries to prove its identity. */
export type Proof = 'none' | 'right' | 'wrong'

/** Sudo mode. Returns whether the answer contains a proof. */
export function requireSudo(person: Person, proof: Proof): boolean {
  if (person.isBot || !person.isClaimed) return false
  if (proof === 'none')
    return refuseWith('SUDO_MODE_REQUIRED', { has_mfa: person.hasSecondFactor, methods: methodsOf(person) })
  if (proof === 'right') return person.hasSecondFactor
  return refuseFields([person.hasSecondFactor ? 'mfa_code INVALID_MFA_CODE' : 'password INVALID_PASSWORD'])
}

const methodsOf = ({ hasSecondFactor }: Person) => ({
  totp: hasSecondFactor,
  webauthn: false,
  backup_codes: hasSecondFactor,
})
