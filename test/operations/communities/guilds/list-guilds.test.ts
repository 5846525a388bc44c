import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { permissionBits } from '../../../../domain/permissions/permission-bits.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { accept, bodyOf, expectFields, expectRefusal, found, invite, listOf } from '../../support/answers.ts'
import { addBot, asBot, newApplication } from '../../support/applications.ts'
import { connections } from '../../support/connected.ts'
import { guildsOf, nowhere, setFeatures } from '../../support/guilds.ts'
import { asBearer, newClient, tokensFor } from '../../support/oauth2.ts'
import { openScene } from '../../support/scene.ts'
import { threadsHeader } from '../../support/threads.ts'

let carol: TestAccount

const { connect, end } = connections()

const { guildhall, ada, brian, home } = await openScene()
const guilds = guildsOf(guildhall)
beforeEach(async () => {
  carol = await guildhall.register()
})
afterAll(end)

const page = async (account: TestAccount, query = '') => listOf(await guilds.list(account, query)).map(({ id }) => id)
const threads = permissionBits.MANAGE_THREADS | permissionBits.CREATE_PUBLIC_THREADS
const everyone = 8_933_636_165_185n | (1n << 54n)
const threadsOfEveryone = (1n << 35n) | (1n << 36n) | (1n << 38n)

describe('the caller', () => {
  it('may be an account, a bot, and an application with the scope guilds', async () => {
    expectRefusal(await guildhall.request('GET', '/v1/users/@me/guilds'), 401, 'UNAUTHORIZED')
    const engine = await newClient(guildhall, ada)
    const bearer = async (scope: string) => ({ token: asBearer(await tokensFor(guildhall, brian, engine, scope)) })
    expect(listOf(await guilds.list(await bearer('guilds'))).map(({ id }) => id)).toStrictEqual([home.id])
    const refused = await guilds.list(await bearer('identify'))
    expectRefusal(refused, 403, 'MISSING_OAUTH_SCOPE')
    expect(refused.body).toMatchObject({ required_scope: 'guilds' })
    const robot = await newApplication(guildhall, ada)
    const other = await found(guildhall, ada)
    await addBot(guildhall, robot, other)
    expect(listOf(await guilds.list({ token: asBot(robot) }))).toMatchObject([{ id: other.id, threads_active: true }])
  })
})

describe('a page', () => {
  it('is in ascending order, between cursors of the caller’s guilds; after wins', async () => {
    const ids: string[] = []
    for (let made = 0; made < 5; made += 1) ids.push((await found(guildhall, carol)).id)
    expect(await page(carol)).toStrictEqual(ids)
    expect(await page(carol, '?limit=2')).toStrictEqual(ids.slice(0, 2))
    expect(await page(carol, '?limit=200')).toStrictEqual(ids)
    expect(await page(carol, `?after=${ids[1]}`)).toStrictEqual(ids.slice(2))
    expect(await page(carol, `?after=${ids[0]}&limit=1`)).toStrictEqual([ids[1]])
    expect(await page(carol, `?before=${ids[3]}`)).toStrictEqual(ids.slice(0, 3))
    expect(await page(carol, `?before=${ids[3]}&limit=2`)).toStrictEqual(ids.slice(1, 3))
    expect(await page(carol, `?before=${ids[1]}&after=${ids[3]}`)).toStrictEqual(ids.slice(4))
    expect(await page(carol, `?before=${ids[0]}`)).toStrictEqual([])
    expect(await page(carol, `?after=${ids[4]}`)).toStrictEqual([])
    for (const foreign of [`after=${home.id}`, `before=${home.id}`, 'after=0', `before=${nowhere}`])
      expect(await page(carol, `?${foreign}`)).toStrictEqual(ids)
  })

  it.each([
    ['?limit=0', field('limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE')],
    ['?limit=201', field('limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE')],
    ['?limit=1e2', field('limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE')],
    ['?limit=', field('limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE')],
    ['?before=x', field('before', 'INVALID_SNOWFLAKE_FORMAT')],
    ['?after=-1', field('after', 'INVALID_SNOWFLAKE_FORMAT')],
  ])('refuses %s', async (query, expected) => {
    expectFields(await guilds.list(brian, query), expected)
  })
})

describe('an entry', () => {
  it('is the guild object with permissions, without what only Get guild fills', async () => {
    const [plain] = listOf(await guilds.list(brian))
    expect(plain).toMatchObject({ id: home.id, name: 'Home', owner_id: ada.id, permissions: everyone.toString() })
    for (const member of [
      'roles',
      'emojis',
      'stickers',
      'channels',
      'member_count',
      'online_count',
      'approximate_member_count',
      'threads_active',
    ])
      expect(plain).not.toHaveProperty(member)
  })

  it('has threads_active and thread permissions for clients that declare to understand threads', async () => {
    const [declared] = listOf(await guilds.list(brian, '', threadsHeader))
    expect(declared).toMatchObject({ threads_active: true, permissions: (everyone | threadsOfEveryone).toString() })
    const [ofOwner] = listOf(await guilds.list(ada))
    expect(BigInt(String(ofOwner?.['permissions'])) & threads).toBe(0n)
  })

  it('has neither for an application that acts for an account, whatever it declares', async () => {
    const engine = await newClient(guildhall, ada)
    const token = asBearer(await tokensFor(guildhall, ada, engine, 'guilds'))
    const [listed] = listOf(await guilds.list({ token }, '', threadsHeader))
    expect(listed).not.toHaveProperty('threads_active')
    expect(BigInt(String(listed?.['permissions'])) & (threadsOfEveryone | threads)).toBe(0n)
    const { roles } = bodyOf(await guilds.get({ token }, home.id, threadsHeader))
    expect(roles).toMatchObject([{ permissions: everyone.toString() }])
  })

  it('has counts on request, of which presence is 0 while nobody is present', async () => {
    for (const spelling of ['true', 'True', '1']) {
      const [counted] = listOf(await guilds.list(brian, `?with_counts=${spelling}`))
      expect(counted).toMatchObject({ approximate_member_count: 2, approximate_presence_count: 0 })
    }
    for (const spelling of ['false', 'TRUE', '0', 'yes'])
      expect(listOf(await guilds.list(brian, `?with_counts=${spelling}`))[0]).not.toHaveProperty(
        'approximate_member_count',
      )
    await connect(guildhall, ada)
    expect(listOf(await guilds.list(brian, '?with_counts=true'))[0]).toMatchObject({ approximate_presence_count: 1 })
  })

  it('exists for an unavailable guild, but not for a deleted one or one that was left', async () => {
    const shut = await found(guildhall, ada)
    const code = await invite(guildhall, ada, shut.channel)
    await accept(guildhall, carol, code)
    for (const feature of ['UNAVAILABLE_FOR_EVERYONE', 'UNAVAILABLE_FOR_EVERYONE_BUT_STAFF'] as const) {
      await setFeatures(guildhall, shut.id, feature)
      expect(await page(carol)).toStrictEqual([shut.id])
    }
    await setFeatures(guildhall, shut.id)
    expect((await guilds.leave(carol, shut.id)).status).toBe(204)
    expect(await page(carol)).toStrictEqual([])
    await accept(guildhall, carol, code)
    expect(bodyOf(await guilds.get(carol, shut.id))).toMatchObject({ id: shut.id })
    expect((await guilds.remove(ada, shut.id)).status).toBe(204)
    expect(await page(carol)).toStrictEqual([])
  })
})
