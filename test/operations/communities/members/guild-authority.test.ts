import { beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { permissionBits } from '../../../../domain/permissions/permission-bits.ts'
import { addBot, newApplication } from '../../support/applications.ts'
import { backupCode, protect, sudoProofOf } from '../../../support/authenticator.ts'
import type { TestAccount, TestAnswer } from '../../../support/test-guildhall.ts'
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
import { openServer } from '../../support/scene.ts'

/** The order of roles, their number, and the ownership of a guild. */

/** Ada's guild, with Brian in it; every test has its own. */
let home: TestGuild

const roles_max = 5

const guildhall = await openServer({ limits: { max_guild_roles: roles_max } })
const [ada, brian, carol] = await Promise.all([guildhall.register(), guildhall.register(), guildhall.register()])
beforeEach(async () => {
  home = await found(guildhall, ada)
  await accept(guildhall, brian, await invite(guildhall, ada, home.channel))
})

const nowhere = '1'
const send = (account: TestAccount, method: string, path: string, body?: unknown): Promise<TestAnswer> =>
  guildhall.request(method, path, { token: account.token, ...(body === undefined ? {} : { body }) })
const rolesPath = (): string => `/v1/guilds/${home.id}/roles`
const make = (account: TestAccount, name: string, permissions = '0') =>
  send(account, 'POST', rolesPath(), { name, permissions })
const made = async (name: string, permissions?: bigint): Promise<string> =>
  String(bodyOf(await make(ada, name, (permissions ?? 0n).toString()))['id'])
const list = async () => listOf(await send(ada, 'GET', rolesPath()))
const order = async () => (await list()).map(({ id, position }) => [id, position])
const reorder = (account: TestAccount, ...body: readonly object[]) => send(account, 'PATCH', rolesPath(), body)
const hoistPath = (): string => `${rolesPath()}/hoist-positions`
const hoist = (account: TestAccount, ...body: readonly object[]) => send(account, 'PATCH', hoistPath(), body)
const updates = async () =>
  bodyOf(await send(ada, 'GET', `/v1/guilds/${home.id}/audit-logs?action_type=31`))['audit_log_entries']

/** Three roles, the highest first. Brian has the one in the middle, which lets him manage roles. */
async function threeRoles(): Promise<readonly [string, string, string]> {
  const [high, middle, low] = [await made('High'), await made('Middle', permissionBits.MANAGE_ROLES), await made('Low')]
  const given = await send(ada, 'PUT', `/v1/guilds/${home.id}/members/${brian.id}/roles/${middle}`)
  expect(given.status).toBe(204)
  const places = [
    { id: high, position: 3 },
    { id: middle, position: 2 },
    { id: low, position: 1 },
  ]
  expect((await reorder(ada, ...places)).status).toBe(204)
  return [high, middle, low]
}

describe('Modify guild role positions', () => {
  it('numbers roles densely from 1, and lists those that moved in the audit log', async () => {
    const [high, middle, low] = await threeRoles()
    const before = (await updates()) as readonly unknown[]
    expect((await reorder(ada, { id: low, position: 100 })).status).toBe(204)
    expect(await order()).toStrictEqual([
      [low, 3],
      [high, 2],
      [middle, 1],
      [home.id, 0],
    ])
    const [moved, ...earlier] = (await updates()) as readonly unknown[]
    expect(earlier).toStrictEqual(before)
    expect(moved).toMatchObject({ target_id: low, changes: [{ key: 'position', old_value: 1, new_value: 3 }] })
  })

  it('moves nothing at or above the caller’s own rank, and nothing past it', async () => {
    const [high, middle, low] = await threeRoles()
    const before = await order()
    for (const id of [high, middle])
      expectRefusal(await reorder(brian, { id, position: 9 }), 403, 'MISSING_PERMISSIONS')
    expect((await reorder(brian, { id: low, position: 9 }, { id: high, position: 3 })).status).toBe(204)
    expect((await reorder(brian, { id: middle }, { id: high, position: null })).status).toBe(204)
    expect(await order()).toStrictEqual(before)
    expectRefusal(await reorder(carol), 403, 'MISSING_PERMISSIONS')
  })

  it('refuses everyone’s role, a foreign one, and an invalid position', async () => {
    const id = await made('Crew')
    expectFields(
      await reorder(ada, { id, position: 1 }, { id: home.id, position: 1 }, { id: nowhere }),
      field('1.id', 'CANNOT_REORDER_EVERYONE_ROLE'),
      field('2.id', 'INVALID_ROLE_ID'),
    )
    expectFields(await reorder(ada, { id, position: -1 }), field('0.position', 'INVALID_FORMAT'))
    expectFields(await reorder(ada, { id: 'x' }), field('0.id', 'INVALID_SNOWFLAKE_FORMAT'))
    expectFields(await send(ada, 'PATCH', rolesPath(), { id }), field('root', 'INVALID_FORMAT'))
  })

  it('accepts every one of several orders at once, one after another', async () => {
    const ids = await threeRoles()
    const answers = await Promise.all(ids.map((id) => reorder(ada, { id, position: 9 })))
    expect(answers.map(({ status }) => status)).toStrictEqual([204, 204, 204])
    expect((await list()).map(({ position }) => position)).toStrictEqual([3, 2, 1, 0])
  })
})

describe('a role with a bit that the caller lacks', () => {
  const members = (target: TestAccount): string => `/v1/guilds/${home.id}/members/${target.id}`
  const held = async (target: TestAccount) => bodyOf(await send(ada, 'GET', members(target)))['roles']

  it('cannot be given by the caller to itself or others, though it is below', async () => {
    await accept(guildhall, carol, await invite(guildhall, ada, home.channel))
    const [, middle] = await threeRoles()
    const strong = await made('Strong', permissionBits.MANAGE_GUILD)
    for (const target of [brian, carol]) {
      const before = (await held(target)) as readonly string[]
      expectRefusal(await send(brian, 'PUT', `${members(target)}/roles/${strong}`), 403, 'MISSING_PERMISSIONS')
      const roles = [...before, strong]
      expectRefusal(await send(brian, 'PATCH', members(target), { roles }), 403, 'MISSING_PERMISSIONS')
      expect(await held(target)).toStrictEqual(before)
    }
    expect(await held(brian)).toStrictEqual([middle])
  })

  it('can be removed by a caller that is above it', async () => {
    await accept(guildhall, carol, await invite(guildhall, ada, home.channel))
    await threeRoles()
    const strong = await made('Strong', permissionBits.MANAGE_GUILD)
    for (const [method, path, body] of [
      ['DELETE', `${members(carol)}/roles/${strong}`, undefined],
      ['PATCH', members(carol), { roles: [] }],
    ] as const) {
      expect((await send(ada, 'PUT', `${members(carol)}/roles/${strong}`)).status).toBe(204)
      expect((await send(brian, method, path, body)).status).toBeLessThan(300)
      expect(await held(carol)).toStrictEqual([])
    }
  })
})

describe('Modify and reset guild role hoist positions', () => {
  it('gives places among the hoisted roles, removes one, and removes all', async () => {
    const [high, middle, low] = await threeRoles()
    const places = async () => Object.fromEntries((await list()).map((role) => [role['id'], role['hoist_position']]))
    const choices = [
      { id: high, hoist_position: 1 },
      { id: low, hoist_position: 2 },
    ]
    expect((await hoist(ada, ...choices)).status).toBe(204)
    expect(await places()).toStrictEqual({ [high]: 1, [middle]: null, [low]: 2, [home.id]: null })
    expect((await hoist(ada, { id: high, hoist_position: null })).status).toBe(204)
    expect(await places()).toMatchObject({ [high]: null, [low]: 2 })
    expect((await send(brian, 'DELETE', hoistPath())).status).toBe(204)
    expect(await places()).toMatchObject({ [high]: null, [low]: null })
    const [newest] = (await updates()) as readonly unknown[]
    expect(newest).toMatchObject({
      user_id: brian.id,
      changes: [{ key: 'hoist_position', old_value: 2, new_value: null }],
    })
  })

  it('refuses everyone’s role, a foreign one, and roles at or above the caller’s own', async () => {
    const [high] = await threeRoles()
    expectFields(
      await hoist(ada, { id: home.id, hoist_position: 1 }, { id: nowhere, hoist_position: 1 }),
      field('0.id', 'CANNOT_SET_HOIST_FOR_EVERYONE_ROLE'),
      field('1.id', 'INVALID_ROLE_ID'),
    )
    expectFields(await hoist(ada, { id: high }), field('0.hoist_position', 'INVALID_FORMAT'))
    expectRefusal(await hoist(brian, { id: high, hoist_position: 1 }), 403, 'MISSING_PERMISSIONS')
    await hoist(ada, { id: high, hoist_position: 1 })
    expectRefusal(await send(brian, 'DELETE', hoistPath()), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await send(carol, 'DELETE', hoistPath()), 403, 'MISSING_PERMISSIONS')
  })
})

describe('the roles of a guild', () => {
  it('never exceed max_guild_roles, even if many are created at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => make(ada, `Role ${index}`)))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(8 - (roles_max - 1))
    for (const answer of refused) {
      expectRefusal(answer, 400, 'MAX_GUILD_ROLES')
      expect(answer.body).toMatchObject({ max_guild_roles: roles_max })
    }
    expect(await list()).toHaveLength(roles_max)
  })
})

describe('Transfer guild ownership', () => {
  const path = (id = home.id): string => `/v1/guilds/${id}/transfer-ownership`
  const transfer = ({ password, ...account }: TestAccount, to: string, id = home.id) =>
    send({ password, ...account }, 'POST', path(id), { new_owner_id: to, password })

  it('makes a member the owner, with a GUILD_UPDATE entry that says so', async () => {
    expect(bodyOf(await transfer(ada, brian.id))).toMatchObject({ id: home.id, owner_id: brian.id })
    expectRefusal(await transfer(ada, brian.id), 403, 'MISSING_PERMISSIONS')
    const log = bodyOf(await send(brian, 'GET', `/v1/guilds/${home.id}/audit-logs?action_type=1`))
    expect(log['audit_log_entries']).toMatchObject([
      {
        user_id: ada.id,
        target_id: home.id,
        changes: [{ key: 'owner_id', old_value: ada.id, new_value: brian.id }],
      },
    ])
    expect((await send(ada, 'DELETE', `/v1/users/@me/guilds/${home.id}`)).status).toBe(204)
    expectFields(
      await send(brian, 'DELETE', `/v1/users/@me/guilds/${home.id}`),
      field('guild_id', 'CANNOT_LEAVE_GUILD_AS_OWNER'),
    )
  })

  it('changes nothing if the new owner is the present one', async () => {
    expect(bodyOf(await transfer(ada, ada.id))).toMatchObject({ owner_id: ada.id })
    const log = bodyOf(await send(ada, 'GET', `/v1/guilds/${home.id}/audit-logs?action_type=1`))
    expect(log['audit_log_entries']).toStrictEqual([])
  })

  it('refuses in this order: unproved, unknown guild, not the owner, no member, a bot', async () => {
    expectRefusal(await send(brian, 'POST', path(), { new_owner_id: brian.id }), 403, 'SUDO_MODE_REQUIRED')
    expectRefusal(await transfer(ada, brian.id, nowhere), 404, 'UNKNOWN_GUILD')
    expectRefusal(await transfer(carol, carol.id), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await transfer(brian, brian.id), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await transfer(ada, carol.id), 404, 'UNKNOWN_MEMBER')
    expectRefusal(await transfer(ada, nowhere), 404, 'UNKNOWN_MEMBER')
    const engine = await newApplication(guildhall, ada)
    await addBot(guildhall, engine, home)
    expectRefusal(await transfer(ada, engine.id), 400, 'CANNOT_TRANSFER_OWNERSHIP_TO_BOT')
    expectFields(await send(ada, 'POST', path(), { password: ada.password }), field('new_owner_id', 'INVALID_FORMAT'))
  })

  it('returns a proof to an owner who has proved it with a second factor', async () => {
    const owner = await protect(guildhall, await guildhall.register())
    const own = await found(guildhall, owner)
    await accept(guildhall, brian, await invite(guildhall, owner, own.channel))
    const body = { new_owner_id: brian.id, mfa_method: 'totp', mfa_code: backupCode(owner, 1) }
    const answer = await send(owner, 'POST', path(own.id), body)
    expect(bodyOf(answer)).toMatchObject({ owner_id: brian.id })
    expect(sudoProofOf(answer)).toBeTypeOf('string')
  })

  it('lets a new owner end its own timeout, and a higher rank end that of a new moderator', async () => {
    const timeout = (by: TestAccount, whose: string, until: string | null) =>
      send(by, 'PATCH', `/v1/guilds/${home.id}/members/${whose}`, { communication_disabled_until: until })
    const soon = new Date(Date.now() + 3_600_000).toISOString()
    expect((await timeout(ada, brian.id, soon)).status).toBe(200)
    const moderates = { permissions: permissionBits.MODERATE_MEMBERS.toString() }
    expect((await send(ada, 'PATCH', `/v1/guilds/${home.id}/roles/${home.id}`, moderates)).status).toBe(200)
    expectRefusal(await timeout(ada, brian.id, soon), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await timeout(brian, brian.id, null), 403, 'MISSING_PERMISSIONS')
    expect((await timeout(ada, brian.id, null)).status).toBe(200)
    const everyone = { permissions: '0' }
    await send(ada, 'PATCH', `/v1/guilds/${home.id}/roles/${home.id}`, everyone)
    expect((await timeout(ada, brian.id, soon)).status).toBe(200)
    expect((await transfer(ada, brian.id)).status).toBe(200)
    expect(bodyOf(await timeout(brian, brian.id, null))).toMatchObject({ communication_disabled_until: null })
  })

  it('leaves the guild with an owner who is a member, whoever leaves meanwhile', async () => {
    for (let round = 0; round < 5; round += 1) {
      const place = await found(guildhall, ada)
      await accept(guildhall, brian, await invite(guildhall, ada, place.channel))
      const [transferred, left] = await Promise.all([
        transfer(ada, brian.id, place.id),
        send(brian, 'DELETE', `/v1/users/@me/guilds/${place.id}`),
      ])
      expect([200, 404, 429]).toContain(transferred.status)
      expect([204, 400, 429]).toContain(left.status)
      expect(transferred.status === 200 && left.status === 204).toBe(false)
      const owner = transferred.status === 200 ? brian : ada
      expect(bodyOf(await send(owner, 'GET', `/v1/guilds/${place.id}`))['owner_id']).toBe(owner.id)
    }
  })
})
