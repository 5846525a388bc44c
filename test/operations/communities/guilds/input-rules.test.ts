import { describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { accept, bodyOf, expectFields, found, invite } from '../../support/answers.ts'
import { customCodesOn, newCode, setFeatures } from '../../support/custom-codes.ts'
import { openScene } from '../../support/scene.ts'

const { guildhall, ada, carol, home } = await openScene()
const { choose } = customCodesOn(() => guildhall)
const send = (method: string, path: string, options: object = {}) =>
  guildhall.request(method, path, { token: ada.token, ...options })

describe('what is read of a request', () => {
  it('a custom code that the guild has already is taken, also once VANITY_URL is gone', async () => {
    const guild = await found(guildhall, ada)
    await setFeatures(guildhall, guild.id, 'VANITY_URL')
    const code = newCode()
    await choose(ada, guild.id, code)
    await setFeatures(guildhall, guild.id)
    expect(await choose(ada, guild.id, code.toUpperCase())).toMatchObject({ status: 200, body: { code } })
    expectFields(await choose(ada, guild.id, newCode()), field('code', 'VANITY_URL_REQUIRES_FEATURE'))
  })

  it('%40me is @me, and in a query it is what it is', async () => {
    expect(bodyOf(await send('GET', '/v1/users/%40me'))).toMatchObject({ id: ada.id })
    expect((await send('GET', '/v1/users/%40me/guilds?limit=%40')).status).toBe(400)
  })

  it.each(['{"a":', 'nonsense', '{}}'])(
    'a body that is no JSON is refused, where none is needed too: %s',
    async (body) => {
      const code = await invite(guildhall, ada, home.channel)
      const broken = { token: carol.token, body, headers: { 'content-type': 'application/json' } }
      for (const method of ['POST', 'DELETE'])
        expectFields(await guildhall.request(method, `/v1/invites/${code}`, broken), field('body', 'INVALID_FORMAT'))
      const other = await guildhall.register()
      expect((await accept(guildhall, other, code)).status).toBe(200)
    },
  )

  it.each(['\u200b', '\u2060\u3164', '\ufe0f\u00ad', '\u2800'])(
    'invisible characters alone are no name: %j',
    async (name) => {
      const invalid = field('name', 'STRING_LENGTH_INVALID')
      expectFields(await send('POST', '/v1/guilds', { body: { name } }), invalid)
      expectFields(await send('PATCH', `/v1/guilds/${home.id}`, { body: { name } }), invalid)
      expectFields(await send('POST', `/v1/guilds/${home.id}/roles`, { body: { name } }), invalid)
      expectFields(await send('POST', `/v1/guilds/${home.id}/channels`, { body: { name, type: 2 } }), invalid)
      const nick = await send('PATCH', `/v1/guilds/${home.id}/members/@me`, { body: { nick: name } })
      expectFields(nick, field('nick', 'STRING_LENGTH_INVALID'))
    },
  )

  it('a query parameter that comes twice is refused with its path', async () => {
    const leave = await send('DELETE', `/v1/users/@me/guilds/${home.id}?delete_messages=true&delete_messages=false`)
    expectFields(leave, field('delete_messages', 'INVALID_FORMAT'))
    expectFields(
      await send('GET', '/v1/users/@me/guilds?limit=2&before=1&limit=3&before=2'),
      field('before', 'INVALID_FORMAT'),
      field('limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE'),
    )
    expect((await send('GET', '/v1/users/@me/guilds?unknown=1&unknown=2')).status).toBe(200)
  })
})
