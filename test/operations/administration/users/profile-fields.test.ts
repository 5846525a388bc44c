import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { administrator } from '../../../support/administrators.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { stillImage } from '../../support/pictures.ts'
import { foundWith, openServer } from '../../support/scene.ts'
import { correctionsOn, unknownUser } from './support.ts'

const guildhall = await openServer({ limits: { feature_animated_banner: 1 } })
const { ask, lastEntry } = await correctionsOn(guildhall)
const { connect, end } = connections()
afterAll(end)

const texts = { bio: 'Notes', pronouns: 'she/her', global_name: 'Ada Lovelace' }
let ada: TestAccount
beforeEach(async () => {
  ada = await guildhall.register()
  bodyOf(await guildhall.request('PATCH', '/v1/users/@me', { token: ada.token, body: { ...texts, accent_color: 7 } }))
})
const clear = (body: unknown, id = ada.id, token?: string) => ask('DELETE', id, 'profile-fields', body, token)

describe('Clear user profile fields', () => {
  it('clears the named fields alone, and tells the account', async () => {
    const bob = await guildhall.register()
    const home = await foundWith(guildhall, bob, ada)
    const [{ client }, inGuild] = [await connect(guildhall, ada), await connect(guildhall, bob)]
    const { user } = bodyOf(await clear({ fields: ['bio', 'global_name'] }))
    expect(user).toMatchObject({ ...texts, bio: null, global_name: null, accent_color: 7 })
    expect((await client.dispatch('USER_UPDATE')).d).toMatchObject({
      bio: null,
      pronouns: 'she/her',
      global_name: null,
    })
    const shown = { guild_id: home.id, user: { id: ada.id, global_name: null } }
    expect((await inGuild.client.dispatch('GUILD_MEMBER_UPDATE')).d).toMatchObject(shown)
    expect(bodyOf(await clear({ fields: ['pronouns', 'pronouns'] }))['user']).toMatchObject({ pronouns: null })
  })
  it('clears images with their colours, and removes their files', async () => {
    const images = { avatar: await stillImage('red'), banner: await stillImage('teal') }
    const set = bodyOf(await guildhall.request('PATCH', '/v1/users/@me', { token: ada.token, body: images }))
    const urls = ['avatar', 'banner'].map((name) => `/media/${name}s/${ada.id}/${String(set[name])}`)
    for (const url of urls) expect((await guildhall.request('GET', url)).status).toBe(200)
    expect(bodyOf(await clear({ fields: ['avatar', 'banner'] }))['user']).toMatchObject({ avatar: null, banner: null })
    for (const url of urls) await expect.poll(async () => (await guildhall.request('GET', url)).status).toBe(404)
    expect(bodyOf(await guildhall.request('GET', '/v1/users/@me', { token: ada.token }))).toMatchObject({
      avatar: null,
      avatar_color: null,
      banner: null,
      banner_color: null,
      ...texts,
    })
  })
  it('is recorded with the names joined by commas, also where nothing is cleared', async () => {
    for (const [fields, recorded] of [
      [['bio', 'avatar'], 'bio,avatar'],
      [[], ''],
    ] as const) {
      bodyOf(await clear({ fields }))
      expect(await lastEntry()).toMatchObject({
        action: 'clear_fields',
        targetType: 'user',
        targetId: ada.id,
        metadata: { fields: recorded },
      })
    }
    expect(bodyOf(await clear({ fields: [] }))['user']).toMatchObject({ ...texts, bio: null })
  })
  it('refuses a body that is wrong, before it looks for the account', async () => {
    expectFields(await clear({ fields: ['bio', 'username'] }, unknownUser), field('fields.1', 'INVALID_FORMAT'))
    const tooMany = Array.from({ length: 11 }, () => 'bio')
    for (const body of [undefined, null, {}, { fields: 'bio' }, { fields: [null] }, { fields: tooMany }])
      expectRefusal(await clear(body, unknownUser), 400, 'INVALID_FORM_BODY')
    expectFields(await clear({ fields: [] }, 'x'), field('user_id', 'INVALID_SNOWFLAKE_FORMAT'))
    expectRefusal(await clear({ fields: [] }, unknownUser), 404, 'UNKNOWN_USER')
  })
  it('needs its ACL, and shows what the caller may view', async () => {
    const none = await administrator(guildhall, 'admin:authenticate', 'user:update:username')
    expectRefusal(await clear({ fields: ['bio'] }, ada.id, none.token), 403, 'MISSING_ACL')
    const lesser = await administrator(guildhall, 'admin:authenticate', 'user:update:profile')
    const { user } = bodyOf(await clear({ fields: ['bio'] }, ada.id, lesser.token))
    expect(user).toMatchObject({ bio: null, email: null, date_of_birth: null, last_active_ip: null })
  })
})
