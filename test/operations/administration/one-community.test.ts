import { afterAll, describe, expect, it } from 'vitest'
import { freshPolicy } from '../../../domain/instance/fresh-policy.ts'
import { guildId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { administrator } from '../../support/administrators.ts'
import { testContext } from '../../support/test-context.ts'
import { startTestGuildhall, type TestAccount, type TestGuildhall } from '../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal, listOf } from '../support/answers.ts'
import { connections } from '../support/connected.ts'
import { discovered, patchConfig } from '../support/instance-config.ts'

const { connect, end } = connections()
afterAll(end)

describe('the one community of an instance', () => {
  const setup = { configured: false }
  const opened = async () => {
    const guildhall = await startTestGuildhall({ policy: { ...freshPolicy, setup } })
    const admin = await administrator(guildhall, '*')
    return { guildhall, admin, patch: patchConfig(guildhall, admin.token) }
  }
  const guildsOf = async ({ request }: TestGuildhall, { token }: TestAccount) =>
    listOf(await request('GET', '/v1/users/@me/guilds', { token })).map(({ id }) => id)

  it('is founded for the acting Admin, joined by every new account, and can be neither left nor deleted', async () => {
    const { guildhall, admin, patch } = await opened()
    const { request } = guildhall
    const policy = { single_community_enabled: true, single_community_name: 'The Engine' }
    const config = bodyOf(await patch({ policy }))
    const { single_community_guild_id: id } = config['policy'] as { readonly single_community_guild_id: string }
    expect(bodyOf(await request('GET', `/v1/guilds/${id}`, { token: admin.token }))).toMatchObject({
      name: 'The Engine',
      owner_id: admin.id,
    })
    expect(await discovered(guildhall)).toMatchObject({
      community: { single_community: true, single_community_guild_id: id },
    })
    const brian = await guildhall.register()
    expect(await guildsOf(guildhall, brian)).toEqual([id])
    const { token } = brian
    expectRefusal(
      await request('POST', '/v1/guilds', { token, body: { name: 'Home' } }),
      400,
      'SINGLE_COMMUNITY_CANNOT_CREATE_GUILDS',
    )
    const leave = (by: TestAccount, query = '') =>
      request('DELETE', `/v1/users/@me/guilds/${id}${query}`, { token: by.token })
    for (const query of ['', '?delete_messages=true'])
      expectRefusal(await leave(brian, query), 400, 'SINGLE_COMMUNITY_CANNOT_LEAVE')
    expectFields(await leave(admin), field('guild_id', 'CANNOT_LEAVE_GUILD_AS_OWNER'))
    const remove = (by: TestAccount) =>
      request('POST', `/v1/guilds/${id}/delete`, { token: by.token, body: { password: by.password } })
    expectRefusal(await remove(brian), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await remove(admin), 400, 'SINGLE_COMMUNITY_CANNOT_DELETE')
    await guildhall.close()
  })

  it('admits no new account from a place where somebody was banned', async () => {
    const { guildhall, admin, patch } = await opened()
    const policy = { single_community_enabled: true, single_community_name: 'The Engine' }
    const config = bodyOf(await patch({ policy }))
    const { single_community_guild_id: id } = config['policy'] as { readonly single_community_guild_id: string }
    const brian = await guildhall.register()
    const bans = `/v1/guilds/${id}/bans`
    expect((await guildhall.request('PUT', `${bans}/${brian.id}`, { token: admin.token, body: {} })).status).toBe(204)
    expect(await guildsOf(guildhall, await guildhall.register())).toEqual([])
    expect((await guildhall.request('DELETE', `${bans}/${brian.id}`, { token: admin.token })).status).toBe(204)
    expect(await guildsOf(guildhall, await guildhall.register())).toEqual([id])
    await guildhall.close()
  })

  it('is an ordinary guild once it is turned off, and is used again if it still exists', async () => {
    const { guildhall, admin, patch } = await opened()
    const turn = async (isOn: boolean) =>
      bodyOf(await patch({ policy: { single_community_enabled: isOn } }))['policy'] as {
        readonly single_community_guild_id: string
      }
    const { single_community_guild_id: id } = await turn(true)
    await patch({ app_public: { setup: { configured: true } } })
    expect(await turn(false)).toMatchObject({ single_community_enabled: false, single_community_guild_id: id })
    expect(await discovered(guildhall)).toMatchObject({ community: { single_community_guild_id: null } })
    const brian = await guildhall.register()
    expect(await guildsOf(guildhall, brian)).toEqual([])
    expect(await turn(true)).toMatchObject({ single_community_guild_id: id })
    await turn(false)
    const gone = await guildhall.request('POST', `/v1/guilds/${id}/delete`, {
      token: admin.token,
      body: { password: admin.password },
    })
    expect(gone.status).toBe(204)
    const { single_community_guild_id: next } = await turn(true)
    expect(next).not.toBe(id)
    expect(await guildsOf(guildhall, admin)).toEqual([next])
    await guildhall.close()
  })

  it('is only one, even if several Admins turn it on at once', async () => {
    const { guildhall, admin, patch } = await opened()
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => patch({ policy: { single_community_enabled: true } })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await guildsOf(guildhall, admin)).toHaveLength(1)
    await guildhall.close()
  })

  it('is joined by waiting accounts once they are approved, and not before', async () => {
    const { guildhall, admin, patch } = await opened()
    const { request } = guildhall
    const config = bodyOf(await patch({ policy: { single_community_enabled: true } }))
    const { single_community_guild_id: id } = config['policy'] as { readonly single_community_guild_id: string }
    await patch({ registration: { mode: 'approval' } })
    const members = async () => (await guildhall.ports.queries.members.countOf(guildId(snowflake(id)))) - 1
    const body = { email: 'ada@example.com', password: 'a fine password' }
    const { user_id: user } = bodyOf(await request('POST', '/v1/auth/register', { body }))
    expect(await members()).toBe(0)
    const decide = (status: string) =>
      request('PATCH', `/v1/admin/instance/pending-registrations/${String(user)}`, {
        token: admin.token,
        body: { status },
      })
    await decide('rejected')
    expect(await members()).toBe(0)
    const { client } = await connect(guildhall, admin)
    const answers = await Promise.all([decide('approved'), decide('approved')])
    expect((await client.dispatch('GUILD_MEMBER_ADD')).d).toMatchObject({ guild_id: id, user: { id: user } })
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await members()).toBe(1)
    const { token } = bodyOf(await request('POST', '/v1/auth/login', { body }))
    expect(listOf(await request('GET', '/v1/users/@me/guilds', { token: String(token) }))).toMatchObject([{ id }])
    await guildhall.close()
  })

  it('accepts no more members than a guild may have, but a full guild refuses no registration', async () => {
    const { guildhall, patch } = await opened()
    await patch({ policy: { single_community_enabled: true } })
    const context = testContext()
    const rules = [{ id: 'few', filters: { traits: [], guildFeatures: [] }, limits: { max_guild_members: 2 } }]
    await guildhall.ports.limits.change({ traitDefinitions: [], rules }, context)
    expect(await guildsOf(guildhall, await guildhall.register())).toHaveLength(1)
    expect(await guildsOf(guildhall, await guildhall.register())).toHaveLength(0)
    await guildhall.close()
  })
})
