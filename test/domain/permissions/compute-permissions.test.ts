import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RoleId } from '../../../domain/ids/ids.ts'
import {
  computePermissions,
  holds,
  type Overwrite,
  type PermissionGuild,
} from '../../../domain/permissions/compute-permissions.ts'
import { allPermissions, permissionBits } from '../../../domain/permissions/permission-bits.ts'
import { property } from '../../support/property.ts'
import { ada, everyone, grace, home, linus, role } from '../../../domain/testing/people.ts'
import { maskOf, namesIn, permissionNames } from './names.ts'
import { permissionsByName, type NamedGuild, type NamedOverwrite } from './model.ts'

const view = permissionBits.VIEW_CHANNEL
const send = permissionBits.SEND_MESSAGES

/** A guild of Ada's in which everyone may view, and role 1 may send. */
const guild = {
  id: home,
  ownerId: ada,
  roles: [
    { id: everyone, permissions: view.toString() },
    { id: role(1), permissions: send.toString() },
    { id: role(2), permissions: permissionBits.ADMINISTRATOR.toString() },
  ],
}
const member = (...roles: readonly RoleId[]) => ({ accountId: grace, roles })
const overwrite = (id: string, type: 0 | 1, allow: bigint, deny: bigint): Overwrite => ({
  id,
  type,
  allow: allow.toString(),
  deny: deny.toString(),
})

describe('the permissions of a member', () => {
  it('are all 64 bits for the owner, in channels too', () => {
    const owner = { accountId: ada, roles: [] }
    const denied = overwrite(everyone, 0, 0n, allPermissions)
    expect(computePermissions(guild, owner)).toBe(18_446_744_073_709_551_615n)
    expect(computePermissions(guild, owner, [denied])).toBe(18_446_744_073_709_551_615n)
  })

  it('are none for a stranger', () => {
    expect(computePermissions(guild, undefined)).toBe(0n)
    expect(computePermissions(guild, undefined, [overwrite(everyone, 0, view, 0n)])).toBe(0n)
  })

  it("are everyone's and those of every role", () => {
    expect(computePermissions(guild, member())).toBe(view)
    expect(computePermissions(guild, member(role(1)))).toBe(view | send)
    expect(computePermissions(guild, member(role(3)))).toBe(view)
  })

  it('are all 64 bits for an administrator, in channels too', () => {
    const denied = overwrite(grace, 1, 0n, allPermissions)
    expect(computePermissions(guild, member(role(2)))).toBe(allPermissions)
    expect(computePermissions(guild, member(role(2)), [denied])).toBe(allPermissions)
  })

  it('are not made an administrator by an overwrite', () => {
    const raised = overwrite(grace, 1, permissionBits.ADMINISTRATOR, 0n)
    expect(computePermissions(guild, member(), [raised])).toBe(view | permissionBits.ADMINISTRATOR)
  })

  it("follow everyone's overwrite, then the roles' gathered, then the member's", () => {
    const byEveryone = overwrite(everyone, 0, send, view)
    const byRole = overwrite(role(1), 0, view, send)
    const byMember = overwrite(grace, 1, send, view)
    expect(computePermissions(guild, member(), [byEveryone])).toBe(send)
    expect(computePermissions(guild, member(role(1)), [byRole, byEveryone])).toBe(view)
    expect(computePermissions(guild, member(role(1)), [byMember, byRole, byEveryone])).toBe(send)
  })

  it('are allowed by one role though another role denies', () => {
    const denied = overwrite(role(1), 0, 0n, send)
    const allowed = overwrite(role(3), 0, send, 0n)
    expect(computePermissions(guild, member(role(1), role(3)), [allowed, denied])).toBe(view | send)
    expect(computePermissions(guild, member(role(1), role(3)), [denied, allowed])).toBe(view | send)
  })

  it('do not follow the overwrites of roles and members that are others', () => {
    const others = [overwrite(role(1), 0, send, view), overwrite(linus, 1, send, view), overwrite(grace, 0, send, view)]
    expect(computePermissions(guild, member(), others)).toBe(view)
    expect(computePermissions(guild, member(), [overwrite(everyone, 1, send, view)])).toBe(view)
  })

  it('imply nothing: without VIEW_CHANNEL the rest stays', () => {
    expect(computePermissions(guild, member(role(1)), [overwrite(everyone, 0, 0n, view)])).toBe(send)
  })
})

describe('holding permissions', () => {
  it('is holding every one that is named', () => {
    expect(holds(view | send, 'VIEW_CHANNEL', 'SEND_MESSAGES')).toBe(true)
    expect(holds(view, 'VIEW_CHANNEL', 'SEND_MESSAGES')).toBe(false)
    expect(holds(0n)).toBe(true)
    expect(holds(allPermissions, ...permissionNames)).toBe(true)
  })
})

const names = fc.uniqueArray(fc.constantFrom(...permissionNames), { maxLength: 6 })
const roleIds = [role(1), role(2), role(3)] as const
const targets: readonly NamedOverwrite['target'][] = [
  ...[everyone, ...roleIds].map((id) => ['role', id] as const),
  ...[grace, linus].map((id) => ['member', id] as const),
]
const named: fc.Arbitrary<NamedGuild> = fc.record({
  ownerId: fc.constantFrom(ada, ada, ada, grace),
  everyone: names,
  roles: fc.uniqueArray(fc.record({ id: fc.constantFrom(...roleIds), permissions: names }), {
    selector: ({ id }) => id,
  }),
  held: fc.uniqueArray(fc.constantFrom(...roleIds)),
  overwrites: fc.option(
    fc.uniqueArray(fc.record({ target: fc.constantFrom(...targets), allow: names, deny: names }), {
      selector: ({ target }) => target.join(),
    }),
  ),
})

describe('the algorithm', () => {
  property('gives what a plain model of sets of names gives', named, (plain) => {
    const expected = permissionsByName(plain, grace, everyone)
    const mask = computePermissions(guildOf(plain), { accountId: grace, roles: plain.held }, overwritesOf(plain))
    if (expected === 'all') expect(mask).toBe(allPermissions)
    else expect(new Set(namesIn(mask))).toStrictEqual(expected)
  })
})

function guildOf(plain: NamedGuild): PermissionGuild {
  const all = [{ id: everyone, permissions: plain.everyone }, ...plain.roles]
  const masks = all.map(({ id, permissions }) => ({ id, permissions: maskOf(permissions).toString() }))
  return { id: home, ownerId: plain.ownerId, roles: masks }
}

function overwritesOf({ overwrites }: NamedGuild): readonly Overwrite[] | undefined {
  return overwrites?.map(({ target: [kind, id], allow, deny }) =>
    overwrite(id, kind === 'role' ? 0 : 1, maskOf(allow), maskOf(deny)),
  )
}
