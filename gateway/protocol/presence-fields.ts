import type { PresenceFields, PresenceStatus } from '../../application/ports/presence.js'
import { closings } from './closings.js'
import { isObject, readable, unreadable, type Read } from './read.js'

const statuses: ReadonlyMap<unknown, PresenceStatus> = new Map([
  ['online', 'online'],
  ['', 'online'],
  ['idle', 'idle'],
  ['dnd', 'dnd'],
  ['invisible', 'invisible'],
  ['offline', 'invisible'],
])

/** Reads `d` of a Presence Update: 4002 `Invalid presence payload` for a status that is none (reference gateway 1.11). */
export function readPresence(d: unknown): Read<PresenceFields> {
  if (!isObject(d) || !Object.hasOwn(d, 'status')) return unreadable(closings.invalidPresence)
  const status = updatedStatus(d['status'])
  if (!status) return unreadable(closings.invalidPresence)
  return readable({ status, afk: d['afk'] === true, mobile: d['mobile'] === true })
}

function updatedStatus(value: unknown): PresenceStatus | undefined {
  if (value === null || typeof value === 'boolean') return 'invisible'
  return typeof value === 'string' ? statuses.get(value) : 'online'
}

/** The presence that a session is to begin with; without a status, with the one that its account has chosen. */
export interface IdentifyPresence extends Omit<PresenceFields, 'status'> {
  readonly status: PresenceStatus | undefined
}

/** Reads the presence of an Identify, which never fails. `online` says no more than nothing does (reference gateway 1.7). */
export function identifyPresence(presence: unknown, isMobile: boolean): IdentifyPresence {
  if (!isObject(presence)) return { status: undefined, afk: false, mobile: isMobile }
  const { status } = presence
  return {
    status: status === 'online' ? undefined : statuses.get(status),
    afk: presence['afk'] === true,
    mobile: presence['mobile'] === true,
  }
}

/** The presence that a session begins with, given the status that its account has chosen. */
export function beginningPresence({ status, afk, mobile }: IdentifyPresence, saved: PresenceStatus): PresenceFields {
  return { status: status ?? saved, afk, mobile }
}
