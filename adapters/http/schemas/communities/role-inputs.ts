import { z } from 'zod'
import type { RoleChanges, RoleWishes } from '../../../../application/communities/roles/change-roles.ts'
import type { Length } from '../../../../domain/text/normalise.ts'
import { colorInput } from '../colors.ts'
import { accountIdInput, nameInput, orNull, roleIdInput } from '../scalars.ts'
import { permissionMaskInput } from './masks.ts'

const roleNameLength: Length = { min: 1, max: 100 }
const roleName = nameInput(roleNameLength)

/** A position among the roles. Positions may have gaps. */
const position_max = 2_147_483_647
const rolePosition = z.int().min(0).max(position_max)

/** More than the roles that a guild can have under the stock limits. */
const positions_max = 1000

/** Another form of `color`, which counts where `color` is not sent. A role has one colour. */
const colors = z
  .object({ primary_color: colorInput, secondary_color: z.null().optional(), tertiary_color: z.null().optional() })
  .nullable()
  .optional()

/** The body of Create role. */
export const roleWishes = z
  .object({ name: roleName, color: orNull(colorInput), colors, permissions: orNull(permissionMaskInput) })
  .transform(({ name, color, colors: form, permissions }): RoleWishes => ({
    name,
    color: color ?? form?.primary_color ?? 0,
    permissions,
  }))

/** The body of Modify role. Members that are not sent stay as they are. */
export const roleChanges = z
  .object({
    name: roleName.optional(),
    color: colorInput.optional(),
    colors,
    permissions: permissionMaskInput.optional(),
    hoist: z.boolean().optional(),
    hoist_position: rolePosition.nullable().optional(),
    mentionable: z.boolean().optional(),
  })
  .transform(({ name, permissions, hoist, hoist_position: hoistPosition, mentionable, ...colours }): RoleChanges => ({
    details: {
      ...(name === undefined ? {} : { name }),
      ...colorIn(colours),
      ...(hoist === undefined ? {} : { hoist }),
      ...(hoistPosition === undefined ? {} : { hoistPosition }),
      ...(mentionable === undefined ? {} : { mentionable }),
    },
    permissions: permissions ?? null,
  }))

interface SentColours {
  readonly color?: number | undefined
  readonly colors?: z.output<typeof colors>
}

function colorIn({ color: sent, colors: form }: SentColours): Pick<RoleChanges['details'], 'color'> {
  const color = sent ?? form?.primary_color
  return color === undefined ? {} : { color }
}

/** The body of Modify role positions. */
export const rolePositions = z
  .array(z.object({ id: roleIdInput, position: orNull(rolePosition) }))
  .max(positions_max)
  .transform((entries) => entries.map(({ id: roleId, position }) => ({ roleId, position })))

/** The body of Modify role hoist positions. */
export const roleHoistPositions = z
  .array(z.object({ id: roleIdInput, hoist_position: rolePosition.nullable() }))
  .max(positions_max)
  .transform((entries) => entries.map(({ id: roleId, hoist_position: hoistPosition }) => ({ roleId, hoistPosition })))

/** The body of Transfer guild ownership, beside the sudo verification fields. */
export const newOwner = z.object({ new_owner_id: accountIdInput })
