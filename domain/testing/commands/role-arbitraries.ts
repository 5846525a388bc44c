import fc from 'fast-check'
import type { MaskWish, RoleCommand } from '../../guild/role-commands.ts'
import type { GuildActor } from '../../permissions/authority.ts'
import { permissionBits, type PermissionName } from '../../permissions/permission-bits.ts'
import { oneOf, record } from '../drawing.ts'
import { accounts, plainRole, role, roles } from '../people.ts'

/** Commands about roles, drawn from a few roles and permissions, so that actors meet roles that they may touch and others. */

const drawn = ['ADMINISTRATOR', 'MANAGE_ROLES', 'KICK_MEMBERS', 'VIEW_CHANNEL', 'MANAGE_THREADS'] as const
export const drawnPermissions: readonly PermissionName[] = drawn

/** Masks of few bits. Most have MANAGE_ROLES, or nobody could do anything. */
export const masks: fc.Arbitrary<bigint> = fc
  .tuple(fc.subarray([...drawn], { maxLength: 3 }), oneOf(true, true, false))
  .map(([names, manages]) =>
    names.reduce((mask, name) => mask | permissionBits[name], manages ? permissionBits.MANAGE_ROLES : 0n),
  )

const wishes: fc.Arbitrary<MaskWish> = record({ wanted: masks, undeclared: oneOf(0n, permissionBits.MANAGE_THREADS) })

export const someRole = oneOf(...roles, role(4))

export const actors: fc.Arbitrary<GuildActor> = record({
  accountId: oneOf(...accounts),
  roles: fc.subarray([role(1), role(2), role(3), role(4)]),
  hasAuthenticator: fc.boolean(),
})

const positions = fc.integer({ min: 0, max: 6 })
const positionOrNone = fc.option(positions, { nil: null })

const details = fc.record(
  { name: oneOf('Crew', 'Engine'), color: oneOf(0, 255), hoist: fc.boolean(), hoistPosition: positionOrNone },
  { requiredKeys: [], noNullPrototype: true },
)

export type ActedRoleCommand = Exclude<RoleCommand, { readonly type: 'AddBotRole' }>

/** The commands of accounts about roles. */
export const actedRoleCommands: fc.Arbitrary<ActedRoleCommand> = fc.oneof(
  record({
    type: oneOf('CreateRole'),
    by: actors,
    roleId: someRole,
    name: oneOf('Crew'),
    color: oneOf(0),
    permissions: fc.option(wishes, { nil: null }),
    roles_max: oneOf(4, 5),
  }),
  record({
    type: oneOf('ChangeRole'),
    by: actors,
    roleId: someRole,
    details,
    permissions: fc.option(wishes, { nil: null }),
  }),
  record({
    type: oneOf('ReorderRoles'),
    by: actors,
    positions: fc.array(record({ roleId: someRole, position: positionOrNone }), { maxLength: 4 }),
  }),
  record({
    type: oneOf('ReorderHoistedRoles'),
    by: actors,
    hoistPositions: fc.oneof(
      oneOf('none'),
      fc.array(record({ roleId: someRole, hoistPosition: positionOrNone }), { maxLength: 4 }),
    ),
  }),
  record({ type: oneOf('DeleteRole'), by: actors, roleId: someRole }),
)

export const roleCommands: fc.Arbitrary<RoleCommand> = fc.oneof(
  { weight: 6, arbitrary: actedRoleCommands },
  {
    weight: 1,
    arbitrary: record({
      type: oneOf('AddBotRole'),
      role: someRole.map((id) => ({ ...plainRole, id })),
      roles_max: oneOf(2, 3),
    }),
  },
)
