import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { channelId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { permissionBits } from '../../../../domain/permissions/permission-bits.ts'
import { bodyOf, expectFields, expectRefusal, invite, listOf, type TestGuild } from '../../support/answers.ts'
import { addBot, asBot, newApplication } from '../../support/applications.ts'
import { connections } from '../../support/connected.ts'
import { guildsOf, nowhere, setFeatures } from '../../support/guilds.ts'
import { messagesPath, sent } from '../../support/messages.ts'
import { stillImage } from '../../support/pictures.ts'
import { foundWith, openScene } from '../../support/scene.ts'
import { threadsOf } from '../../support/threads.ts'

/** Deleting the one community of an instance: test/operations/administration/one-community.test.ts. */

/** Ada's guild, with Brian in it; every test has its own. */
let gone: TestGuild

const { connect, end } = connections()

const { guildhall, ada, brian, carol } = await openScene()
const guilds = guildsOf(guildhall)
beforeEach(async () => {
  gone = await foundWith(guildhall, ada, brian)
})
afterAll(end)

const ask = ({ token }: { readonly token: string }, method: string, path: string, body?: unknown) =>
  guildhall.request(method, path, { token, ...(body === undefined ? {} : { body }) })

describe('deleting a guild', () => {
  it('has an empty answer, and the guild is gone for everybody at once', async () => {
    const code = await invite(guildhall, ada, gone.channel)
    expect(await guilds.remove(ada, gone.id)).toMatchObject({ status: 204, body: undefined })
    for (const account of [ada, brian, carol]) {
      expectRefusal(await guilds.get(account, gone.id), 404, 'UNKNOWN_GUILD')
      expect(listOf(await guilds.list(account)).map(({ id }) => id)).not.toContain(gone.id)
    }
    expectRefusal(await guilds.remove(ada, gone.id), 404, 'UNKNOWN_GUILD')
    expectRefusal(await guilds.leave(brian, gone.id), 404, 'UNKNOWN_MEMBER')
    expectRefusal(await ask(ada, 'GET', `/v1/channels/${gone.channel}`), 404, 'UNKNOWN_CHANNEL')
    expectRefusal(await ask(ada, 'GET', messagesPath(gone.channel)), 404, 'UNKNOWN_CHANNEL')
    expect((await ask(carol, 'GET', `/v1/invites/${code}`)).status).toBe(404)
    expect((await ask(carol, 'POST', `/v1/invites/${code}`)).status).toBe(404)
  })

  it('destroys the audit log, including bans, and keeps no reason', async () => {
    expect((await ask(ada, 'PUT', `/v1/guilds/${gone.id}/bans/${carol.id}`, {})).status).toBe(204)
    await guildhall.request('POST', `/v1/guilds/${gone.id}/delete`, {
      token: ada.token,
      body: { password: ada.password },
      headers: { 'x-audit-log-reason': 'tired' },
    })
    for (const path of ['audit-logs', 'bans', 'invites', 'members', 'roles', 'channels'])
      expectRefusal(await ask(ada, 'GET', `/v1/guilds/${gone.id}/${path}`), 404, 'UNKNOWN_GUILD')
  })

  it('sends every member Guild Delete, and people their remaining folders', async () => {
    const [{ client: hers }, { client: his }] = [await connect(guildhall, ada), await connect(guildhall, brian)]
    const robot = await newApplication(guildhall, carol)
    await addBot(guildhall, robot, gone)
    const { client: its } = await connect(guildhall, { token: robot.botToken })
    await guilds.remove(ada, gone.id)
    for (const client of [hers, his]) {
      expect((await client.dispatch('GUILD_DELETE')).d).toMatchObject({ id: gone.id })
      const { d } = await client.dispatch('USER_SETTINGS_UPDATE')
      expect(JSON.stringify(d['guild_folders'])).not.toContain(gone.id)
    }
    expect((await its.dispatch('GUILD_DELETE')).d).toMatchObject({ id: gone.id })
    await ask(brian, 'PATCH', '/v1/users/@me/settings', { theme: 'dark' })
    await his.dispatch('USER_SETTINGS_UPDATE')
    expect(its.dispatches.map(({ t }) => t)).not.toContain('USER_SETTINGS_UPDATE')
  })

  it('deletes the members’ settings for the guild', async () => {
    const path = `/v1/users/@me/guilds/${gone.id}/settings`
    expect(bodyOf(await ask(brian, 'PATCH', path, { muted: true }))).toMatchObject({ muted: true })
    await guilds.remove(ada, gone.id)
    const { ready } = await connect(guildhall, brian)
    expect(JSON.stringify(ready['user_guild_settings'] ?? [])).not.toContain(gone.id)
  })

  it('removes messages, threads and images in the background', async () => {
    const { icon } = bodyOf(await ask(ada, 'PATCH', `/v1/guilds/${gone.id}`, { icon: await stillImage() }))
    const media = `/media/icons/${gone.id}/${String(icon)}`
    expect((await guildhall.request('GET', media)).status).toBe(200)
    const { started, write } = threadsOf(guildhall)
    const message = await sent(guildhall, ada, gone.channel, 'soon gone')
    const thread = await started(ada, gone.channel)
    const inThread = String(bodyOf(await write(ada, thread, 'soon gone too'))['id'])
    await guilds.remove(ada, gone.id)
    await expect.poll(async () => (await guildhall.request('GET', media)).status).toBe(404)
    const { messages, queries } = guildhall.ports
    const places = [gone.channel, thread].map((id) => channelId(snowflake(id)))
    await expect.poll(async () => (await messages.lastOf(places)).size).toBe(0)
    await expect.poll(() => queries.unfinished.find('guild_messages', gone.id)).toBeUndefined()
    expect([message, inThread].every((id) => id !== '')).toBe(true)
  })
})

describe('the caller', () => {
  it('must be the owner: no other member, stranger or administrator may', async () => {
    const body = { name: 'Admins', permissions: permissionBits.ADMINISTRATOR.toString() }
    const role = String(bodyOf(await ask(ada, 'POST', `/v1/guilds/${gone.id}/roles`, body))['id'])
    await ask(ada, 'PUT', `/v1/guilds/${gone.id}/members/${brian.id}/roles/${role}`)
    expectRefusal(await guilds.remove(brian, gone.id), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await guilds.remove(carol, gone.id), 403, 'MISSING_PERMISSIONS')
    expect((await guilds.get(ada, gone.id)).status).toBe(200)
  })

  it('must not be a bot, although bots need no proof', async () => {
    const robot = await newApplication(guildhall, ada)
    await addBot(guildhall, robot, gone)
    expectRefusal(await guilds.remove({ token: asBot(robot) }, gone.id, {}), 403, 'MISSING_PERMISSIONS')
  })

  it('must be the present owner', async () => {
    const transfer = { new_owner_id: brian.id, password: ada.password }
    expect((await ask(ada, 'POST', `/v1/guilds/${gone.id}/transfer-ownership`, transfer)).status).toBe(200)
    expectRefusal(await guilds.remove(ada, gone.id), 403, 'MISSING_PERMISSIONS')
    expect((await guilds.remove(brian, gone.id)).status).toBe(204)
  })

  it('must prove sudo mode, before anything is said of the guild', async () => {
    for (const id of [gone.id, nowhere]) expectRefusal(await guilds.remove(brian, id, {}), 403, 'SUDO_MODE_REQUIRED')
    expectFields(await guilds.remove(ada, gone.id, { password: 'another one' }), field('password', 'INVALID_PASSWORD'))
    expectFields(await guilds.remove(ada, gone.id, { mfa_method: 'sms' }), field('mfa_method', 'INVALID_FORMAT'))
    expectFields(await guilds.remove(ada, gone.id, { mfa_code: 'x'.repeat(33) }), field('mfa_code', 'INVALID_MFA_CODE'))
    expectRefusal(await guilds.remove(ada, nowhere), 404, 'UNKNOWN_GUILD')
    expectFields(await guilds.remove(ada, 'home'), field('guild_id', 'INVALID_SNOWFLAKE_FORMAT'))
  })

  it('cannot do it while the guild is unavailable', async () => {
    await setFeatures(guildhall, gone.id, 'UNAVAILABLE_FOR_EVERYONE')
    for (const account of [ada, brian, carol])
      expectRefusal(await guilds.remove(account, gone.id), 403, 'MISSING_ACCESS')
    await setFeatures(guildhall, gone.id)
    expect((await guilds.remove(ada, gone.id)).status).toBe(204)
  })

  it('deletes it once: of two at once one finds it gone', async () => {
    const answers = await Promise.all([guilds.remove(ada, gone.id), guilds.remove(ada, gone.id)])
    expect(answers.map(({ status }) => String(status)).toSorted()).toStrictEqual(['204', '404'])
  })
})
