import type { GuildId, RoleId } from '../ids/ids.js'
import type { EventDefinition, Upcast } from '../kernel/event-catalog.js'
import type { Role } from './state.js'

/** The events of a guild's roles. Kept forever: members are added, never renamed or reused. */
export type RoleEvent =
  | { readonly type: 'RoleCreated'; readonly data: RoleCreated }
  | { readonly type: 'RoleChanged'; readonly data: RoleChanged }
  | { readonly type: 'RolesReordered'; readonly data: RolesReordered }
  /**
   * The role before its deletion. This also removes it from its members and from the channels' overwrites, without further
   * events.
   */
  | { readonly type: 'RoleDeleted'; readonly data: { readonly guildId: GuildId; readonly role: Role } }

export interface RoleCreated {
  readonly guildId: GuildId
  readonly role: Role
  /** Set if it is part of the guild's initial layout. */
  readonly founding?: true
}

type Changeable = Omit<Role, 'id' | 'position' | 'unicodeEmoji'>

/** A role was written. Before and after are empty if nothing differs; the event follows nevertheless. */
export interface RoleChanged {
  readonly guildId: GuildId
  readonly roleId: RoleId
  /** Only the members that differ. */
  readonly before: Partial<Changeable>
  readonly after: Partial<Changeable>
}

/** The places of a role: among all roles, and among hoisted roles. */
export type RolePlaces = Pick<Role, 'position' | 'hoistPosition'>

/** Roles were reordered, among all roles or among hoisted ones. */
export interface RolesReordered {
  readonly guildId: GuildId
  /** Every role with a changed place. Roles that only made room for others are not `moved`. */
  readonly roles: readonly {
    readonly roleId: RoleId
    readonly moved: boolean
    /** Only the members that differ. */
    readonly before: Partial<RolePlaces>
    readonly after: Partial<RolePlaces>
  }[]
}

/** Roles of version 1 have no hoist position. */
const withHoistPosition: Upcast = (data) => ({ ...data, role: { ...Object(data['role']), hoistPosition: null } })

export const roleEventDefinitions: Readonly<Record<RoleEvent['type'], EventDefinition>> = {
  RoleCreated: { version: 2, upcasts: [withHoistPosition] },
  RoleChanged: { version: 1 },
  RolesReordered: { version: 1 },
  RoleDeleted: { version: 1 },
}
