import type { GuildId, RoleId } from '../ids/ids.js'
import type { EventDefinition, Upcast } from '../kernel/event-catalog.js'
import type { Role } from './state.js'

/** What can happen to the roles of a guild. Kept forever: members are added, never renamed or reused. */
export type RoleEvent =
  | { readonly type: 'RoleCreated'; readonly data: RoleCreated }
  | { readonly type: 'RoleChanged'; readonly data: RoleChanged }
  | { readonly type: 'RolesReordered'; readonly data: RolesReordered }
  /** The role as it was. It leaves its members and the channels' overwrites with that, without an event for each. */
  | { readonly type: 'RoleDeleted'; readonly data: { readonly guildId: GuildId; readonly role: Role } }

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
  /** Every role that has another place; those that only made way for the ones that moved are not `moved`. */
  readonly roles: readonly {
    readonly roleId: RoleId
    readonly moved: boolean
    /** Of the members that differ. */
    readonly before: Partial<RolePlaces>
    readonly after: Partial<RolePlaces>
  }[]
}

/** Roles of the first version have no place of their own among those that are shown apart. */
const withHoistPosition: Upcast = (data) => ({ ...data, role: { ...Object(data['role']), hoistPosition: null } })

export const roleEventDefinitions: Readonly<Record<RoleEvent['type'], EventDefinition>> = {
  RoleCreated: { version: 2, upcasts: [withHoistPosition] },
  RoleChanged: { version: 1 },
  RolesReordered: { version: 1 },
  RoleDeleted: { version: 1 },
}
