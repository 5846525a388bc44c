import type { GuildId, RoleId } from '../ids/ids.js'
import { event, type EventOf, type Upcast } from '../kernel/event-catalog.js'
import type { Role } from './state.js'

/** Roles of the first version have no place of their own among those that are shown apart. */
const withHoistPosition: Upcast = (data) => ({ ...data, role: { ...Object(data['role']), hoistPosition: null } })

/** What can happen to the roles of a guild. Kept forever: members are added, never renamed or reused. */
export const roleEvents = {
  RoleCreated: event<RoleCreated>({ guildId: 'text', role: 'object' }, { upcasts: [withHoistPosition] }),
  RoleChanged: event<RoleChanged>({ guildId: 'text', roleId: 'text', before: 'object', after: 'object' }),
  RolesReordered: event<RolesReordered>({ guildId: 'text', roles: 'list' }),
  /** The role as it was. It leaves its members and the channels' overwrites with that, without an event for each. */
  RoleDeleted: event<{ readonly guildId: GuildId; readonly role: Role }>({ guildId: 'text', role: 'object' }),
}

export type RoleEvent = EventOf<typeof roleEvents>

export interface RoleCreated {
  readonly guildId: GuildId
  readonly role: Role
  /** Set where it is of the layout that the guild began with. */
  readonly founding?: true
}

type Changeable = Omit<Role, 'id' | 'position' | 'unicodeEmoji'>

/** A role was written. Nothing differs where the write said what was so already: it is told nevertheless. */
export interface RoleChanged {
  readonly guildId: GuildId
  readonly roleId: RoleId
  /** Of the members that differ. */
  readonly before: Partial<Changeable>
  readonly after: Partial<Changeable>
}

/** The places that a role has: among all roles, and among those that are shown apart. */
export type RolePlaces = Pick<Role, 'position' | 'hoistPosition'>

/** Roles stand in another order, among all or among those that are shown apart. */
export interface RolesReordered {
  readonly guildId: GuildId
  /** Every role that has another place; those that only made room for the ones that moved are not `moved`. */
  readonly roles: readonly {
    readonly roleId: RoleId
    readonly moved: boolean
    /** Of the members that differ. */
    readonly before: Partial<RolePlaces>
    readonly after: Partial<RolePlaces>
  }[]
}
