import { closings } from './closings.js'
import { isObject, readable, unreadable, type Read } from './read.js'

/** What a session says of itself. A client's `offline` is `invisible`: a session that is there is never offline. */
export type PresenceStatus = 'online' | 'idle' | 'dnd' | 'invisible'

export interface PresenceFields {
  readonly status: PresenceStatus
  readonly afk: boolean
  readonly mobile: boolean
}

/** The status of an account that has saved no other; settings cannot be changed yet. */
const savedStatus: PresenceStatus = 'online'

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

/** Reads the presence of an Identify, which never fails: what it does not say is the account's saved status. */
export function identifyPresence(presence: unknown, isMobile: boolean): PresenceFields {
  if (!isObject(presence)) return { status: savedStatus, afk: false, mobile: isMobile }
  return {
    status: statuses.get(presence['status']) ?? savedStatus,
    afk: presence['afk'] === true,
    mobile: presence['mobile'] === true,
  }
}
