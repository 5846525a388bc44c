import type { PresenceFields } from '../../application/ports/presence.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { CustomStatus, Status } from '../../domain/user-settings/settings.ts'
import { closings } from './closings.ts'
import { customStatusIn } from './custom-status.ts'
import { isObject, readable, unreadable, type Read } from './read.ts'

const statuses: ReadonlyMap<unknown, Status> = new Map([
  ['online', 'online'],
  ['', 'online'],
  ['idle', 'idle'],
  ['dnd', 'dnd'],
  ['invisible', 'invisible'],
  ['offline', 'invisible'],
])

/** The parsed body of a Presence Update. */
export interface PresenceUpdate {
  readonly fields: PresenceFields
  /** Absent: unchanged. */
  readonly customStatus?: CustomStatus | null
}

/**
 * Parses `d` of a Presence Update: 4002 `Invalid presence payload` for an invalid status. An invalid custom status
 * leaves the previous one.
 */
export function readPresence(d: unknown, now: Timestamp): Read<PresenceUpdate> {
  if (!isObject(d) || !Object.hasOwn(d, 'status')) return unreadable(closings.invalidPresence)
  const status = updatedStatus(d['status'])
  if (!status) return unreadable(closings.invalidPresence)
  const customStatus = customStatusIn(d['custom_status'], now)
  const fields = { status, afk: d['afk'] === true, mobile: d['mobile'] === true }
  return readable({ fields, ...(customStatus === undefined ? {} : { customStatus }) })
}

function updatedStatus(value: unknown): Status | undefined {
  if (value === null || typeof value === 'boolean') return 'invisible'
  return typeof value === 'string' ? statuses.get(value) : 'online'
}

/** The initial presence of a session. Without a status, the account's chosen one applies. */
export interface IdentifyPresence extends Omit<PresenceFields, 'status'> {
  readonly status: Status | undefined
  /** Only used if its account has chosen none. */
  readonly customStatus?: CustomStatus
}

/** Parses the presence of an Identify, which never fails. `online` means the same as no status. */
export function identifyPresence(presence: unknown, isMobile: boolean): IdentifyPresence {
  const isAbsent = presence === undefined || presence === null
  if (!isObject(presence)) return { status: undefined, afk: false, mobile: isAbsent && isMobile }
  const { status } = presence
  const customStatus = customStatusIn(presence['custom_status']) ?? undefined
  return {
    status: status === 'online' ? undefined : statuses.get(status),
    afk: presence['afk'] === true,
    mobile: presence['mobile'] === true,
    ...(customStatus ? { customStatus } : {}),
  }
}

/** A session's initial presence, given its account's chosen status. */
export function beginningPresence({ status, afk, mobile }: IdentifyPresence, saved: Status): PresenceFields {
  return { status: status ?? saved, afk, mobile }
}
