import type { PresenceFields, PresenceStatus } from '../../application/ports/presence.js'
import type { Timestamp } from '../../domain/kernel/timestamp.js'
import type { CustomStatus } from '../../domain/user-settings/settings.js'
import { closings } from './closings.js'
import { customStatusIn } from './custom-status.js'
import { isObject, readable, unreadable, type Read } from './read.js'

const statuses: ReadonlyMap<unknown, PresenceStatus> = new Map([
  ['online', 'online'],
  ['', 'online'],
  ['idle', 'idle'],
  ['dnd', 'dnd'],
  ['invisible', 'invisible'],
  ['offline', 'invisible'],
])

/** What a Presence Update says. */
export interface PresenceUpdate {
  readonly fields: PresenceFields
  /** Absent: as it was. */
  readonly customStatus?: CustomStatus | null
}

/**
 * Reads `d` of a Presence Update: 4002 `Invalid presence payload` for a status that is none. A custom status that is none leaves
 * the one before (reference gateway 1.11).
 */
export function readPresence(d: unknown, now: Timestamp): Read<PresenceUpdate> {
  if (!isObject(d) || !Object.hasOwn(d, 'status')) return unreadable(closings.invalidPresence)
  const status = updatedStatus(d['status'])
  if (!status) return unreadable(closings.invalidPresence)
  const customStatus = customStatusIn(d['custom_status'], now)
  const fields = { status, afk: d['afk'] === true, mobile: d['mobile'] === true }
  return readable({ fields, ...(customStatus === undefined ? {} : { customStatus }) })
}

function updatedStatus(value: unknown): PresenceStatus | undefined {
  if (value === null || typeof value === 'boolean') return 'invisible'
  return typeof value === 'string' ? statuses.get(value) : 'online'
}

/** The presence that a session is to begin with; without a status, with the one that its account has chosen. */
export interface IdentifyPresence extends Omit<PresenceFields, 'status'> {
  readonly status: PresenceStatus | undefined
  /** Where its account has chosen none. */
  readonly customStatus?: CustomStatus
}

/** Reads the presence of an Identify, which never fails. `online` says no more than nothing does (reference gateway 1.7). */
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

/** The presence that a session begins with, given the status that its account has chosen. */
export function beginningPresence({ status, afk, mobile }: IdentifyPresence, saved: PresenceStatus): PresenceFields {
  return { status: status ?? saved, afk, mobile }
}
