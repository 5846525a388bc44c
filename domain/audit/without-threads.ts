import { channelTypes, type Channel } from '../guild/channel.ts'
import { permissionBits, threadPermissions } from '../permissions/permission-bits.ts'
import { auditActions } from './audit-actions.ts'
import type { AuditChange, AuditValue, GuildAuditEntry } from './audit-entry.ts'

/** The actions that only clients with thread access are shown (rules/guilds#audit-log). */

export const threadActions: readonly number[] = [
  auditActions.THREAD_CREATE,
  auditActions.THREAD_UPDATE,
  auditActions.THREAD_DELETE,
]

/** The actions whose `type` is a channel type. */
export const channelActions: readonly number[] = [
  auditActions.CHANNEL_CREATE,
  auditActions.CHANNEL_UPDATE,
  auditActions.CHANNEL_DELETE,
]

/** Channels of these types hold only threads. */
export const threadOnlyTypes: readonly number[] = [channelTypes.forum, channelTypes.media]

/** The actions that name a message's channel: it was in a thread if the guild has no such channel. */
const messageActions: readonly number[] = [
  auditActions.MESSAGE_DELETE,
  auditActions.MESSAGE_BULK_DELETE,
  auditActions.MESSAGE_PIN,
  auditActions.MESSAGE_UNPIN,
]

/**
 * Whether an entry is about a thread, about a channel that holds only threads, or about an act in one. `channels` are the guild's
 * at that time.
 */
export function isOfThreads(
  { actionType, options: { type, channel_id: channelId } }: GuildAuditEntry,
  channels: readonly Pick<Channel, 'id' | 'type'>[],
): boolean {
  if (threadActions.includes(actionType)) return true
  if (channelActions.includes(actionType)) return type !== undefined && threadOnlyTypes.includes(type)
  if (channelId === undefined) return false
  const channel = channels.find(({ id }) => id === channelId)
  return channel ? threadOnlyTypes.includes(channel.type) : messageActions.includes(actionType)
}

const maskKeys: readonly string[] = ['permissions', 'allow', 'deny']
const threadPermissionNames: readonly string[] = Object.entries(permissionBits).flatMap(([name, bit]) =>
  (threadPermissions & bit) === 0n ? [] : [name],
)

/** The changes without thread bits and their names. A change of nothing else is left out. */
export function withoutThreadBits(changes: readonly AuditChange[]): readonly AuditChange[] {
  return changes.map(stripped).filter(tellsOfAnything)
}

function stripped(change: AuditChange): AuditChange {
  if (!maskKeys.includes(change.key) && change.key !== permissionsDiff) return change
  const { key, old_value: before, new_value: after } = change
  const strip = key === permissionsDiff ? withoutNames : withoutBits
  return {
    key,
    ...(before === undefined ? {} : { old_value: strip(before) }),
    ...(after === undefined ? {} : { new_value: strip(after) }),
  }
}

const permissionsDiff = 'permissions_diff'

function withoutBits(mask: AuditValue): AuditValue {
  return typeof mask === 'string' && /^\d+$/.test(mask) ? (BigInt(mask) & ~threadPermissions).toString() : mask
}

/** For `{added, removed}`, each a list of names. */
function withoutNames(difference: AuditValue): AuditValue {
  if (typeof difference !== 'object' || difference === null || Array.isArray(difference)) return difference
  const others = (names: AuditValue): AuditValue =>
    Array.isArray(names) ? names.filter((name) => !threadPermissionNames.some((hidden) => hidden === name)) : names
  return Object.fromEntries(Object.entries(difference).map(([member, names]) => [member, others(names)]))
}

function tellsOfAnything({ key, old_value: before, new_value: after }: AuditChange): boolean {
  if (maskKeys.includes(key)) return before !== after
  if (key !== permissionsDiff || typeof after !== 'object' || after === null) return true
  return Object.values(after).some((names) => Array.isArray(names) && names.length > 0)
}
