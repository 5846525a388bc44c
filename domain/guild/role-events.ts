import type { GuildId, RoleId } from '../ids/ids.ts'
import { event, type EventOf, type Upcast } from '../kernel/event-catalog.ts'
import type { Role } from './state.ts'

/** Roles of version 1 have no hoist position. */
const withHoistPosition: Upcast = (data) => ({ ...data, role: { ...Object(data['role']), hoistPosition: null } })

/** The events of a guild's roles. Kept forever: members are added, never renamed or reused. */
export const roleEvents = {
  RoleCreated: event<RoleCreated, readonly [RoleCreatedWithoutHoistPosition]>(
    { guildId: 'text', role: 'object' },
    { upcasts: [withHoistPosition] },
  ),
  RoleChanged: event<RoleChanged>({ guildId: 'text', roleId: 'text', before: 'object', after: 'object' }),
  RolesReordered: event<RolesReordered>({ guildId: 'text', roles: 'list' }),
  /**
   * The role before its deletion. This also removes it from its members and from the channels' overwrites, without further
   * events.
   */
  RoleDeleted: event<{ readonly guildId: GuildId; readonly role: Role }>({ guildId: 'text', role: 'object' }),
}

export type RoleEvent = EventOf<typeof roleEvents>

export interface RoleCreated {
  readonly guildId: GuildId
  readonly role: Role
  /** Set if it is part of the guild's initial layout. */
  readonly founding?: true
}

/** Version 1. */
export interface RoleCreatedWithoutHoistPosition {
  readonly guildId: GuildId
  readonly role: Omit<Role, 'hoistPosition'>
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

/** The positions of a role: among all roles, and among hoisted roles. */
export type RolePositions = Pick<Role, 'position' | 'hoistPosition'>

/** Roles were reordered, among all roles or among hoisted ones. */
export interface RolesReordered {
  readonly guildId: GuildId
  /** Every role that has another position; those that only made way for the ones that moved are not `moved`. */
  readonly roles: readonly {
    readonly roleId: RoleId
    readonly moved: boolean
    /** Only the members that differ. */
    readonly before: Partial<RolePositions>
    readonly after: Partial<RolePositions>
  }[]
}
