import { beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { adminKeyOf, administrator } from '../../../support/administrators.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../../support/answers.ts'
import { deletionIsDue, erase } from '../../support/erasure.ts'
import { botWithAddress, userReadsOf } from './support.ts'
import { freshName, nobody, only, openUserLists } from './user-lists.ts'

/** List users, except for searching (search-users.test.ts). */

const { guildhall, root, narrow, ask, list, tagOf, lastEntryOf } = await openUserLists()

let ada: TestAccount
let brian: TestAccount
beforeEach(async () => {
  ada = await guildhall.register()
  brian = await guildhall.register()
})

describe('List users by user_id', () => {
  const ids = (...given: readonly string[]) => given.map((id) => ['user_id', id] as const)

  it('gives the accounts with these ids, each once and none for an unknown id, whatever limit and offset are', async () => {
    expect(await list(ids(ada.id))).toEqual(only(ada))
    const { ids: listed, total } = await list([...ids(ada.id, '1', brian.id, ada.id), ['limit', '1'], ['offset', '7']])
    expect(listed.toSorted()).toEqual([ada.id, brian.id].toSorted())
    expect(total).toBe(2)
    expect(await list(ids('1'))).toEqual(nobody)
  })
  it('gives the same object as Get user', async () => {
    const { users } = bodyOf(await userReadsOf(guildhall, root).user(ada.id))
    expect(bodyOf(await ask(ids(ada.id)))).toEqual({ users, total: 1 })
  })
  it('takes 100 ids and refuses 101', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1))
    expect(await list(ids(...many(99), ada.id))).toEqual(only(ada))
    expectFields(await ask(ids(...many(101))), field('user_id', 'INVALID_FORMAT'))
  })
  it('finds accounts that are erased, as Get user does', async () => {
    await deletionIsDue(guildhall, ada)
    expect(await erase(guildhall, ada)).toBe(true)
    const { users } = bodyOf(await ask(ids(ada.id)))
    expect(users).toMatchObject([{ id: ada.id, username: 'DeletedUser', email: null, last_active_ip: null }])
  })
  it('records how many ids were given, and the id if it is one', async () => {
    const admin = await administrator(guildhall, '*')
    await ask(ids(ada.id), admin)
    const one = { selector: 'user_id', result_count: '1', total: '1', user_id_count: '1', user_id: ada.id }
    expect(await lastEntryOf(admin)).toMatchObject({ action: 'search_users', targetType: 'user', targetId: '0' })
    expect((await lastEntryOf(admin))?.metadata).toEqual(one)
    await ask(ids(ada.id, '1', brian.id), admin)
    const three = { selector: 'user_id', result_count: '2', total: '2', user_id_count: '3' }
    expect((await lastEntryOf(admin))?.metadata).toEqual(three)
  })
})

describe('List users by resolve', () => {
  it('takes a tag in any case, an id, or an address', async () => {
    const tag = await tagOf(ada)
    expect(await list({ resolve: tag })).toEqual(only(ada))
    expect(await list({ resolve: ` ${tag.toUpperCase()} ` })).toEqual(only(ada))
    expect(await list({ resolve: ada.id })).toEqual(only(ada))
    expect(await list({ resolve: ada.email.toUpperCase() })).toEqual(only(ada))
  })
  it('finds nobody by anything else, or by another discriminator', async () => {
    const [name = ''] = (await tagOf(ada)).split('#')
    for (const resolve of [name, 'sub_1Nabc', '#1', 'a#', 'a#b', 'a#12345', '1', '9'.repeat(40), 'x@example.com', '@'])
      expect(await list({ resolve })).toEqual(nobody)
    expect(await list({ resolve: `${name}#0` })).toEqual(nobody)
  })
  it('needs user:view:email for a value with @ alone', async () => {
    for (const resolve of [ada.email, '@', 'a@b#1234'])
      expectRefusal(await ask({ resolve }, narrow), 403, 'MISSING_ACL')
    expect(await list({ resolve: await tagOf(ada) }, narrow)).toEqual(only(ada))
    expect(await list({ resolve: ada.id }, narrow)).toEqual(only(ada))
  })
  it('records nothing of the value', async () => {
    const admin = await administrator(guildhall, '*')
    await ask({ resolve: ada.email }, admin)
    expect((await lastEntryOf(admin))?.metadata).toEqual({ selector: 'resolve', result_count: '1', total: '1' })
  })
})

describe('List users by email', () => {
  it('takes one whole address, trimmed and in any case', async () => {
    expect(await list({ email: ` ${ada.email.toUpperCase()} `, limit: '1', offset: '5' })).toEqual(only(ada))
    for (const email of [ada.email.slice(0, -1), `${ada.email}m`, '%', 'ada', ada.email.replace('.', '_')])
      expect(await list({ email })).toEqual(nobody)
  })
  it('gives the account that the address signs in to, where several have it', async () => {
    const email = `${freshName()}@example.com`
    const first = await botWithAddress(guildhall, email)
    const second = await botWithAddress(guildhall, email)
    expect(await list({ email })).toEqual(only({ id: first }))
    const third = await botWithAddress(guildhall, ada.email)
    expect(third > ada.id).toBe(true)
    expect(await list({ email: ada.email })).toEqual(only(ada))
    expect(second).not.toBe(first)
  })
  it('needs user:view:email', async () => {
    expectRefusal(await ask({ email: ada.email }, narrow), 403, 'MISSING_ACL')
    const wider = await administrator(guildhall, 'admin:authenticate', 'user:lookup', 'user:view:email')
    expect(await list({ email: ada.email }, wider)).toEqual(only(ada))
  })
  it('records nothing of the address', async () => {
    const admin = await administrator(guildhall, '*')
    await ask({ email: ada.email }, admin)
    expect((await lastEntryOf(admin))?.metadata).toEqual({ selector: 'email', result_count: '1', total: '1' })
  })
})

describe('List users by last_active_ip', () => {
  let addresses = 0
  /** An address from which nobody has signed in before. */
  const freshAddress = () => `203.0.113.${(addresses += 1)}`
  async function signIn({ email, password }: TestAccount, address: string): Promise<void> {
    const headers = { 'x-forwarded-for': address }
    bodyOf(await guildhall.request('POST', '/v1/auth/login', { body: { email, password }, headers }))
  }

  it('gives the accounts whose newest session began there, newest account first, a page at a time', async () => {
    const [ip, other] = [freshAddress(), freshAddress()]
    await signIn(brian, ip)
    await signIn(ada, ip)
    expect(await list({ last_active_ip: ` ${ip} ` })).toEqual(only(brian, ada))
    expect(await list({ last_active_ip: ip, limit: '1' })).toEqual({ ids: [brian.id], total: 2 })
    expect(await list({ last_active_ip: ip, limit: '1', offset: '1' })).toEqual({ ids: [ada.id], total: 2 })
    expect(await list({ last_active_ip: ip, offset: '2' })).toEqual({ ids: [], total: 2 })
    await signIn(brian, other)
    expect(await list({ last_active_ip: ip })).toEqual(only(ada))
  })
  it('finds exactly the address that the account shows', async () => {
    const ip = freshAddress()
    await signIn(ada, ip)
    const { users } = bodyOf(await ask({ last_active_ip: ip }))
    expect(users).toMatchObject([{ id: ada.id, last_active_ip: ip }])
    for (const part of [ip.slice(0, -1), '203.0.113.0/24', '203.0.113.%', '%'])
      expect(await list({ last_active_ip: part })).toEqual(nobody)
  })
  it('outlives the sessions, and not the erasure', async () => {
    const ip = freshAddress()
    await signIn(ada, ip)
    bodyOf(await guildhall.request('DELETE', `/v1/admin/users/${ada.id}/sessions`, { token: root.token }))
    expect(await list({ last_active_ip: ip })).toEqual(only(ada))
    await deletionIsDue(guildhall, ada)
    expect(await erase(guildhall, ada)).toBe(true)
    expect(await list({ last_active_ip: ip })).toEqual(nobody)
  })
  it('needs user:view:ip', async () => {
    const byEmail = await administrator(guildhall, 'admin:authenticate', 'user:lookup', 'user:view:email')
    expectRefusal(await ask({ last_active_ip: '203.0.113.1' }, byEmail), 403, 'MISSING_ACL')
    const byIp = await administrator(guildhall, 'admin:authenticate', 'user:lookup', 'user:view:ip')
    expect((await ask({ last_active_ip: '203.0.113.1' }, byIp)).status).toBe(200)
  })
  it('records the page, and nothing of the address', async () => {
    const admin = await administrator(guildhall, '*')
    await ask({ last_active_ip: '192.0.2.1', limit: '7', offset: '3' }, admin)
    const recorded = { selector: 'last_active_ip', result_count: '0', total: '0', limit: '7', offset: '3' }
    expect((await lastEntryOf(admin))?.metadata).toEqual(recorded)
  })
})

describe('The selector of List users that counts', () => {
  it('is user_id, then resolve, email, last_active_ip and q, whatever comes beside it', async () => {
    const all = { user_id: ada.id, resolve: brian.id, email: ada.email, last_active_ip: '192.0.2.1', q: 'none' }
    const { user_id: _, ...withoutId } = all
    const { resolve: __, ...withoutResolve } = withoutId
    const { email: ___, ...withoutEmail } = withoutResolve
    expect(await list(all)).toEqual(only(ada))
    expect(await list(withoutId)).toEqual(only(brian))
    expect(await list(withoutResolve)).toEqual(only(ada))
    expect(await list(withoutEmail)).toEqual(nobody)
  })
  it('is the only one whose ACL is asked for', async () => {
    const others = { email: ada.email, last_active_ip: '192.0.2.1' }
    expect(await list({ user_id: ada.id, ...others, resolve: ada.email }, narrow)).toEqual(only(ada))
    expect(await list({ resolve: ada.id, ...others }, narrow)).toEqual(only(ada))
    const byIp = await administrator(guildhall, 'admin:authenticate', 'user:lookup', 'user:view:ip')
    expect(await list({ last_active_ip: '192.0.2.1', q: ada.email }, byIp)).toEqual(nobody)
    expectRefusal(await ask(others, byIp), 403, 'MISSING_ACL')
  })
})

describe('List users', () => {
  it('redacts by account and key, with the same members for everyone', async () => {
    const { users: whole } = bodyOf(await ask({ user_id: ada.id }))
    const key = await adminKeyOf(guildhall, root, 'admin:authenticate', 'user:lookup')
    for (const viewer of [narrow, { token: key }]) {
      const { users } = bodyOf(await ask({ user_id: ada.id }, viewer))
      const hidden = { email: null, email_verified: false, date_of_birth: null, last_active_ip: null }
      expect(users).toEqual([{ ...(whole as readonly object[])[0], ...hidden }])
      expect(await list({ q: ada.email }, viewer)).toEqual(nobody)
    }
  })
  it('needs user:lookup, before anything of the query is looked at', async () => {
    const other = await administrator(guildhall, 'admin:authenticate', 'user:view:email')
    expectRefusal(await ask({ email: ada.email, limit: '0' }, other), 403, 'MISSING_ACL')
  })
  it.each([
    [{ limit: '0' }, 'limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE'],
    [{ limit: '201' }, 'limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE'],
    [{ offset: '-1' }, 'offset', 'VALUE_MUST_BE_INTEGER_IN_RANGE'],
    [{ offset: '100001' }, 'offset', 'VALUE_MUST_BE_INTEGER_IN_RANGE'],
    [{ user_id: '1', limit: 'x' }, 'limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE'],
    [{ user_id: 'x' }, 'user_id.0', 'INVALID_SNOWFLAKE_FORMAT'],
    [{ user_id: '9223372036854775808' }, 'user_id.0', 'SNOWFLAKE_OUT_OF_RANGE'],
    [{ resolve: '' }, 'resolve', 'STRING_LENGTH_INVALID'],
    [{ resolve: 'x'.repeat(1025) }, 'resolve', 'STRING_LENGTH_INVALID'],
    [{ email: ' ' }, 'email', 'STRING_LENGTH_INVALID'],
    [{ email: 'x'.repeat(321) }, 'email', 'STRING_LENGTH_INVALID'],
    [{ last_active_ip: 'x'.repeat(65) }, 'last_active_ip', 'STRING_LENGTH_INVALID'],
    [{ q: '' }, 'q', 'STRING_LENGTH_INVALID'],
    [{ q: 'x'.repeat(1025) }, 'q', 'STRING_LENGTH_INVALID'],
    [{ q: 'a\0b' }, 'q', 'INVALID_FORMAT'],
    [{ email: 'a\0b' }, 'email', 'INVALID_FORMAT'],
  ] as const)('refuses %j, and records nothing', async (query, path, code) => {
    const admin = await administrator(guildhall, '*')
    const { body } = await ask(query, admin)
    expect(body).toMatchObject({
      code: 'INVALID_FORM_BODY',
      errors: expect.arrayContaining([expect.objectContaining({ path, code, message: expect.any(String) })]),
    })
    expect(await lastEntryOf(admin)).toBeUndefined()
  })
  it('refuses a selector that is given twice, but user_id', async () => {
    for (const name of ['resolve', 'email', 'last_active_ip', 'q'])
      expectFields(
        await ask([
          [name, 'a'],
          [name, 'b'],
        ]),
        field(name, 'INVALID_FORMAT'),
      )
  })
})
