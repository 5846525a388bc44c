import type { RoleId } from '../ids/ids.ts'
import type { GuildActor } from '../permissions/authority.ts'
import type { Role } from './state.ts'

export type RoleCommand = AddBotRole | CreateRole | ChangeRole | ReorderRoles | ReorderHoistedRoles | DeleteRole

/** Adds a bot's role. The sender has checked that its permissions may be granted. */
export interface AddBotRole {
  readonly type: 'AddBotRole'
  readonly role: Role
  /** The maximum number of roles, including the everyone role. */
  readonly roles_max: number
}

/** A requested permission mask: the wanted bits, and the bits that the client does not declare. */
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
  /** Null to copy the permissions of the everyone role. */
  readonly permissions: MaskWish | null
  readonly roles_max: number
}

/** What Modify role can change besides permissions. */
export type RoleDetails = Pick<Role, 'name' | 'color' | 'hoist' | 'hoistPosition' | 'mentionable'>

export interface ChangeRole {
  readonly type: 'ChangeRole'
  readonly by: GuildActor
  readonly roleId: RoleId
  /** The given members, whether or not they differ. */
  readonly details: Partial<RoleDetails>
  /** Null if not given. */
  readonly permissions: MaskWish | null
}

export interface ReorderRoles {
  readonly type: 'ReorderRoles'
  readonly by: GuildActor
  /** If a role is named twice, the last entry counts; null if no position is given. */
  readonly positions: readonly { readonly roleId: RoleId; readonly position: number | null }[]
}

export interface ReorderHoistedRoles {
  readonly type: 'ReorderHoistedRoles'
  readonly by: GuildActor
  /** If a role is named twice, the last entry counts. 'none' removes all hoist positions. */
  readonly hoistPositions: readonly { readonly roleId: RoleId; readonly hoistPosition: number | null }[] | 'none'
}

export interface DeleteRole {
  readonly type: 'DeleteRole'
  readonly by: GuildActor
  readonly roleId: RoleId
}
