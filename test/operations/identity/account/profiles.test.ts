import { beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal, found, type TestGuild } from '../../support/answers.ts'
import { foundWith, openServer } from '../../support/scene.ts'

let ada: TestAccount
let grace: TestAccount

const guildhall = await openServer()
beforeEach(async () => {
  ada = await guildhall.register()
  grace = await guildhall.register()
})

const profile = (target: string, { token }: TestAccount, query = '') =>
  guildhall.request('GET', `/v1/users/${target}/profile${query}`, { token })
const user = async ({ id }: TestAccount) =>
  bodyOf(await guildhall.request('GET', `/v1/users/${id}`, { token: ada.token }))

/** A guild of Ada's with Grace in it. */
async function shared(): Promise<TestGuild> {
  const guild = await foundWith(guildhall, ada, grace)
  return guild
}

describe('Get user profile', () => {
  it('shows an account to itself and to those who share a guild with it', async () => {
    await shared()
    const said = { bio: 'Notes on the engine', pronouns: 'she/her', accent_color: 255 }
    await guildhall.request('PATCH', '/v1/users/@me', { token: grace.token, body: said })
    const whole = {
      user: await user(grace),
      user_profile: { ...said, banner: null, banner_color: null },
      connected_accounts: [],
      timezone_offset: null,
    }
    expect(bodyOf(await profile(grace.id, ada))).toStrictEqual(whole)
    expect(bodyOf(await profile(grace.id, grace))).toStrictEqual(whole)
  })
  it('adds the member of a shared guild, and nothing of another one', async () => {
    const { id } = await shared()
    const body = bodyOf(await profile(grace.id, ada, `?guild_id=${id}`))
    expect(body).toMatchObject({
      guild_member: { user: { id: grace.id }, roles: [], nick: null, joined_at: expect.any(String) },
      guild_member_profile: { bio: null, pronouns: null, banner: null, accent_color: null },
    })
    const other = await found(guildhall, ada)
    const without = bodyOf(await profile(grace.id, ada, `?guild_id=${other.id}`))
    expect(Object.keys(without)).not.toContain('guild_member')
    expectFields(await profile(grace.id, ada, '?guild_id=x'), field('guild_id', 'INVALID_SNOWFLAKE_FORMAT'))
  })
  it('lists mutual guilds and friends on request', async () => {
    const guilds = [await shared(), await shared()]
    await found(guildhall, ada)
    const body = bodyOf(await profile(grace.id, ada, '?with_mutual_guilds=true&with_mutual_friends=1'))
    expect(body).toMatchObject({ mutual_friends: [], mutual_guilds: guilds.map(({ id }) => ({ id, nick: null })) })
  })
  it('is refused to those who share nothing with the account, and for unknown accounts', async () => {
    expectRefusal(await profile(grace.id, ada), 403, 'MISSING_ACCESS')
    expectRefusal(await profile('1', ada), 404, 'UNKNOWN_USER')
    expectFields(await profile('x', ada), field('target_id', 'INVALID_SNOWFLAKE_FORMAT'))
    expectRefusal(await guildhall.request('GET', `/v1/users/${ada.id}/profile`), 401, 'UNAUTHORIZED')
    await shared()
    expect((await profile(grace.id, ada)).status).toBe(200)
  })
  it('shows less of an account that shows its profile only to friends, except to itself', async () => {
    await shared()
    const change = (path: string, body: object) => guildhall.request('PATCH', path, { token: grace.token, body })
    await change('/v1/users/@me', { bio: 'Notes', pronouns: 'she/her', accent_color: 255 })
    const limit = async (profile_privacy: number) => {
      expect((await change('/v1/users/@me/settings', { profile_privacy })).status).toBe(200)
      return bodyOf(await profile(grace.id, ada))
    }
    expect(await limit(2)).toMatchObject({
      user_profile: { bio: null, pronouns: null, accent_color: 255 },
      profile_limited: true,
    })
    expect(bodyOf(await profile(grace.id, grace))).toMatchObject({ user_profile: { bio: 'Notes' } })
    // The guild that they share is a small one.
    const inSmallGuild = await limit(1)
    expect(inSmallGuild).toMatchObject({ user_profile: { bio: 'Notes' } })
    expect(Object.keys(inSmallGuild)).not.toContain('profile_limited')
  })
})
