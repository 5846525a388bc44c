import type { RoleId } from '../ids/ids.js'
import type { GuildActor } from '../permissions/authority.js'
import type { Role } from './state.js'

export type RoleCommand = AddBotRole | CreateRole | ChangeRole | ReorderRoles | ReorderHoistedRoles | DeleteRole

/** The role that a bot comes with. Whoever sends this has checked that its permissions may be given. */
export interface AddBotRole {
  readonly type: 'AddBotRole'
  readonly role: Role
  /** How many roles the guild may have, everyone's included. */
  readonly roles_max: number
}

/** What a write says of a mask: the bits that are wanted, and those that its client does not declare to know. */
export interface MaskWish {
  readonly wanted: bigint
  readonly undeclared: bigint
}

export interface CreateRole {
  readonly type: 'CreateRole'
  readonly by: GuildActor
  readonly roleId: RoleId
  /** 1-100 characters. */
  readonly name: string
  /** 0-16777215. */
  readonly color: number
  /** Null for a copy of what everyone may do. */
  readonly permissions: MaskWish | null
  readonly roles_max: number
}

/** What Modify role can change besides the permissions. */
export type RoleDetails = Pick<Role, 'name' | 'color' | 'hoist' | 'hoistPosition' | 'mentionable'>

export interface ChangeRole {
  readonly type: 'ChangeRole'
  readonly by: GuildActor
  readonly roleId: RoleId
  /** Those that are given, whether or not they differ. */
  readonly details: Partial<RoleDetails>
  /** Null where they are not given. */
  readonly permissions: MaskWish | null
}

export interface ReorderRoles {
  readonly type: 'ReorderRoles'
  readonly by: GuildActor
  /** Of a role that is named twice the last counts; null where no position is given. */
  readonly positions: readonly { readonly roleId: RoleId; readonly position: number | null }[]
}

export interface ReorderHoistedRoles {
  readonly type: 'ReorderHoistedRoles'
  readonly by: GuildActor
  /** Of a role that is named twice the last counts. Or every role's is taken away. */
  readonly hoistPositions: readonly { readonly roleId: RoleId; readonly hoistPosition: number | null }[] | 'none'
}

export interface DeleteRole {
  readonly type: 'DeleteRole'
  readonly by: GuildActor
  readonly roleId: RoleId
}
