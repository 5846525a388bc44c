import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { accept, bodyOf, expectFields, expectRefusal, invite, listOf, type TestGuild } from '../../support/answers.ts'
import { addBot, asBot, newApplication } from '../../support/applications.ts'
import { connections } from '../../support/connected.ts'
import { guildsOf, nowhere, setFeatures } from '../../support/guilds.ts'
import { messagesPath, sent } from '../../support/messages.ts'
import { foundWith, openScene } from '../../support/scene.ts'
import { threadsHeader, threadsOf } from '../../support/threads.ts'

/** Leaving the one community of an instance: test/operations/administration/one-community.test.ts. */

/** A member of Ada's guild. */
let carol: TestAccount
let home: TestGuild

const { connect, end } = connections()

const { guildhall, ada, carol: stranger } = await openScene()
const guilds = guildsOf(guildhall)
beforeEach(async () => {
  carol = await guildhall.register()
  home = await foundWith(guildhall, ada, carol)
})
afterAll(end)

const everything = '?delete_messages=true'
const proof = ({ password }: TestAccount) => ({ password })
const idsIn = async (channel: string) =>
  listOf(await guildhall.request('GET', messagesPath(channel), { token: ada.token, headers: threadsHeader })).map(
    ({ id }) => id,
  )

describe('leaving a guild', () => {
  it('ends the membership, and needs no proof', async () => {
    expect(await guilds.leave(carol, home.id)).toMatchObject({ status: 204, body: undefined })
    expectRefusal(await guilds.get(carol, home.id), 403, 'MISSING_PERMISSIONS')
    expect(bodyOf(await guilds.get(ada, home.id))).toMatchObject({ member_count: 1 })
  })

  it('sends the others Guild Member Remove, and the member who leaves Guild Delete and the settings', async () => {
    const [{ client: hers }, { client: owner }] = [await connect(guildhall, carol), await connect(guildhall, ada)]
    await guilds.leave(carol, home.id)
    expect((await owner.dispatch('GUILD_MEMBER_REMOVE')).d).toMatchObject({
      guild_id: home.id,
      user: { id: carol.id },
    })
    expect((await hers.dispatch('GUILD_DELETE')).d).toMatchObject({ id: home.id })
    expect(JSON.stringify((await hers.dispatch('USER_SETTINGS_UPDATE')).d['guild_folders'])).not.toContain(home.id)
    expect(hers.dispatches.map(({ t }) => t)).not.toContain('GUILD_MEMBER_REMOVE')
  })

  it('is for bots too, which get no settings', async () => {
    const robot = await newApplication(guildhall, ada)
    await addBot(guildhall, robot, home)
    const token = asBot(robot)
    const { client } = await connect(guildhall, { token: robot.botToken })
    expect((await guilds.leave({ token }, home.id)).status).toBe(204)
    await client.dispatch('GUILD_DELETE')
    expectRefusal(await guilds.leave({ token }, home.id), 404, 'UNKNOWN_MEMBER')
    expect(client.dispatches.map(({ t }) => t)).not.toContain('USER_SETTINGS_UPDATE')
  })

  it('ends memberships of threads, each with a Thread Members Update, and leaves no audit entry', async () => {
    const { started, join } = threadsOf(guildhall)
    const threads = [await started(ada, home.channel), await started(ada, home.channel)]
    for (const thread of threads) await join(carol, thread)
    const { client } = await connect(guildhall, ada, { flags: 4 })
    await guilds.leave(carol, home.id)
    const told = [await client.dispatch('THREAD_MEMBERS_UPDATE'), await client.dispatch('THREAD_MEMBERS_UPDATE')]
    expect(told.map(({ d }) => String(d['id'])).toSorted()).toStrictEqual(threads.toSorted())
    for (const { d } of told) expect(d).toMatchObject({ guild_id: home.id, removed_member_ids: [carol.id] })
    const log = bodyOf(await guildhall.request('GET', `/v1/guilds/${home.id}/audit-logs`, { token: ada.token }))
    const types = (log['audit_log_entries'] as readonly { readonly action_type: number }[]).map(
      ({ action_type: type }) => type,
    )
    expect(types).not.toContain(20)
  })

  it('loses the profile and the roles, and keeps the settings for the guild', async () => {
    const at = `/v1/guilds/${home.id}`
    const role = bodyOf(await guildhall.request('POST', `${at}/roles`, { token: ada.token, body: { name: 'Crew' } }))
    await guildhall.request('PUT', `${at}/members/${carol.id}/roles/${String(role['id'])}`, { token: ada.token })
    await guildhall.request('PATCH', `${at}/members/@me`, { token: carol.token, body: { nick: 'Countess' } })
    const settings = `/v1/users/@me/guilds/${home.id}/settings`
    await guildhall.request('PATCH', settings, { token: carol.token, body: { muted: true } })
    await guilds.leave(carol, home.id)
    await accept(guildhall, carol, await invite(guildhall, ada, home.channel))
    const member = await guildhall.request('GET', `${at}/members/@me`, { token: carol.token })
    expect(bodyOf(member)).toMatchObject({ nick: null, roles: [] })
    const { ready } = await connect(guildhall, carol)
    expect(JSON.stringify(ready['user_guild_settings'])).toContain('"muted":true')
  })

  it('does not end a timeout, which continues for a member who comes back', async () => {
    const until = new Date(Date.now() + 3_600_000).toISOString()
    const at = `/v1/guilds/${home.id}/members`
    const body = { communication_disabled_until: until }
    await guildhall.request('PATCH', `${at}/${carol.id}`, { token: ada.token, body })
    await guilds.leave(carol, home.id)
    await accept(guildhall, carol, await invite(guildhall, ada, home.channel))
    expect(bodyOf(await guildhall.request('GET', `${at}/@me`, { token: carol.token }))).toMatchObject(body)
  })

  it('is possible while the guild is unavailable', async () => {
    await setFeatures(guildhall, home.id, 'UNAVAILABLE_FOR_EVERYONE')
    expect((await guilds.leave(carol, home.id, everything, proof(carol))).status).toBe(204)
    expectRefusal(await guilds.leave(carol, home.id), 404, 'UNKNOWN_MEMBER')
  })
})

describe('a caller is refused', () => {
  it('as a non-member: UNKNOWN_MEMBER, whether or not the guild exists', async () => {
    for (const id of [home.id, nowhere]) expectRefusal(await guilds.leave(stranger, id), 404, 'UNKNOWN_MEMBER')
    await guilds.leave(carol, home.id)
    expectRefusal(await guilds.leave(carol, home.id), 404, 'UNKNOWN_MEMBER')
    expectFields(await guilds.leave(carol, 'home'), field('guild_id', 'INVALID_SNOWFLAKE_FORMAT'))
  })

  it('with news of whether the guild exists, if messages should be deleted', async () => {
    expectRefusal(await guilds.leave(stranger, home.id, everything), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await guilds.leave(stranger, nowhere, everything), 404, 'UNKNOWN_GUILD')
    expectRefusal(await guilds.leave(stranger, nowhere, '?delete_messages=TRUE'), 404, 'UNKNOWN_MEMBER')
  })

  it('as the owner, on guild_id', async () => {
    expectFields(await guilds.leave(ada, home.id), field('guild_id', 'CANNOT_LEAVE_GUILD_AS_OWNER'))
    // This error comes before a proof is requested or checked.
    for (const sent of [undefined, { password: 'another one' }, proof(ada)])
      expectFields(await guilds.leave(ada, home.id, everything, sent), field('guild_id', 'CANNOT_LEAVE_GUILD_AS_OWNER'))
  })

  it('with invalid sudo fields, though they are used only if messages should be deleted', async () => {
    for (const [body, expected] of [
      [{ mfa_code: '' }, field('mfa_code', 'INVALID_MFA_CODE')],
      [{ mfa_code: 'x'.repeat(33) }, field('mfa_code', 'INVALID_MFA_CODE')],
      [{ mfa_method: 'sms' }, field('mfa_method', 'INVALID_FORMAT')],
    ] as const)
      expectFields(await guilds.leave(carol, home.id, '', body), expected)
    expect((await guilds.leave(carol, home.id, '', { password: 'another one' })).status).toBe(204)
  })

  it('without a proof if messages should be deleted', async () => {
    const mine = await sent(guildhall, carol, home.channel, 'mine')
    expectRefusal(await guilds.leave(carol, home.id, everything), 403, 'SUDO_MODE_REQUIRED')
    expectFields(
      await guilds.leave(carol, home.id, everything, { password: 'another one' }),
      field('password', 'INVALID_PASSWORD'),
    )
    expect(await idsIn(home.channel)).toContain(mine)
    expect((await guilds.get(carol, home.id)).status).toBe(200)
  })
})

describe('with delete_messages', () => {
  it('every message of the member is gone before the answer, in channels and threads, and nobody else’s', async () => {
    const { started, write } = threadsOf(guildhall)
    const thread = await started(ada, home.channel)
    const [mine, theirs] = [
      await sent(guildhall, carol, home.channel, 'mine'),
      await sent(guildhall, ada, home.channel, 'hers'),
    ]
    const inThread = String(bodyOf(await write(carol, thread, 'mine too'))['id'])
    expect((await guilds.leave(carol, home.id, everything, proof(carol))).status).toBe(204)
    const left = [...(await idsIn(home.channel)), ...(await idsIn(thread))]
    expect(left).toContain(theirs)
    for (const id of [mine, inThread]) expect(left).not.toContain(id)
  })

  it('nothing is deleted if the owner cannot leave', async () => {
    const hers = await sent(guildhall, ada, home.channel, 'hers')
    await guilds.leave(ada, home.id, everything, proof(ada))
    expect(await idsIn(home.channel)).toContain(hers)
  })
})
