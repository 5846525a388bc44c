import { beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../../support/answers.ts'
import { openServer } from '../../support/scene.ts'

let ada: TestAccount

const guildhall = await openServer()
beforeEach(async () => {
  ada = await guildhall.register()
})

const me = (token: string) => guildhall.request('GET', '/v1/users/@me', { token })
const checkTag = ({ token }: TestAccount, username: string, discriminator: string) =>
  guildhall.request('GET', `/v1/users/check-tag?username=${username}&discriminator=${discriminator}`, { token })

describe('Get user', () => {
  it('shows the public data', async () => {
    const grace = await guildhall.register()
    const { username, discriminator } = bodyOf(await me(grace.token))
    const body = {
      id: grace.id,
      username,
      discriminator,
      global_name: null,
      avatar: null,
      avatar_color: null,
      flags: 0,
    }
    const found = await guildhall.request('GET', `/v1/users/${grace.id}`, { token: ada.token })
    expect(bodyOf(found)).toStrictEqual(body)
  })

  it('refuses an unknown account, an invalid id, and a request without a credential', async () => {
    const get = (id: string, token?: string) =>
      guildhall.request('GET', `/v1/users/${id}`, token === undefined ? {} : { token })
    expectRefusal(await get('1', ada.token), 404, 'UNKNOWN_USER')
    expectFields(await get('abc', ada.token), field('user_id', 'INVALID_SNOWFLAKE_FORMAT'))
    expectRefusal(await get(ada.id), 401, 'UNAUTHORIZED')
  })
})

describe('Check tag', () => {
  it('says that the caller’s own tag is free', async () => {
    const { username, discriminator } = bodyOf(await me(ada.token))
    expect(bodyOf(await checkTag(ada, String(username), String(discriminator)))).toStrictEqual({ taken: false })
    const grace = await guildhall.register()
    const upper = String(username).toUpperCase()
    expect(bodyOf(await checkTag(grace, upper, String(discriminator)))).toStrictEqual({ taken: true })
  })

  it('requires both members', async () => {
    const answer = await guildhall.request('GET', '/v1/users/check-tag', { token: ada.token })
    expectFields(answer, field('username', 'INVALID_FORMAT'), field('discriminator', 'INVALID_FORMAT'))
    expectFields(await checkTag(ada, 'ada', 'x'), field('discriminator', 'DISCRIMINATOR_INVALID_FORMAT'))
  })
})
