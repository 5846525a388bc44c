import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { changeUsername } from '../../../../application/administration/users/change-username.ts'
import type { Caller } from '../../../../application/caller.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { administrator } from '../../../support/administrators.ts'
import { testContext } from '../../../support/test-context.ts'
import { testRequester } from '../../../support/test-requester.ts'
import type { TestAccount, TestGuildhall } from '../../../support/test-guildhall.ts'
import { bodyOf, crowd, expectFields, expectRefusal } from '../../support/answers.ts'
import { newApplication } from '../../support/applications.ts'
import { connections } from '../../support/connected.ts'
import { foundWith, openServer } from '../../support/scene.ts'
import { correctionsOn, idOf, unknownUser } from './support.ts'

const guildhall = await openServer({})
const plain = await correctionsOn(guildhall)
/** Where everybody may choose a discriminator. */
const free = await openServer('choosing')
const chosen = await correctionsOn(free)
const alone = await openServer('usernames')
const unique = await correctionsOn(alone)
const { connect, end } = connections()
afterAll(end)

let names = 0
const name = (): string => {
  names += 1
  return `engine_${names}`
}
const tagOf = async (on: TestGuildhall, { token }: TestAccount) => {
  const { username, discriminator } = bodyOf(await on.request('GET', '/v1/users/@me', { token }))
  return { username: String(username), discriminator: Number(discriminator) }
}
const heldOf = async (on: TestGuildhall, username: string) => {
  const { state } = await on.ports.aggregates.handle.load(username.toLowerCase())
  return state.status === 'claimed' ? state.held : []
}

let ada: TestAccount
beforeEach(async () => {
  ada = await guildhall.register()
})
const rename = (body: unknown, id = ada.id) => plain.ask('PATCH', id, 'username', body)

describe('Change user username', () => {
  it('changes the tag, keeps the discriminator where it is free, and frees the old tag', async () => {
    const before = await tagOf(guildhall, ada)
    const username = name()
    const bob = await guildhall.register()
    const home = await foundWith(guildhall, bob, ada)
    const [{ client }, inGuild] = [await connect(guildhall, ada), await connect(guildhall, bob)]
    const { user } = bodyOf(await rename({ username: ` ${username} ` }))
    expect(user).toMatchObject({ id: ada.id, username, discriminator: before.discriminator, email: ada.email })
    expect((await client.dispatch('USER_UPDATE')).d).toMatchObject({ username })
    const shown = { guild_id: home.id, user: { id: ada.id, username } }
    expect((await inGuild.client.dispatch('GUILD_MEMBER_UPDATE')).d).toMatchObject(shown)
    expect(await heldOf(guildhall, before.username)).toStrictEqual([])
    expect(await heldOf(guildhall, username)).toStrictEqual([[before.discriminator, ada.id]])
  })
  it('is recorded with both names and the discriminator', async () => {
    const before = await tagOf(guildhall, ada)
    const username = name()
    bodyOf(await rename({ username }))
    expect(await plain.lastEntry()).toMatchObject({
      action: 'change_username',
      targetType: 'user',
      targetId: ada.id,
      metadata: { old_username: before.username, new_username: username, discriminator: String(before.discriminator) },
    })
  })
  it('leaves a discriminator aside that the account may not choose', async () => {
    const { discriminator } = await tagOf(guildhall, ada)
    const other = String(discriminator === 7 ? 8 : 7)
    const username = name()
    expect(bodyOf(await rename({ username, discriminator: other }))['user']).toMatchObject({ username, discriminator })
    expect(bodyOf(await rename({ username, discriminator: other }))['user']).toMatchObject({ username, discriminator })
    expect(bodyOf(await rename({ username, discriminator: '0000' }))['user']).toMatchObject({ discriminator })
    const bob = await guildhall.register()
    const taken = { username, discriminator: String(discriminator) }
    const after = bodyOf(await rename(taken, bob.id))['user']
    expect(after).toMatchObject({ username })
    expect((after as { readonly discriminator: number }).discriminator).not.toBe(discriminator)
  })
  it('changes the case of letters alone', async () => {
    const { username, discriminator } = await tagOf(guildhall, ada)
    const upper = username.toUpperCase()
    expect(bodyOf(await rename({ username: upper }))['user']).toMatchObject({ username: upper, discriminator })
    expect(await heldOf(guildhall, username)).toStrictEqual([[discriminator, ada.id]])
  })
  it('refuses a body that is wrong, before it looks for the account', async () => {
    const fields = [
      [{ username: 'b c' }, field('username', 'USERNAME_INVALID_CHARACTERS')],
      [{ username: ' ' }, field('username', 'USERNAME_LENGTH_INVALID')],
      [{ username: 'a'.repeat(33) }, field('username', 'USERNAME_LENGTH_INVALID')],
      [{ username: 'Everyone' }, field('username', 'USERNAME_RESERVED_VALUE')],
      [{ username: 'GuildHall_team' }, field('username', 'USERNAME_CANNOT_CONTAIN_RESERVED_TERMS')],
      [{ username: 'fine', discriminator: '12345' }, field('discriminator', 'DISCRIMINATOR_INVALID_FORMAT')],
      [{ username: 'fine', discriminator: '' }, field('discriminator', 'DISCRIMINATOR_INVALID_FORMAT')],
      [{ username: 'fine', discriminator: '1a' }, field('discriminator', 'DISCRIMINATOR_INVALID_FORMAT')],
    ] as const
    for (const [body, fault] of fields) expectFields(await rename(body, unknownUser), fault)
    for (const body of [undefined, null, {}, { username: 7 }, { username: 'fine', discriminator: 7 }])
      expectRefusal(await rename(body, unknownUser), 400, 'INVALID_FORM_BODY')
    expectFields(await rename({ username: 'fine' }, 'x'), field('user_id', 'INVALID_SNOWFLAKE_FORMAT'))
    expectRefusal(await rename({ username: 'fine' }, unknownUser), 404, 'UNKNOWN_USER')
  })
  it('needs its ACL, and shows what the caller may view', async () => {
    const none = await administrator(guildhall, 'admin:authenticate', 'user:update:email')
    const body = { username: name() }
    expectRefusal(await plain.ask('PATCH', ada.id, 'username', body, none.token), 403, 'MISSING_ACL')
    const lesser = await administrator(guildhall, 'admin:authenticate', 'user:update:username')
    const { user } = bodyOf(await plain.ask('PATCH', ada.id, 'username', body, lesser.token))
    expect(user).toMatchObject({ ...body, email: null, email_verified: false, date_of_birth: null })
  })
  it('waits for another change of the tag, and gives up in time', async () => {
    const username = name()
    const context = testContext()
    const tag = { username, discriminator: 5 }
    const claim = {
      type: 'ClaimHandle',
      username,
      accountId: idOf(ada),
      roll: 0,
      wish: { ...tag, otherwise: 'roll' },
    } as const
    await guildhall.ports.aggregates.handle.execute(username, claim, context)
    const { root } = plain
    const admin = await guildhall.ports.queries.accounts.find(idOf(root))
    const caller = (): Caller => ({
      ...testRequester(),
      account: admin ?? expect.fail('There is no administrator'),
      credential: { kind: 'session', tokenHash: 'x' },
    })
    const wish = { username, discriminator: null }
    const impatient = changeUsername(guildhall.ports, { wait_ms_max: 100 })(caller(), idOf(ada), wish)
    await expect(impatient).rejects.toMatchObject({ refusal: { code: 'TAG_ALREADY_TAKEN', fields: [] } })
    const patient = changeUsername(guildhall.ports)(caller(), idOf(ada), wish)
    const release = { type: 'ReleaseHandle', accountId: idOf(ada), discriminator: 5 } as const
    await guildhall.ports.aggregates.handle.execute(username, release, testContext())
    expect(await patient).toMatchObject({ after: { username } })
  })
  it('gives one tag to an account whose tag several administrators change at the same moment', async () => {
    const wanted = Array.from({ length: 6 }, name)
    const answers = await Promise.all(wanted.map((username) => rename({ username })))
    expect(answers.map(({ status }) => status)).toStrictEqual(wanted.map(() => 200))
    const { username, discriminator } = await tagOf(guildhall, ada)
    const held = await Promise.all(wanted.map((each) => heldOf(guildhall, each)))
    expect(held.flat()).toStrictEqual([[discriminator, ada.id]])
    expect(wanted).toContain(username)
  })
})

describe('Change user username, where the account may choose a discriminator', () => {
  const choose = (id: string, body: unknown) => chosen.ask('PATCH', id, 'username', body)

  it('gives the same username another discriminator, and another username this one', async () => {
    const bob = await free.register()
    const { username } = await tagOf(free, bob)
    expect(bodyOf(await choose(bob.id, { username, discriminator: '42' }))['user']).toMatchObject({ discriminator: 42 })
    expect(await heldOf(free, username)).toStrictEqual([[42, bob.id]])
    const other = name()
    const { user } = bodyOf(await choose(bob.id, { username: other, discriminator: '0043' }))
    expect(user).toMatchObject({ username: other, discriminator: 43 })
    expect(await heldOf(free, username)).toStrictEqual([])
  })
  it('refuses a tag that another account has with TAG_ALREADY_TAKEN, in any case, and changes nothing', async () => {
    const [bob, eve] = [await free.register(), await free.register()]
    const { username, discriminator } = await tagOf(free, eve)
    const before = await tagOf(free, bob)
    const entries = await chosen.entryCount()
    const taken = await choose(bob.id, { username: username.toUpperCase(), discriminator: String(discriminator) })
    expectRefusal(taken, 400, 'TAG_ALREADY_TAKEN')
    expect(taken.body).not.toHaveProperty('errors')
    expect(await tagOf(free, bob)).toStrictEqual(before)
    expect(await chosen.entryCount()).toBe(entries)
  })
  it('gives 0 to the one that is to have it, who keeps it', async () => {
    const [bob, eve] = [await free.register(), await free.register()]
    const [first, second] = [name(), name()]
    const zero = await choose(bob.id, { username: first, discriminator: '0' })
    expect(bodyOf(zero)['user']).toMatchObject({ username: first, discriminator: 0 })
    expectRefusal(await choose(eve.id, { username: first, discriminator: '0000' }), 400, 'TAG_ALREADY_TAKEN')
    expect(bodyOf(await choose(bob.id, { username: second }))['user']).toMatchObject({ discriminator: 0 })
    expect(bodyOf(await choose(eve.id, { username: first }))['user']).not.toMatchObject({ discriminator: 0 })
  })
  it('gives one of those who are to have a tag at the same moment the tag', async () => {
    const accounts = await crowd(free, 8)
    const username = name()
    const answers = await Promise.all(accounts.map(({ id }) => choose(id, { username, discriminator: '1815' })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers) if (answer.status !== 200) expectRefusal(answer, 400, 'TAG_ALREADY_TAKEN')
    const winner = accounts.find((_, index) => answers[index]?.status === 200)
    expect(await heldOf(free, username)).toStrictEqual([[1815, winner?.id]])
  })
})

describe('Change user username, where usernames alone are unique', () => {
  const change = (id: string, body: unknown) => unique.ask('PATCH', id, 'username', body)

  it('gives everybody but bots the discriminator 0, and takes no other', async () => {
    const bob = await alone.register()
    const username = name()
    expect(bodyOf(await change(bob.id, { username }))['user']).toMatchObject({
      username,
      discriminator: 0,
      email: null,
    })
    expect(bodyOf(await change(bob.id, { username: name(), discriminator: '0000' }))['user']).toMatchObject({
      discriminator: 0,
    })
    const numbered = await change(bob.id, { username: name(), discriminator: '1' })
    expectFields(numbered, field('discriminator', 'DISCRIMINATOR_NOT_SUPPORTED_ON_INSTANCE'))
  })
  it('refuses a username that another account has, in any case of letters', async () => {
    const [bob, eve] = [await alone.register(), await alone.register()]
    const { username } = await tagOf(alone, eve)
    const taken = await change(bob.id, { username: username.toUpperCase() })
    expectFields(taken, field('username', 'USERNAME_ALREADY_TAKEN'))
    expect(bodyOf(await change(eve.id, { username: username.toUpperCase() }))['user']).toMatchObject({
      username: username.toUpperCase(),
      discriminator: 0,
    })
  })
  it('gives a bot a discriminator', async () => {
    const { id } = await newApplication(alone, await alone.register())
    const username = name()
    const { user } = bodyOf(await change(id, { username, discriminator: '1' }))
    expect(user).toMatchObject({ username, bot: true })
    expect((user as { readonly discriminator: number }).discriminator).toBeGreaterThan(0)
  })
})
