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
const patch = ({ token }: { readonly token: string }, body: object) =>
  guildhall.request('PATCH', '/v1/users/@me', { token, body })
const checkTag = ({ token }: TestAccount, username: string, discriminator: string) =>
  guildhall.request('GET', `/v1/users/check-tag?username=${username}&discriminator=${discriminator}`, { token })
let names = 0
const name = (): string => {
  names += 1
  return `countess_${names}`
}
const ascending = (one: number, other: number): number => one - other

describe('Modify current user: the tag', () => {
  it('needs sudo mode for another tag, and none for the same one', async () => {
    const { username, discriminator } = bodyOf(await me(ada.token))
    expect((await patch(ada, { username, discriminator })).status).toBe(200)
    const sudo = await patch(ada, { username: name() })
    expectRefusal(sudo, 403, 'SUDO_MODE_REQUIRED')
    expectFields(
      await patch(ada, { username: name(), password: 'another password' }),
      field('password', 'INVALID_PASSWORD'),
    )
    expect(bodyOf(await me(ada.token))).toMatchObject({ username, discriminator })
  })

  it('is changed at once, with the same discriminator if possible, and the old tag is free', async () => {
    const { username: before, discriminator } = bodyOf(await me(ada.token))
    const username = name()
    const renamed = bodyOf(await patch(ada, { username, password: ada.password }))
    expect(renamed).toMatchObject({ username, discriminator })
    const stranger = await guildhall.register()
    expect(bodyOf(await checkTag(stranger, username, String(discriminator)))).toStrictEqual({ taken: true })
    expect(bodyOf(await checkTag(stranger, String(before), String(discriminator)))).toStrictEqual({ taken: false })
    const back = await patch(stranger, { username: before, discriminator, password: stranger.password })
    expect(bodyOf(back)).toMatchObject({ username: before, discriminator })
  })

  it('can be changed in case without a claim', async () => {
    const { username, discriminator } = bodyOf(await me(ada.token))
    const upper = String(username).toUpperCase()
    expect(bodyOf(await patch(ada, { username: upper, password: ada.password }))).toMatchObject({
      username: upper,
      discriminator,
    })
  })

  it('changes only in its discriminator if the account may choose it', async () => {
    const { discriminator } = bodyOf(await me(ada.token))
    const other = discriminator === '0007' ? 8 : '7'
    expectRefusal(await patch(ada, { discriminator: other }), 403, 'SUDO_MODE_REQUIRED')
    expectFields(
      await patch(ada, { discriminator: other, password: ada.password }),
      field('discriminator', 'CHANGING_DISCRIMINATOR_REQUIRES_PREMIUM'),
    )
  })

  describe.each([
    ['the limit', 'choosing'],
    ['premium mode everyone', { policy: { premium: { mode: 'everyone' } } }],
  ] as const)('with %s', async (_, wanted) => {
    const chosen = await openServer(wanted)
    it('is chosen, kept from others, and free again once it is changed', async () => {
      const [grace, linus] = [await chosen.register(), await chosen.register()]
      const on = ({ token, password }: TestAccount, body: object) =>
        chosen.request('PATCH', '/v1/users/@me', { token, body: { ...body, password } })
      const { username } = bodyOf(await chosen.request('GET', '/v1/users/@me', { token: grace.token }))
      for (const discriminator of ['1815', '42', 43])
        expect(bodyOf(await on(grace, { discriminator }))).toMatchObject({
          username,
          discriminator: String(discriminator).padStart(4, '0'),
        })
      expectFields(await on(linus, { username, discriminator: 43 }), field('discriminator', 'TAG_ALREADY_TAKEN'))
      expect(bodyOf(await on(linus, { username, discriminator: 42 }))).toMatchObject({ discriminator: '0042' })
      expectFields(await on(linus, { discriminator: '0043' }), field('discriminator', 'TAG_ALREADY_TAKEN'))
      expect(bodyOf(await on(linus, { discriminator: '0000' }))).toMatchObject({ discriminator: '0000' })
      expectFields(await on(grace, { discriminator: 0 }), field('discriminator', 'TAG_ALREADY_TAKEN'))
      const both = String(username).toUpperCase()
      expect(bodyOf(await on(linus, { username: both, discriminator: 7 }))).toMatchObject({
        username: both,
        discriminator: '0007',
      })
      const { state } = await chosen.ports.aggregates.handle.load(String(username).toLowerCase())
      expect(state).toMatchObject({
        held: [
          [7, linus.id],
          [43, grace.id],
        ],
      })
    })
  })

  it('is one tag, whichever discriminators are asked for at the same moment', async () => {
    const chosen = await openServer('choosing')
    const { id, token, password } = await chosen.register()
    const wishes = [11, 12, 13].map((discriminator) =>
      chosen.request('PATCH', '/v1/users/@me', { token, body: { discriminator, password } }),
    )
    const statuses = (await Promise.all(wishes)).map(({ status }) => status)
    expect(statuses).toContain(200)
    expect(statuses.every((status) => status === 200 || status === 409)).toBe(true)
    const { username, discriminator } = bodyOf(await chosen.request('GET', '/v1/users/@me', { token }))
    const { state } = await chosen.ports.aggregates.handle.load(String(username).toLowerCase())
    expect(state).toMatchObject({ held: [[Number(discriminator), id]] })
  })

  it('is refused if another account has it, and then changes nothing', async () => {
    const grace = await guildhall.register()
    const { username, discriminator } = bodyOf(await me(grace.token))
    const taken = await patch(ada, { username, discriminator, bio: 'Notes', password: ada.password })
    expectFields(taken, field('discriminator', 'TAG_ALREADY_TAKEN'))
    expect(bodyOf(await me(ada.token))['bio']).toBeNull()
    const other = bodyOf(await patch(ada, { username, password: ada.password }))
    expect(other['username']).toBe(username)
  })

  it('may have discriminator 0, which a new username keeps', async () => {
    const grace = await guildhall.register()
    const rename = (body: object) => patch(grace, { ...body, password: grace.password })
    expect(bodyOf(await rename({ username: name(), discriminator: '0000' }))).toMatchObject({ discriminator: '0000' })
    expect(bodyOf(await rename({ username: name() }))).toMatchObject({ discriminator: '0000' })
  })

  it.each([
    ['b c', 'USERNAME_INVALID_CHARACTERS'],
    ['', 'USERNAME_LENGTH_INVALID'],
    ['here', 'USERNAME_RESERVED_VALUE'],
    ['guildhall_team', 'USERNAME_CANNOT_CONTAIN_RESERVED_TERMS'],
  ] as const)('is refused if the username is invalid: "%s"', async (username, code) => {
    expectFields(await patch(ada, { username, password: ada.password }), field('username', code))
  })

  it('goes to one of several that want it at the same moment', async () => {
    const username = name()
    const wanting = await Promise.all([guildhall.register(), guildhall.register(), guildhall.register()])
    const answers = await Promise.all(
      wanting.map((each) => patch(each, { username, discriminator: 1815, password: each.password })),
    )
    expect(answers.map(({ status }) => status).toSorted(ascending)).toStrictEqual([200, 400, 400])
  })

  it('is one and the same for the account and for its handle, whatever is asked for at the same moment', async () => {
    const wishes = [name(), name(), name()]
    await Promise.all(wishes.map((username) => patch(ada, { username, password: ada.password })))
    const { username, discriminator } = bodyOf(await me(ada.token))
    const { state } = await guildhall.ports.aggregates.handle.load(String(username).toLowerCase())
    expect(state).toMatchObject({ status: 'claimed', held: [[Number(discriminator), ada.id]] })
  })
})

describe('the allowances of changes', () => {
  it('are 5 tags in 3 hours, charged for what is different', async () => {
    const limited = await openServer('limited')
    const { token, password } = await limited.register()
    const change = (body: object) => limited.request('PATCH', '/v1/users/@me', { token, body })
    const tags = []
    for (let count = 0; count < 6; count += 1) tags.push(await change({ username: name(), password }))
    expect(tags.map(({ status }) => status)).toStrictEqual([200, 200, 200, 200, 200, 400])
    const [last] = tags.slice(-1)
    if (last) expectFields(last, field('username', 'USERNAME_CHANGED_TOO_MANY_TIMES'))
    const { username } = bodyOf(await limited.request('GET', '/v1/users/@me', { token }))
    expect((await change({ username })).status).toBe(200)
  })
})
