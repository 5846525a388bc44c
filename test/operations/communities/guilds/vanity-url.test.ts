import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { backupCode, protect } from '../../../support/authenticator.ts'
import { administrator } from '../../../support/administrators.ts'
import { accept, bodyOf, expectFields, expectRefusal, invite, listOf } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { customCodesOn, newCode, setFeatures } from '../../support/custom-codes.ts'
import { placeOf, type Place } from '../../support/members.ts'
import { openServer } from '../../support/scene.ts'

/** Ada's guild, which may have a custom invite URL; every test has its own. */
let home: Place

const { connect, end } = connections()

const guildhall = await openServer()
const ada = await protect(guildhall, await guildhall.register())
const stranger = await guildhall.register()
beforeEach(async () => {
  home = await placeOf(guildhall, ada)
  await setFeatures(guildhall, home.id, 'VANITY_URL')
})
afterAll(end)

const { show, choose } = customCodesOn(() => guildhall)
const get = (code: string) => guildhall.request('GET', `/v1/invites/${code}`)
const elevate = () => home.send(ada, 'PATCH', '', { mfa_level: 1, mfa_method: 'totp', mfa_code: backupCode(ada, 0) })

describe('Get guild custom invite URL', () => {
  it('is null and 0 while there is none', async () => {
    expect(bodyOf(await show(ada, home.id))).toStrictEqual({ code: null, uses: 0 })
  })

  it('has the current code, and how many joined by it', async () => {
    const code = newCode()
    await choose(ada, home.id, code)
    expect(bodyOf(await show(ada, home.id))).toStrictEqual({ code, uses: 0 })
    expect((await accept(guildhall, stranger, code)).status).toBe(200)
    expect((await accept(guildhall, stranger, code)).status).toBe(200)
    expect(bodyOf(await show(ada, home.id))).toStrictEqual({ code, uses: 1 })
    await choose(ada, home.id, newCode())
    expect(bodyOf(await show(ada, home.id))['uses']).toBe(0)
  })

  it('is for members with MANAGE_GUILD', async () => {
    expect((await show(await home.holder('MANAGE_GUILD'), home.id)).status).toBe(200)
    expectRefusal(await show(await home.holder('MANAGE_ROLES'), home.id), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await show(stranger, home.id), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await guildhall.request('GET', `/v1/guilds/${home.id}/vanity-url`), 401, 'UNAUTHORIZED')
  })

  it('refuses with TWO_FACTOR_REQUIRED, MISSING_ACCESS and UNKNOWN_GUILD', async () => {
    const manager = await home.holder('MANAGE_GUILD')
    await elevate()
    expectRefusal(await show(manager, home.id), 400, 'TWO_FACTOR_REQUIRED')
    expectRefusal(await choose(manager, home.id, newCode()), 400, 'TWO_FACTOR_REQUIRED')
    expect((await show(ada, home.id)).status).toBe(200)
    expectRefusal(await show(ada, '1'), 404, 'UNKNOWN_GUILD')
    await setFeatures(guildhall, home.id, 'UNAVAILABLE_FOR_EVERYONE')
    expectRefusal(await show(ada, home.id), 403, 'MISSING_ACCESS')
  })
})

describe('Modify guild custom invite URL', () => {
  it('is for members with MANAGE_GUILD of an existing guild', async () => {
    const code = newCode()
    expect(bodyOf(await choose(await home.holder('MANAGE_GUILD'), home.id, code))).toStrictEqual({ code })
    expectRefusal(await choose(await home.member(), home.id, newCode()), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await choose(stranger, home.id, newCode()), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await choose(ada, '1', newCode()), 404, 'UNKNOWN_GUILD')
    await setFeatures(guildhall, home.id, 'VANITY_URL', 'UNAVAILABLE_FOR_EVERYONE')
    expectRefusal(await choose(ada, home.id, newCode()), 403, 'MISSING_ACCESS')
  })

  it('normalises: lower case, each whitespace run one hyphen, repeated hyphens collapse', async () => {
    const [one, other] = [newCode(), newCode()]
    const sent = `${one.toUpperCase()} \t-- ${other}`
    expect(bodyOf(await choose(ada, home.id, sent))).toStrictEqual({ code: `${one}-${other}` })
    expect(bodyOf(await show(ada, home.id))['code']).toBe(`${one}-${other}`)
  })

  it.each([
    ['', 'VANITY_URL_INVALID_CHARACTERS'],
    ['-ab', 'VANITY_URL_INVALID_CHARACTERS'],
    ['ab ', 'VANITY_URL_INVALID_CHARACTERS'],
    ['a_b', 'VANITY_URL_INVALID_CHARACTERS'],
    ['ä'.repeat(40), 'VANITY_URL_INVALID_CHARACTERS'],
    ['a', 'VANITY_URL_CODE_LENGTH_INVALID'],
    ['x'.repeat(33), 'VANITY_URL_CODE_LENGTH_INVALID'],
    ['the-GuildHall', 'VANITY_URL_CODE_CANNOT_CONTAIN_SERVICE_NAME'],
    [7, 'INVALID_FORMAT'],
  ] as const)('refuses %j with %s', async (code, expected) => {
    expectFields(await choose(ada, home.id, code), field('code', expected))
  })

  it('accepts 2 to 32 characters', async () => {
    const longest = newCode().padEnd(32, 'x')
    expect(bodyOf(await choose(ada, home.id, longest))).toStrictEqual({ code: longest })
    const free = ['zz', 'qq', 'yy'].find((code) => code !== longest) ?? ''
    expect(bodyOf(await choose(ada, home.id, free))).toStrictEqual({ code: free })
    await choose(ada, home.id, null)
  })

  it('refuses a code of another guild, in any case, and one of an invite', async () => {
    const code = newCode()
    await choose(ada, home.id, code)
    const other = await placeOf(guildhall, ada)
    await setFeatures(guildhall, other.id, 'VANITY_URL')
    expectFields(await choose(ada, other.id, code.toUpperCase()), field('code', 'VANITY_URL_CODE_ALREADY_TAKEN'))
    const random = await invite(guildhall, ada, home.channel)
    expectFields(await choose(ada, other.id, random), field('code', 'VANITY_URL_CODE_ALREADY_TAKEN'))
    expect(bodyOf(await show(ada, other.id))['code']).toBe(null)
    // The unsuccessful claim has been released once the invite is gone.
    await guildhall.request('DELETE', `/v1/invites/${random}`, { token: ada.token })
    expect((await choose(ada, other.id, random)).status).toBe(200)
  })

  it('needs VANITY_URL to set a code, but not to remove one', async () => {
    const code = newCode()
    await choose(ada, home.id, code)
    await setFeatures(guildhall, home.id)
    expectFields(await choose(ada, home.id, newCode()), field('code', 'VANITY_URL_REQUIRES_FEATURE'))
    expect((await get(code)).status).toBe(200)
    const other = await placeOf(guildhall, ada)
    for (const taken of [code, await invite(guildhall, ada, other.channel)])
      expectFields(
        await choose(ada, other.id, taken),
        field('code', 'VANITY_URL_CODE_ALREADY_TAKEN'),
        field('code', 'VANITY_URL_REQUIRES_FEATURE'),
      )
    expect(bodyOf(await choose(ada, home.id, null))).toStrictEqual({ code: null })
    expectRefusal(await get(code), 404, 'UNKNOWN_INVITE')
  })

  it('refuses a blocked code', async () => {
    const admin = await administrator(guildhall, '*')
    const word = newCode()
    const path = '/v1/admin/blocklists/phrase/entries'
    const added = await guildhall.request('POST', path, { token: admin.token, body: { phrase: word } })
    expect(added.status).toBe(204)
    // A rule takes effect in every process within a second.
    await expect
      .poll(async () => (await choose(ada, home.id, `so-${word}`)).body)
      .toMatchObject({ code: 'CONTENT_BLOCKED' })
  })

  it('succeeds with an unchanged code, and without one, and then changes nothing', async () => {
    const code = newCode()
    await choose(ada, home.id, code)
    expect(bodyOf(await choose(ada, home.id, code))).toStrictEqual({ code })
    expect(bodyOf(await choose(ada, home.id))).toStrictEqual({ code })
    expect(await home.entries(1)).toHaveLength(1)
  })

  it('announces an effective change: Guild Update to those who see the guild, and an audit entry', async () => {
    const member = await home.member()
    const { client } = await connect(guildhall, member)
    const [one, other] = [newCode(), newCode()]
    await choose(ada, home.id, one)
    expect((await client.dispatch('GUILD_UPDATE')).d).toMatchObject({ id: home.id, vanity_url_code: one })
    await choose(ada, home.id, one)
    await choose(ada, home.id, other)
    expect((await client.dispatch('GUILD_UPDATE')).d).toMatchObject({ vanity_url_code: other })
    await choose(ada, home.id, null)
    expect((await client.dispatch('GUILD_UPDATE')).d).toMatchObject({ vanity_url_code: null })
    const change = (before: string | null, after: string | null) => ({
      action_type: 1,
      user_id: ada.id,
      target_id: home.id,
      changes: [{ key: 'vanity_url_code', old_value: before, new_value: after }],
    })
    const entries = await home.entries(1)
    expect(entries).toMatchObject([change(other, null), change(one, other), change(null, one)])
    expect(entries[0]).not.toHaveProperty('options')
  })

  it('releases the earlier code: the old link stops at once, and others may take it', async () => {
    const [one, other] = [newCode(), newCode()]
    await choose(ada, home.id, one)
    await choose(ada, home.id, other)
    expectRefusal(await get(one), 404, 'UNKNOWN_INVITE')
    expect(bodyOf(await get(other))).toMatchObject({ code: other, guild: { id: home.id } })
    const next = await placeOf(guildhall, stranger)
    await setFeatures(guildhall, next.id, 'VANITY_URL')
    expect((await choose(stranger, next.id, one)).status).toBe(200)
    expect(bodyOf(await get(one))).toMatchObject({ guild: { id: next.id } })
    expect((await next.send(stranger, 'POST', '/delete', { password: stranger.password })).status).toBe(204)
    expectRefusal(await get(one), 404, 'UNKNOWN_INVITE')
    // It is released after the answer was sent.
    await expect.poll(async () => (await choose(ada, home.id, one)).status).toBe(200)
  })
})

describe('a custom code', () => {
  it('is not in the lists of invites, and cannot be deleted as one', async () => {
    const code = newCode()
    await choose(ada, home.id, code)
    expect(listOf(await home.send(ada, 'GET', '/invites'))).toStrictEqual([])
    const ofChannel = await guildhall.request('GET', `/v1/channels/${home.channel}/invites`, { token: ada.token })
    expect(listOf(ofChannel)).toStrictEqual([])
    expectRefusal(await guildhall.request('DELETE', `/v1/invites/${code}`, { token: ada.token }), 404, 'UNKNOWN_INVITE')
  })
})
