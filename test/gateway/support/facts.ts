import type { Role } from '../../../domain/guild/state.ts'
import type { AccountId, GuildId, RoleId } from '../../../domain/ids/ids.ts'
import type { DomainEvent } from '../../../domain/kernel/decider.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { permissionBits, type PermissionName } from '../../../domain/permissions/permission-bits.ts'

/** The possible events, in the words that the tests use for them. */

export const start = timestamp(Date.UTC(2026, 4, 1, 12))
export const sometime = timestamp(Date.UTC(2026, 4, 2))

export function identifyOf({ token }: { readonly token: string }, more: object = {}): object {
  return { token, properties: { os: 'linux', browser: 'test', device: 'test' }, ...more }
}

export function joined(guild: GuildId, account: AccountId): DomainEvent {
  return {
    type: 'MemberJoined',
    data: { guildId: guild, accountId: account, joinedAt: start, temporary: false, admission: { by: 'custom_invite' } },
  }
}

export function left(guild: GuildId, account: AccountId): DomainEvent {
  return { type: 'MemberLeft', data: { guildId: guild, accountId: account } }
}

export function rolesChanged(guild: GuildId, account: AccountId, ...roles: readonly RoleId[]): DomainEvent {
  return { type: 'MemberRolesChanged', data: { guildId: guild, accountId: account, roles } }
}

export function allowing(role: Role, names: readonly PermissionName[]): Role {
  const permissions = names.reduce((mask, name) => mask | permissionBits[name], BigInt(role.permissions))
  return { ...role, permissions: permissions.toString() }
}

export function plainRole(id: RoleId, ...permissions: readonly PermissionName[]): Role {
  const plain = {
    name: 'role',
    position: 1,
    color: 0,
    hoist: false,
    hoistPosition: null,
    mentionable: false,
    unicodeEmoji: null,
  }
  return allowing({ id, permissions: '0', ...plain }, permissions)
}
