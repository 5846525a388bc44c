import { describe, expect, it } from 'vitest'
import { administrator } from '../support/administrators.ts'
import { bodyOf } from './support/answers.ts'
import { openScene, openServer } from './support/scene.ts'

/** Decision 107: a refusal for want of a right names it. */

const guildhall = await openServer()
const { request } = guildhall

describe('a refusal for want of a right', () => {
  it('names the permission, the ownership, the rank or the membership that is missing', async () => {
    const { ada, brian, carol, home } = await openScene()
    const guild = `/v1/guilds/${home.id}`
    const missing = async (path: string, method: string, { token }: { token: string }, body?: object) => {
      const answer = await request(method, path, body ? { token, body } : { token })
      expect([path, answer]).toMatchObject([path, { status: 403, body: { code: 'MISSING_PERMISSIONS' } }])
      return bodyIn(answer)['missing']
    }
    expect(await missing(`${guild}/bans`, 'GET', brian)).toStrictEqual(['BAN_MEMBERS'])
    expect(await missing(`${guild}/roles`, 'POST', brian, { name: 'x' })).toStrictEqual(['MANAGE_ROLES'])
    expect(await missing(guild, 'GET', carol)).toStrictEqual(['membership'])
    const made = await request('POST', `${guild}/roles`, {
      token: ada.token,
      body: { name: 'Mods', permissions: '268435458' },
    })
    const role = String(bodyOf(made)['id'])
    await request('PUT', `${guild}/members/${brian.id}/roles/${role}`, { token: ada.token })
    expect(await missing(`${guild}/roles/${role}`, 'PATCH', brian, { name: 'x' })).toStrictEqual(['rank'])
    expect(await missing(`${guild}/roles`, 'POST', brian, { name: 'x', permissions: '12' })).toStrictEqual([
      'BAN_MEMBERS',
      'ADMINISTRATOR',
    ])
  })
  it('never names an Admin ACL', async () => {
    const refused = async (token: string, path: string) => bodyIn(await request('GET', path, { token }))
    const nobody = await guildhall.register()
    const helper = await administrator(guildhall, 'admin:authenticate')
    const answers = [
      await refused(nobody.token, '/v1/admin/users'),
      await refused(helper.token, '/v1/admin/api-keys'),
      await refused(helper.token, '/v1/admin/archives?subject_type=user'),
    ]
    expect(answers.map(({ code }) => code)).toEqual(['MISSING_PERMISSIONS', 'MISSING_ACL', 'MISSING_ACL'])
    for (const answer of answers) expect(Object.keys(answer).toSorted()).toEqual(['code', 'message'])
  })
  it('names the proofs that sudo mode takes', async () => {
    const { token } = await guildhall.register()
    expect((await request('POST', '/v1/users/@me/delete', { token, body: {} })).body).toMatchObject({
      code: 'SUDO_MODE_REQUIRED',
      has_mfa: false,
      methods: expect.any(Object),
    })
  })
})

function bodyIn({ body }: { readonly body: unknown }): Readonly<Record<string, unknown>> {
  return body as Readonly<Record<string, unknown>>
}
