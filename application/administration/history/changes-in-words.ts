import { permissionBits, permissionNames } from '../../../domain/permissions/permission-bits.ts'
import { categoryOf, idOf, type StreamName } from '../../../domain/streams.ts'
import type { Difference, Json } from './differences.ts'

/** What things of a guild are called, by their ids. */
export interface GuildNames {
  readonly roles: ReadonlyMap<string, string>
  readonly channels: ReadonlyMap<string, string>
}

type Change = Pick<Difference, 'path' | 'before' | 'after'> & { readonly leftOut: boolean }

/**
 * A change of a guild, of a membership, of an invite, of a webhook or of a directory listing as one sentence, without a full stop. Permissions
 * have their names, and roles and channels theirs. What is left out is said to be personal.
 */
export function inWords(stream: StreamName, change: Change, names: GuildNames): string {
  switch (categoryOf(stream)) {
    case 'guild':
      return ofGuild(change, names)
    case 'membership':
      return ofMembership(`account ${idOf(stream).split('-')[1] ?? ''}`, change, names)
    case 'invite':
      return ofInvite(idOf(stream), change)
    case 'webhook':
      return ofWebhook(`webhook ${idOf(stream)}`, change, names)
    default:
      return `directory listing: ${memberChanged(change.path, change)}`
  }
}

function ofGuild(change: Change, names: GuildNames): string {
  const { path, before, after } = change
  const [, part = '', id = '', member, ...deeper] = path.split('/')
  if (part === 'status') return `the guild ${after === 'active' ? 'was founded' : 'was deleted'}`
  if (part === 'name') return renamed('the guild', change)
  if (part === 'ownerId') return `account ${plain(after)} owns the guild instead of account ${plain(before)}`
  if (part === 'features') return `the guild ${gainsAndLosses(listOf(before), listOf(after), 'got', 'lost')}`
  if (id === 'order') return `the order of ${part} changed`
  if (part === 'roles') return ofThing(`role ${nameOf(names.roles, id, change)}`, member, change)
  if (part !== 'channels') return memberChanged(path.slice(1), change)
  const channel = `channel ${nameOf(names.channels, id, change)}`
  if (member !== 'overwrites' || deeper.length === 0) return ofThing(channel, member, change)
  return `${channel}: ${ofOverwrite(deeper, change, names)}`
}

/** A change of a role or a channel, or of one member of it. */
function ofThing(thing: string, member: string | undefined, change: Change): string {
  if (member === undefined) return `${thing} was ${change.before === undefined ? 'created' : 'deleted'}`
  if (member === 'name') return renamed(thing, change)
  if (member === 'permissions') return `${thing} ${maskChange(change, 'got', 'lost')}`
  return `${thing}: ${memberChanged(change.path.split('/').slice(3).join('/'), change)}`
}

function ofOverwrite([id = '', member]: readonly string[], change: Change, { roles }: GuildNames): string {
  const role = roles.get(id)
  const whose = role === undefined ? `account ${id}` : `role ${role}`
  if (id === 'order') return 'the order of overwrites changed'
  if (member === 'allow') return `for ${whose} it ${maskChange(change, 'allows', 'allows no more')}`
  if (member === 'deny') return `for ${whose} it ${maskChange(change, 'denies', 'denies no more')}`
  const { before, after } = change
  if (after === undefined) return `the overwrite for ${whose} was deleted`
  const overwrite = { allow: memberOf(after, 'allow'), deny: memberOf(after, 'deny') }
  const verb = before === undefined ? 'was made' : 'changed'
  return `an overwrite for ${whose} ${verb}, allowing ${permissionsText(overwrite.allow)}, denying ${permissionsText(overwrite.deny)}`
}

const statusWords: Readonly<Record<string, string>> = {
  member: 'is a member',
  absent: 'is no member',
  banned: 'is banned',
}

function ofMembership(account: string, change: Change, { roles }: GuildNames): string {
  const { path, before, after } = change
  if (path === '/status') return `${account} ${statusWords[plain(after)] ?? plain(after)}`
  if (path !== '/roles' || !Array.isArray(before) || !Array.isArray(after))
    return `${account}: ${memberChanged(path.slice(1), change)}`
  const named = (ids: Json): readonly string[] => listOf(ids).map((id) => roles.get(id) ?? id)
  return `${account} ${gainsAndLosses(named(before), named(after), 'got the roles', 'lost the roles')}`
}

function ofInvite(code: string, change: Change): string {
  const { path, before, after } = change
  if (path === '/status') return `invite ${code} is ${after === 'custom' ? 'a custom code' : plain(after)}`
  if (path === '/uses') return `invite ${code} was used ${plain(after)} times instead of ${plain(before)}`
  if (path === '/redeemed') return `invite ${code}: the redemptions that stand changed`
  if (path === '/returned') return `invite ${code}: the redemptions that were returned changed`
  return `invite ${code}: ${memberChanged(path.slice(1), change)}`
}

function ofWebhook(webhook: string, change: Change, { channels }: GuildNames): string {
  const { path, before, after } = change
  if (path === '/status') return `${webhook} is ${plain(after)}`
  if (path === '/name') return renamed(webhook, change)
  if (path !== '/channelId') return `${webhook}: ${memberChanged(path.slice(1), change)}`
  const [from, to] = [plain(before), plain(after)]
  return `${webhook} was moved from channel ${channels.get(from) ?? from} to channel ${channels.get(to) ?? to}`
}

function renamed(thing: string, { before, after }: Change): string {
  return before === undefined
    ? `${thing} is named ${valueText(after)}`
    : `${thing} was renamed from ${valueText(before)} to ${valueText(after)}`
}

function memberChanged(member: string, { before, after, leftOut }: Change): string {
  if (leftOut) return `${member} changed (personal)`
  return `${member} changed from ${valueText(before)} to ${valueText(after)}`
}

function maskChange({ before, after }: Change, gained: string, lost: string): string {
  return gainsAndLosses(bitsOf(before), bitsOf(after), gained, lost)
}

function gainsAndLosses(before: readonly string[], after: readonly string[], gained: string, lost: string): string {
  const gains = after.filter((one) => !before.includes(one))
  const losses = before.filter((one) => !after.includes(one))
  const parts = [
    ...(gains.length > 0 ? [`${gained} ${gains.join(', ')}`] : []),
    ...(losses.length > 0 ? [`${lost} ${losses.join(', ')}`] : []),
  ]
  return parts.length === 0 ? 'is as before' : parts.join(' and ')
}

/** The names of the permissions in a mask; bits without a name are left out. */
function bitsOf(mask: Json | undefined): readonly string[] {
  if (typeof mask !== 'string' || !/^\d+$/.test(mask)) return []
  const bits = BigInt(mask)
  return permissionNames.filter((name) => (bits & permissionBits[name]) !== 0n)
}

/** The names of the permissions in a mask, or `nothing`. */
export const permissionsText = (mask: Json | undefined): string => bitsOf(mask).join(', ') || 'nothing'

function listOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? (value as readonly Json[]).map(plain) : []
}

/** The name that a thing has now, or had: its own where the change is the whole thing. */
function nameOf(names: ReadonlyMap<string, string>, id: string, { before, after }: Change): string {
  return names.get(id) ?? plain(memberOf(after, 'name') ?? memberOf(before, 'name') ?? id)
}

function memberOf(value: Json | undefined, member: string): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as { readonly [name: string]: Json | undefined })[member]
    : undefined
}

const plain = (value: Json | undefined): string => (typeof value === 'string' ? value : valueText(value))
const valueText = (value: Json | undefined): string => (value === undefined ? 'nothing' : JSON.stringify(value))
