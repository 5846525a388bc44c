import type { Role } from '../../domain/guild/state.ts'
import type { Row } from '../runner/projection.ts'

/** The column of each member of a role. */
const columnOf: Readonly<Record<keyof Role, string>> = {
  id: 'id',
  name: 'name',
  permissions: 'permissions',
  position: 'position',
  color: 'color',
  hoist: 'hoist',
  hoistPosition: 'hoist_position',
  mentionable: 'mentionable',
  unicodeEmoji: 'unicode_emoji',
}

/** The given members of a role as columns, and no others. */
export function roleColumns(role: Partial<Role>): Row {
  const row: Record<string, string | number | boolean | null> = {}
  let name: keyof Role
  for (name in columnOf) {
    const value = role[name]
    if (value !== undefined) row[columnOf[name]] = value
  }
  return row
}
