import { describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { bodyOf, expectFields, expectRefusal } from '../../support/answers.ts'
import { setFeatures } from '../../support/guilds.ts'
import { openScene } from '../../support/scene.ts'

/** Bodies of operations of guilds and invites as texts: invalid ones, empty ones, and ones with unknown members. */

const { guildhall, ada, home } = await openScene()
await setFeatures(guildhall, home.id, 'VANITY_URL')

type Asked = readonly [method: string, path: () => string]
const createGuild: Asked = ['POST', () => '/v1/guilds']
const modifyGuild: Asked = ['PATCH', () => `/v1/guilds/${home.id}`]
const deleteGuild: Asked = ['POST', () => `/v1/guilds/${home.id}/delete`]
const leaveGuild: Asked = ['DELETE', () => '/v1/users/@me/guilds/1']
const clearMessages: Asked = ['POST', () => `/v1/users/@me/guilds/${home.id}/messages/bulk-delete-mine`]
const modifyVanityUrl: Asked = ['PATCH', () => `/v1/guilds/${home.id}/vanity-url`]
const createInvite: Asked = ['POST', () => `/v1/channels/${home.channel}/invites`]
const all = [
  ['Create guild', createGuild],
  ['Modify guild', modifyGuild],
  ['Delete guild', deleteGuild],
  ['Leave guild', leaveGuild],
  ['Bulk delete current user’s guild messages', clearMessages],
  ['Modify guild custom invite URL', modifyVanityUrl],
  ['Create channel invite', createInvite],
] as const

const send = ([method, path]: Asked, body?: string, type = 'application/json') =>
  guildhall.request(method, path(), { token: ada.token, body, headers: { 'content-type': type } })

describe.each(all)('the body of %s', (_, operation) => {
  it.each(['{', '{"name":"x"', '{name:"x"}', '\u{feff}{}', 'name=x'])(
    'is refused if it is not JSON: %j',
    async (body) => {
      expectFields(await send(operation, body), field('body', 'INVALID_FORMAT'))
    },
  )

  it.each(['null', '[]', '"x"', '7', 'true'])('is refused if it is not an object: %s', async (body) => {
    expectFields(await send(operation, body), field('root', 'INVALID_FORMAT'))
  })
})

describe('a body that is empty, blank or missing', () => {
  const bodies = [undefined, '', ' \r\n', '{}']

  it('changes nothing, which Modify guild and the like accept', async () => {
    for (const body of bodies)
      for (const operation of [modifyGuild, modifyVanityUrl, createInvite])
        expect((await send(operation, body)).status).toBe(200)
  })

  it('lacks the required members', async () => {
    for (const body of bodies) {
      expectFields(await send(createGuild, body), field('name', 'INVALID_FORMAT'))
      for (const operation of [deleteGuild, clearMessages])
        expectRefusal(await send(operation, body), 403, 'SUDO_MODE_REQUIRED')
      expectRefusal(await send(leaveGuild, body), 404, 'UNKNOWN_MEMBER')
    }
  })
})

describe('a member', () => {
  it('that is unknown is ignored, whatever its name is', async () => {
    const hostile = '"__proto__":{"name":"evil","code":"evil1","max_uses":9},"constructor":1,"toString":{"a":[1]}'
    expect(bodyOf(await send(createGuild, `{"name":"Plain",${hostile}}`))).toMatchObject({ name: 'Plain' })
    expect(bodyOf(await send(modifyGuild, `{${hostile}}`))).toMatchObject({ id: home.id, name: 'Home' })
    expect(bodyOf(await send(modifyVanityUrl, `{${hostile}}`))).toStrictEqual({ code: null })
    expect(bodyOf(await send(createInvite, `{${hostile}}`))).toMatchObject({ max_uses: 0 })
  })

  it('that no operation writes stays as it is', async () => {
    const foreign = { rules_channel_id: home.channel, disabled_operations: 5, owner_id: '1', vanity_url_code: 'mine' }
    const kept = { rules_channel_id: null, disabled_operations: 0, owner_id: ada.id, vanity_url_code: null }
    expect(bodyOf(await send(modifyGuild, JSON.stringify(foreign)))).toMatchObject(kept)
  })

  it('that is repeated counts with its last value', async () => {
    expect(bodyOf(await send(createGuild, '{"name":"First","name":"Last"}'))).toMatchObject({ name: 'Last' })
    expect(bodyOf(await send(createInvite, '{"max_uses":1000,"max_uses":2}'))).toMatchObject({ max_uses: 2 })
    expectFields(await send(createInvite, '{"max_uses":2,"max_uses":101}'), field('max_uses', 'INVALID_FORMAT'))
  })

  it('is read with any Content-Type', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'nonsense'])
      expect(bodyOf(await send(createGuild, '{"name":"Typed"}', type))).toMatchObject({ name: 'Typed' })
  })
})
