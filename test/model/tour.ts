import { bits } from './support/rules.ts'
import type { Intent } from './support/intent.ts'

/** Commands that meet every refusal of `statuses`, each once, because the random runs may miss one. They follow the opening. */

const home = { guild: 0, at: 2 } as const
const unique = { unique: true } as const

const whoAndWhat: readonly Intent[] = [
  { op: 'get', by: 'nobody', guild: 0, threads: false },
  { op: 'get', by: 'otherBearer', guild: 0, threads: false },
  { op: 'get', by: 'stranger', guild: 0, threads: false },
  { op: 'get', by: 'owner', guild: 9, threads: false },
  { op: 'leave', by: 'stranger', guild: 0, deletesMessages: false, proof: 'none' },
  { op: 'delete', by: 'owner', guild: 0, proof: 'none' },
  { op: 'accept invite', by: 'bot', code: 1, dressing: 'plain' },
  { op: 'get invite', by: 'nobody', code: 9, dressing: 'plain' },
  { op: 'list channel invites', by: 'owner', channel: { guild: 0, at: 9 } },
  { op: 'create', by: 'bot', name: 'Home', isEmpty: true, template: null },
  { op: 'create', by: 'guest', name: 'Home', isEmpty: true, template: null },
  { op: 'create', by: 'owner', name: ' ', isEmpty: true, template: null },
  { op: 'create', by: 'owner', name: 'A cursed home', isEmpty: true, template: null },
]

const rejected = {
  everyone: undefined,
  roles: [],
  channels: [],
  nested: false,
  verification: undefined,
  fault: 'no mask',
} as const

/** The owner in one guild, and the stranger in another, reach the limits of a guild and of an account. */
const limits: readonly Intent[] = [
  { op: 'create invite', by: 'owner', channel: home, wishes: unique },
  { op: 'create invite', by: 'owner', channel: home, wishes: unique },
  { op: 'create invite', by: 'owner', channel: home, wishes: unique },
  { op: 'create', by: 'moderator', name: 'Second', isEmpty: true, template: null },
  { op: 'create', by: 'moderator', name: 'Third', isEmpty: true, template: null },
  { op: 'create', by: 'moderator', name: 'Fourth', isEmpty: true, template: rejected },
  { op: 'create', by: 'moderator', name: 'Fourth', isEmpty: true, template: null },
  { op: 'accept invite', by: 'guest', code: 0, dressing: 'plain' },
  { op: 'accept invite', by: 'stranger', code: 0, dressing: 'plain' },
]

const doors: readonly Intent[] = [
  { op: 'delete', by: 'moderator', guild: 3, proof: 'right' },
  { op: 'set operations', guild: 1, mask: 8 },
  { op: 'accept invite', by: 'moderator', code: 4, dressing: 'plain' },
  { op: 'set features', guild: 1, features: ['VANITY_URL', 'RAID_DETECTED'] },
  { op: 'accept invite', by: 'moderator', code: 4, dressing: 'plain' },
  { op: 'ban', by: 'moderator', guild: 1 },
  { op: 'accept invite', by: 'moderator', code: 4, dressing: 'plain' },
  { op: 'set MFA level', guild: 0, level: 1 },
  { op: 'list guild invites', by: 'moderator', guild: 0 },
  { op: 'set features', guild: 0, features: ['UNAVAILABLE_FOR_EVERYONE'] },
  { op: 'get', by: 'owner', guild: 0, threads: false },
  { op: 'set operations', guild: 1, mask: 0 },
  { op: 'set features', guild: 1, features: ['VANITY_URL'] },
  { op: 'create invite', by: 'stranger', channel: { guild: 1, at: 2 }, wishes: { temporary: true } },
  { op: 'accept invite', by: 'guest', code: 0, dressing: 'plain' },
]

const privateOnes: readonly Intent[] = [
  { op: 'open private', kind: 'group', by: 'owner', with: 'member' },
  { op: 'create invite', by: 'owner', channel: { private: 0 }, wishes: unique },
  { op: 'accept invite', by: 'guest', code: 0, dressing: 'plain' },
  { op: 'accept invite', by: 'moderator', code: 0, dressing: 'plain' },
  { op: 'accept invite', by: 'stranger', code: 0, dressing: 'plain' },
  { op: 'open private', kind: 'direct', by: 'owner', with: 'member' },
  { op: 'create invite', by: 'owner', channel: { private: 1 }, wishes: unique },
  { op: 'accept invite', by: 'stranger', code: 0, dressing: 'plain' },
]

export const tour: readonly Intent[] = [...whoAndWhat, ...privateOnes, ...limits, ...doors]

/** The start of every run: the owner's guild, in which the moderator manages things, another guild, and a group. */
export const opening: readonly Intent[] = [
  { op: 'create', by: 'owner', name: 'Home', isEmpty: false, template: null },
  { op: 'create invite', by: 'owner', channel: home, wishes: unique },
  { op: 'accept invite', by: 'moderator', code: 0, dressing: 'plain' },
  { op: 'give role', by: 'moderator', guild: 0, mask: bits.MANAGE_GUILD | bits.MANAGE_CHANNELS },
  { op: 'accept invite', by: 'member', code: 0, dressing: 'plain' },
  { op: 'set features', guild: 0, features: ['VANITY_URL'] },
  { op: 'create', by: 'stranger', name: 'Other', isEmpty: true, template: null },
  { op: 'set features', guild: 1, features: ['VANITY_URL', 'DISCOVERABLE'] },
  { op: 'modify custom URL', by: 'stranger', guild: 1, code: 'hearth' },
]
