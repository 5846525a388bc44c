import { beforeEach, describe, expect, it } from 'vitest'
import { guildId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { field, type FieldError } from '../../../../domain/kernel/refusal.ts'
import { permissionBits, type PermissionName } from '../../../../domain/permissions/permission-bits.ts'
import { testContext } from '../../../support/test-context.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import {
  accept,
  bodyOf,
  expectFields,
  expectRefusal,
  found,
  invite,
  listOf,
  type TestGuild,
} from '../../support/answers.ts'
import { openScene } from '../../support/scene.ts'

/** Ada's guild, with Brian in it; every test has its own. */
let home: TestGuild

const { guildhall, ada, brian, carol } = await openScene()
beforeEach(async () => {
  home = await found(guildhall, ada)
  await accept(guildhall, brian, await invite(guildhall, ada, home.channel))
})

const nowhere = '1'
const declaring = { 'x-service-features': 'channel_threads,view_channel_members_permission' }
const mask = (...names: readonly PermissionName[]): string =>
  names.reduce((bits, name) => bits | permissionBits[name], 0n).toString()

const send = (
  account: TestAccount,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) => guildhall.request(method, path, { token: account.token, headers, ...(body === undefined ? {} : { body }) })
const rolesPath = (id = home.id): string => `/v1/guilds/${id}/roles`
const make = (account: TestAccount, body: unknown, headers = {}) => send(account, 'POST', rolesPath(), body, headers)
const change = (account: TestAccount, role: string, body: unknown, headers = {}) =>
  send(account, 'PATCH', `${rolesPath()}/${role}`, body, headers)
const remove = (account: TestAccount, role: string) => send(account, 'DELETE', `${rolesPath()}/${role}`)
const reorder = (account: TestAccount, body: unknown) => send(account, 'PATCH', rolesPath(), body)
const made = async (body: object = { name: 'Crew' }): Promise<string> =>
  String(bodyOf(await make(ada, body, declaring))['id'])
const list = async (account = ada, headers = declaring) =>
  listOf(await send(account, 'GET', rolesPath(), undefined, headers))
const give = async (account: TestAccount, role: string) =>
  expect((await send(ada, 'PUT', `/v1/guilds/${home.id}/members/${account.id}/roles/${role}`)).status).toBe(204)
const entriesOf = async (action: number) =>
  bodyOf(await send(ada, 'GET', `/v1/guilds/${home.id}/audit-logs?action_type=${action}`))['audit_log_entries']

/** Gives Brian a role with which he manages roles. */
async function managed(...more: readonly PermissionName[]): Promise<string> {
  const id = await made({ name: 'Managers', permissions: mask('MANAGE_ROLES', ...more) })
  await give(brian, id)
  return id
}

/** Makes the guild demand a second factor from moderators. */
async function demandSecondFactor(): Promise<void> {
  const { guild } = guildhall.ports.aggregates
  const context = testContext()
  await guild.execute(guildId(snowflake(home.id)), { type: 'ChangeSettings', settings: { mfaLevel: 1 } }, context)
  await guildhall.readModels.reached(context.written)
}

describe('List guild roles', () => {
  it('lists the highest position first, and of equal ones the lower id, to every member', async () => {
    const [first, second, third] = [await made(), await made(), await made()]
    await reorder(ada, [{ id: second, position: 9 }])
    expect((await list(brian)).map(({ id }) => id)).toStrictEqual([second, first, third, home.id])
    const again = await made()
    expect((await list()).map(({ id, position }) => [id, position])).toStrictEqual([
      [second, 3],
      [first, 2],
      [third, 1],
      [again, 1],
      [home.id, 0],
    ])
    const full = bodyOf(await send(brian, 'GET', `/v1/guilds/${home.id}`))
    expect(full['roles']).toStrictEqual(await list(brian, { 'x-service-features': '' }))
  })

  it('is only for members', async () => {
    expectRefusal(await send(carol, 'GET', rolesPath()), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await send(ada, 'GET', rolesPath(nowhere)), 404, 'UNKNOWN_GUILD')
    expectRefusal(await guildhall.request('GET', rolesPath()), 401, 'UNAUTHORIZED')
  })

  it('hides thread bits from clients that do not declare to know threads', async () => {
    const id = await made({ name: 'Threads', permissions: mask('MANAGE_THREADS', 'KICK_MEMBERS') })
    const shown = async (headers: Record<string, string>) =>
      (await list(ada, { ...declaring, ...headers })).find((role) => role['id'] === id)?.['permissions']
    expect(await shown({})).toBe(mask('MANAGE_THREADS', 'KICK_MEMBERS'))
    expect(await shown({ 'x-service-features': '' })).toBe(mask('KICK_MEMBERS'))
  })
})

describe('Create guild role', () => {
  it('takes the colour in another form, where the first is not sent', async () => {
    const colors = { primary_color: 0xff, secondary_color: null }
    const blue = bodyOf(await make(ada, { name: 'Blues', colors }))
    expect(blue).toMatchObject({ color: 0xff })
    expect(bodyOf(await make(ada, { name: 'Greens', color: 0xff00, colors }))).toMatchObject({ color: 0xff00 })
    const changed = await change(ada, String(blue['id']), { colors: { primary_color: 0xf } })
    expect(changed.body).toMatchObject({ color: 0xf, colors: { primary_color: 0xf } })
    expectFields(
      await make(ada, { name: 'x', colors: { primary_color: -1 } }),
      field('colors.primary_color', 'COLOR_VALUE_TOO_LOW'),
    )
  })

  it('answers with a role at position 1 with a copy of everyone’s permissions', async () => {
    const [everyone] = await list()
    const body = bodyOf(await make(ada, { name: ' Crew ' }, declaring))
    expect(body).toStrictEqual({
      id: expect.stringMatching(/^\d+$/),
      name: 'Crew',
      color: 0,
      colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
      position: 1,
      hoist_position: null,
      permissions: everyone?.['permissions'],
      hoist: false,
      mentionable: false,
      unicode_emoji: null,
    })
    expect(bodyOf(await make(ada, { name: 'Reds', color: 0xff0000, permissions: 8 }))).toMatchObject({
      color: 0xff0000,
      permissions: '8',
    })
    expect(await entriesOf(30)).toMatchObject([
      { target_id: expect.any(String), changes: expect.arrayContaining([{ key: 'name', new_value: 'Reds' }]) },
      { target_id: body['id'], changes: expect.arrayContaining([{ key: 'hoist_position', new_value: null }]) },
    ])
  })

  it('drops undefined bits, and clears those that the client does not declare to know', async () => {
    const permissions = mask('KICK_MEMBERS', 'MANAGE_THREADS', 'VIEW_CHANNEL_MEMBERS')
    const undefinedToo = (BigInt(permissions) | (1n << 19n) | (1n << 62n)).toString()
    const id = await made({ name: 'All', permissions: undefinedToo })
    expect((await list()).find((role) => role['id'] === id)?.['permissions']).toBe(permissions)
    const undeclared = String(bodyOf(await make(ada, { name: 'Some', permissions }))['id'])
    expect((await list()).find((role) => role['id'] === undeclared)?.['permissions']).toBe(mask('KICK_MEMBERS'))
  })

  const refused: readonly (readonly [unknown, FieldError])[] = [
    [{}, field('name', 'INVALID_FORMAT')],
    [{ name: '  ' }, field('name', 'STRING_LENGTH_INVALID')],
    [{ name: 'x'.repeat(101) }, field('name', 'STRING_LENGTH_INVALID')],
    [{ name: 'x', color: -1 }, field('color', 'COLOR_VALUE_TOO_LOW')],
    [{ name: 'x', color: 0x1000000 }, field('color', 'COLOR_VALUE_TOO_HIGH')],
    [{ name: 'x', permissions: '9223372036854775808' }, field('permissions', 'INTEGER_OUT_OF_INT64_RANGE')],
    [{ name: 'x', permissions: '-1' }, field('permissions', 'INVALID_INTEGER_FORMAT')],
    [{ name: 'x', permissions: '0x8' }, field('permissions', 'INVALID_INTEGER_FORMAT')],
    [{ name: 'x', permissions: '' }, field('permissions', 'INVALID_INTEGER_FORMAT')],
    [{ name: 'x', permissions: 1.5 }, field('permissions', 'INVALID_INTEGER_FORMAT')],
    [{ name: 'x', permissions: 2 ** 64 }, field('permissions', 'INTEGER_OUT_OF_INT64_RANGE')],
  ]
  it.each(refused)('refuses %j', async (body, expected) => {
    expectFields(await make(ada, body), expected)
  })

  it('needs MANAGE_ROLES, and every bit that is given', async () => {
    expectRefusal(await make(brian, { name: 'x' }), 403, 'MISSING_PERMISSIONS')
    await managed()
    expect((await make(brian, { name: 'x', permissions: mask('MANAGE_ROLES') })).status).toBe(200)
    expectRefusal(await make(brian, { name: 'x', permissions: mask('BAN_MEMBERS') }), 403, 'MISSING_PERMISSIONS')
    await demandSecondFactor()
    expectRefusal(await make(brian, { name: 'x' }), 400, 'TWO_FACTOR_REQUIRED')
    expectRefusal(await make(carol, { name: 'x' }), 403, 'MISSING_PERMISSIONS')
    expect((await make(ada, { name: 'x' })).status).toBe(200)
  })
})

describe('Modify guild role', () => {
  it('changes what is given, and records the differences in the audit log', async () => {
    const id = await made({ name: 'Crew', permissions: mask('KICK_MEMBERS') })
    const wanted = { name: 'Staff', color: 255, hoist: true, hoist_position: 3, mentionable: true }
    const permissions = mask('BAN_MEMBERS')
    expect(bodyOf(await change(ada, id, { ...wanted, permissions }))).toMatchObject({ ...wanted, permissions })
    expect(bodyOf(await change(ada, id, { hoist_position: null }))).toMatchObject({ ...wanted, hoist_position: null })
    expect(bodyOf(await change(ada, id, { name: 'Staff' }))).toMatchObject({ name: 'Staff', color: 255 })
    const [second, first, ...none] = (await entriesOf(31)) as readonly { readonly changes: readonly object[] }[]
    expect(none).toStrictEqual([])
    expect(second?.changes).toStrictEqual([{ key: 'hoist_position', old_value: 3, new_value: null }])
    expect(first?.changes).toHaveLength(7)
    expect(first?.changes).toStrictEqual(
      expect.arrayContaining([
        { key: 'name', old_value: 'Crew', new_value: 'Staff' },
        { key: 'permissions', old_value: mask('KICK_MEMBERS'), new_value: permissions },
        { key: 'permissions_diff', new_value: { added: ['BAN_MEMBERS'], removed: ['KICK_MEMBERS'] } },
      ]),
    )
  })

  it('keeps the bits that the client does not declare to know', async () => {
    const id = await made({ name: 'Crew', permissions: mask('KICK_MEMBERS', 'MANAGE_THREADS') })
    await change(ada, id, { permissions: mask('BAN_MEMBERS', 'VIEW_CHANNEL_MEMBERS') })
    const role = (await list()).find((each) => each['id'] === id)
    expect(role?.['permissions']).toBe(mask('BAN_MEMBERS', 'MANAGE_THREADS'))
  })

  it("changes only the color and the permissions of everyone's role", async () => {
    const body = { name: 'All', color: 9, hoist: true, hoist_position: 1, mentionable: true, permissions: '0' }
    expect(bodyOf(await change(ada, home.id, body, declaring))).toMatchObject({
      id: home.id,
      name: '@everyone',
      color: 9,
      hoist: false,
      hoist_position: null,
      mentionable: false,
      permissions: '0',
    })
  })

  it('is refused at or above the caller’s own rank, and if it changes a bit that the caller lacks', async () => {
    const low = await made({ name: 'Low', permissions: mask('BAN_MEMBERS') })
    const own = await managed('KICK_MEMBERS')
    await reorder(ada, [{ id: low, position: 0 }])
    expectRefusal(await change(carol, low, {}), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await change(brian, own, {}), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await change(brian, low, { permissions: '0' }), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await change(brian, nowhere, {}), 404, 'UNKNOWN_ROLE')
    const kept = mask('BAN_MEMBERS', 'KICK_MEMBERS')
    expect(bodyOf(await change(brian, low, { permissions: kept }))['permissions']).toBe(kept)
    await demandSecondFactor()
    expectRefusal(await change(brian, low, {}), 400, 'TWO_FACTOR_REQUIRED')
  })

  it.each([
    [{ name: '' }, field('name', 'STRING_LENGTH_INVALID')],
    [{ name: null }, field('name', 'INVALID_FORMAT')],
    [{ color: 0x1000000 }, field('color', 'COLOR_VALUE_TOO_HIGH')],
    [{ hoist: 1 }, field('hoist', 'INVALID_FORMAT')],
    [{ hoist_position: -1 }, field('hoist_position', 'INVALID_FORMAT')],
    [{ mentionable: 'yes' }, field('mentionable', 'INVALID_FORMAT')],
    [{ permissions: null }, field('permissions', 'INVALID_FORMAT')],
  ])('refuses %j', async (body, expected) => {
    expectFields(await change(ada, home.id, body), expected)
  })
})

describe('Delete guild role', () => {
  it('removes the role from its members and from the channels', async () => {
    const [gone, kept] = [await made(), await made()]
    await give(brian, gone)
    await give(brian, kept)
    const member = () => send(ada, 'GET', `/v1/guilds/${home.id}/members/${brian.id}`)
    expect(bodyOf(await member())['roles']).toStrictEqual([gone, kept])
    expect((await remove(ada, gone)).status).toBe(204)
    expect(bodyOf(await member())['roles']).toStrictEqual([kept])
    expect((await list()).map(({ id }) => id)).toStrictEqual([kept, home.id])
    expect(await entriesOf(32)).toMatchObject([
      { target_id: gone, changes: expect.arrayContaining([{ key: 'role_id', old_value: gone }]) },
    ])
  })

  it('is refused for everyone’s role, for a deleted one, and at or above the caller’s own', async () => {
    const low = await made()
    const own = await managed()
    expectRefusal(await remove(ada, home.id), 404, 'UNKNOWN_ROLE')
    expectRefusal(await remove(ada, nowhere), 404, 'UNKNOWN_ROLE')
    expectRefusal(await remove(brian, own), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await remove(brian, low), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await remove(carol, low), 403, 'MISSING_PERMISSIONS')
    await remove(ada, low)
    expectRefusal(await remove(ada, low), 404, 'UNKNOWN_ROLE')
  })
})
