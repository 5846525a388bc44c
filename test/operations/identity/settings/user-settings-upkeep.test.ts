import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { accept, bodyOf, expectFields, found, invite } from '../../support/answers.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { connections } from '../../support/connected.ts'
import { emptyFolder } from '../../support/user-settings.ts'
import { openServer } from '../../support/scene.ts'

let ada: TestAccount
let grace: TestAccount
const { connect, end } = connections()

const guildhall = await openServer()
beforeEach(async () => {
  ada = await guildhall.register()
  grace = await guildhall.register()
})
afterEach(end)

const settings = async ({ token }: { readonly token: string }) =>
  bodyOf(await guildhall.request('GET', '/v1/users/@me/settings', { token }))
const patch = ({ token }: { readonly token: string }, body: unknown) =>
  guildhall.request('PATCH', '/v1/users/@me/settings', { token, body })

describe('the folder layout', () => {
  const folders = async (account: TestAccount) => (await settings(account))['guild_folders']
  const leave = ({ token }: TestAccount, id: string) =>
    guildhall.request('DELETE', `/v1/users/@me/guilds/${id}`, { token })

  it('puts a joined guild first, and removes it when it is left', async () => {
    const [home, away] = [await found(guildhall, ada), await found(guildhall, ada)]
    expect(await folders(ada)).toStrictEqual([{ ...emptyFolder, guild_ids: [away.id, home.id] }])
    for (const guild of [home, away]) await accept(guildhall, grace, await invite(guildhall, ada, guild.channel))
    const named = { id: 1, name: 'Work', color: null, flags: 0, icon: 'star', guild_ids: [home.id] }
    await patch(grace, { guild_folders: [named, { ...emptyFolder, guild_ids: [away.id] }] })
    const { client } = await connect(guildhall, grace)
    const third = await found(guildhall, ada)
    await accept(guildhall, grace, await invite(guildhall, ada, third.channel))
    const joined = [named, { ...emptyFolder, guild_ids: [third.id, away.id] }]
    expect(await folders(grace)).toStrictEqual(joined)
    expect((await client.dispatch('USER_SETTINGS_UPDATE')).d).toMatchObject({ guild_folders: joined })
    await leave(grace, home.id)
    expect(await folders(grace)).toStrictEqual([{ ...emptyFolder, guild_ids: [third.id, away.id] }])
    expect((await client.dispatch('USER_SETTINGS_UPDATE')).d).toMatchObject({ guild_folders: joined.slice(1) })
    await accept(guildhall, grace, await invite(guildhall, ada, home.channel))
    expect(await folders(grace)).toStrictEqual([{ ...emptyFolder, guild_ids: [home.id, third.id, away.id] }])
  })

  it('is without a guild that was deleted', async () => {
    const home = await found(guildhall, ada)
    await accept(guildhall, grace, await invite(guildhall, ada, home.channel))
    await patch(grace, { guild_folders: [{ ...emptyFolder, id: 1, guild_ids: [home.id] }] })
    const { client } = await connect(guildhall, grace)
    const sudo = { token: ada.token, body: { password: ada.password } }
    expect((await guildhall.request('POST', `/v1/guilds/${home.id}/delete`, sudo)).status).toBe(204)
    expect((await client.dispatch('USER_SETTINGS_UPDATE')).d).toMatchObject({ guild_folders: [] })
    expect(await folders(grace)).toStrictEqual([])
  })
})

describe('Share voice activity', () => {
  const share = ({ token }: TestAccount, body: unknown) =>
    guildhall.request('PUT', '/v1/users/@me/settings/voice-activity-sharing', { token, body })

  it('answers with the user, and is sent in the user and in the settings', async () => {
    const { client } = await connect(guildhall, ada)
    const user = bodyOf(await share(ada, { share_voice_activity: true }))
    expect(user).toMatchObject({ id: ada.id, last_voice_activity_sharing_change_at: expect.stringMatching(/Z$/) })
    expect((await client.dispatch('USER_UPDATE')).d).toStrictEqual(user)
    expect((await client.dispatch('USER_SETTINGS_UPDATE')).d).toMatchObject({ default_share_voice_activity: true })
    expect(await settings(ada)).toMatchObject({ default_share_voice_activity: true })
    expect(bodyOf(await patch(ada, { default_share_voice_activity: false }))).toMatchObject({
      default_share_voice_activity: true,
    })
  })

  it('can be changed once a day, by one of many at once', async () => {
    const onCooldown = field('share_voice_activity', 'VOICE_ACTIVITY_SHARING_ON_COOLDOWN')
    const answers = await Promise.all(Array.from({ length: 5 }, () => share(ada, { share_voice_activity: true })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expectFields(await share(ada, { share_voice_activity: false }), onCooldown)
    expect(await settings(ada)).toMatchObject({ default_share_voice_activity: true })
  })

  it('requires a value', async () => {
    expectFields(await share(ada, {}), field('share_voice_activity', 'INVALID_FORMAT'))
    expectFields(await share(ada, { share_voice_activity: 'yes' }), field('share_voice_activity', 'INVALID_FORMAT'))
    expect(bodyOf(await share(ada, { share_voice_activity: false }))).toMatchObject({ id: ada.id })
  })
})
