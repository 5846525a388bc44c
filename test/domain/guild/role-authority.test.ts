import fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { GuildEvent } from '../../../domain/guild/events.ts'
import { guild } from '../../../domain/guild/guild.ts'
import { initialSettings, type Guild, type Role } from '../../../domain/guild/state.ts'
import type { RoleId } from '../../../domain/ids/ids.ts'
import type { Decision } from '../../../domain/kernel/decider.ts'
import type { PermissionName } from '../../../domain/permissions/permission-bits.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { guildCommands } from '../../../domain/testing/commands/arbitraries.ts'
import { record } from '../../../domain/testing/drawing.ts'
import { ada, everyone, home, plainRole, role, start } from '../../../domain/testing/people.ts'
import { namesHeld, rolesAbove, rolesAboveMember } from '../permissions/authority-model.ts'
import { namesIn } from '../permissions/names.ts'
import { actedRoleCommands, masks, type ActedRoleCommand } from '../../../domain/testing/commands/role-arbitraries.ts'

const roleAt = (id: RoleId, position: number, permissions: bigint, hoistPosition: number | null = null): Role => ({
  ...plainRole,
  id,
  position,
  hoistPosition,
  permissions: permissions.toString(),
})

describe('in whatever happens to roles', () => {
  property("everyone's role stays the lowest, and the first", histories(guild, guildCommands), ({ state }) => {
    if (state.status !== 'active') return
    expect(state.roles[0]).toMatchObject({
      id: everyone,
      name: '@everyone',
      position: 0,
      hoist: false,
      mentionable: false,
    })
    for (const { position } of state.roles.slice(1)) expect(position).toBeGreaterThan(0)
    expect(new Set(state.roles.map(({ id }) => id)).size).toBe(state.roles.length)
  })

  property('no overwrite is of a role that is gone', histories(guild, guildCommands), ({ state }) => {
    if (state.status !== 'active') return
    const ids = new Set<string>(state.roles.map(({ id }) => id))
    for (const { overwrites } of state.channels) {
      for (const { id, type } of overwrites) if (type === 0) expect(ids).toContain(id)
    }
  })

  const guilds = fc
    .tuple(
      masks,
      fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), masks), { maxLength: 4 }),
      fc.integer({ min: 0, max: 1 }),
    )
    .map(([ofEveryone, others, mfaLevel]) => ({
      ...bareGuild,
      settings: { ...initialSettings, mfaLevel },
      roles: [
        roleAt(everyone, 0, ofEveryone),
        ...others.map(([position, mask], index) => roleAt(role(index + 1), position, mask, position)),
      ],
    }))
  const tries = record({ before: guilds, commands: fc.array(actedRoleCommands, { maxLength: 15 }) })

  property(
    'no operation lets a caller grant, remove or touch what it lacks or stands below',
    tries,
    ({ before, commands }) => {
      for (const command of commands) expectWithinAuthority(before, command)
    },
  )
})

/** The result of a command about roles is within the permissions of its caller, and below its rank. */
function expectWithinAuthority(before: Guild, command: ActedRoleCommand): void {
  const fresh = command.type === 'CreateRole' ? { ...command, roleId: role(9) } : command
  const decision: Decision<GuildEvent> = guild.decide({ status: 'active', ...before }, fresh)
  const isOwner = fresh.by.accountId === before.ownerId
  if (decision.outcome === 'refused' || isOwner) return
  const held = namesHeld(before, fresh.by)
  expect(held).toContain('MANAGE_ROLES')
  expect(before.settings.mfaLevel === 0 || fresh.by.hasAuthenticator).toBe(true)
  const mine = rolesAboveMember(before, fresh.by)
  for (const event of decision.events) {
    for (const bit of bitsTouched(before, event)) expect(held).toContain(bit)
    for (const id of rolesTouched(before, event)) expect(mine).toBeLessThan(rolesAbove(before, id))
  }
}

const bareGuild: Guild = {
  id: home,
  name: 'Home',
  ownerId: ada,
  features: [],
  settings: initialSettings,
  createdAt: start,
  roles: [],
  channels: [],
}

function bitsTouched({ roles }: Guild, event: GuildEvent): readonly PermissionName[] {
  if (event.type === 'RoleCreated') return namesIn(BigInt(event.data.role.permissions))
  if (event.type !== 'RoleChanged') return []
  const { roleId, after } = event.data
  const stored = roles.find(({ id }) => id === roleId)?.permissions ?? '0'
  return namesIn(BigInt(stored) ^ BigInt(after.permissions ?? stored))
}

/** The touched roles: those whose order among the others changed, and those that were written or deleted. */
function rolesTouched(before: Guild, event: GuildEvent): readonly RoleId[] {
  if (event.type === 'RoleChanged') return [event.data.roleId]
  if (event.type === 'RoleDeleted') return [event.data.role.id]
  if (event.type !== 'RolesReordered') return []
  const state = guild.evolve({ status: 'active', ...before }, event)
  const after = state.status === 'active' ? state : before
  const swapped = before.roles.filter((one) =>
    before.roles.some((other) => isAbove(before, one.id, other.id) !== isAbove(after, one.id, other.id)),
  )
  const hoisted = event.data.roles.filter((one) => one.after.hoistPosition !== undefined)
  return [...swapped.map(({ id }) => id), ...hoisted.map(({ roleId }) => roleId)]
}

function isAbove(of: Guild, one: RoleId, other: RoleId): boolean {
  return rolesAbove(of, one) < rolesAbove(of, other)
}
