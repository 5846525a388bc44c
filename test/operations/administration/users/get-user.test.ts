import { describe, expect, it } from 'vitest'
import type { AdminAcl } from '../../../../domain/admin/acls.ts'
import { adminKeyOf, administrator } from '../../../support/administrators.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../../support/answers.ts'
import { deletionIsDue, erase } from '../../support/erasure.ts'
import { openServer } from '../../support/scene.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { entriesAbout, userReadsOf } from './support.ts'

const guildhall = await openServer()
const root = await administrator(guildhall, '*')
const { user: read } = userReadsOf(guildhall, root)

type Member = Readonly<Record<string, unknown>>

/** The one account of an answer, as somebody sees it. */
async function seenBy(viewer: Pick<TestAccount, 'token'>, id: string): Promise<Member> {
  const { users } = bodyOf(await userReadsOf(guildhall, viewer).user(id))
  expect(users).toHaveLength(1)
  return (users as readonly Member[])[0] ?? {}
}

describe('Get user', () => {
  it('answers with the account, or with an empty list for an unknown id, and never 404', async () => {
    const ada = await guildhall.register()
    expect(await seenBy(root, ada.id)).toMatchObject({ id: ada.id, email: ada.email, date_of_birth: '1990-12-10' })
    expect(bodyOf(await read('1'))).toEqual({ users: [] })
  })
  it('records whether the account was found, under the id that was asked for', async () => {
    const ada = await guildhall.register()
    await read(ada.id)
    await read('2')
    expect(await entriesAbout(guildhall, ada)).toMatchObject([
      { action: 'get_user', targetType: 'user', metadata: { found: 'true' }, adminId: root.id },
    ])
    expect((await entriesAbout(guildhall, { id: '2' })).at(-1)).toMatchObject({
      action: 'get_user',
      metadata: { found: 'false' },
    })
  })
  it('still finds an account whose deletion is due, and one that is erased', async () => {
    const ada = await guildhall.register()
    await deletionIsDue(guildhall, ada)
    expect(await seenBy(root, ada.id)).toMatchObject({
      id: ada.id,
      email: ada.email,
      pending_deletion_at: expect.any(String),
    })
    expect(await erase(guildhall, ada)).toBe(true)
    expect(await seenBy(root, ada.id)).toMatchObject({
      id: ada.id,
      username: 'DeletedUser',
      email: null,
      date_of_birth: null,
      last_active_ip: null,
    })
  })
  it('refuses a path that is no id, before anything is read or recorded', async () => {
    for (const id of ['none', '-1', '1.5']) expectFields(await read(id), field('user_id', 'INVALID_SNOWFLAKE_FORMAT'))
    expectFields(await read('9223372036854775808'), field('user_id', 'SNOWFLAKE_OUT_OF_RANGE'))
  })

  const shown = { email: 'user:view:email', date_of_birth: 'user:view:dob', last_active_ip: 'user:view:ip' } as const
  it.each(Object.entries(shown))('shows %s to who holds %s, and the same members to everyone', async (name, acl) => {
    const ada = await guildhall.register()
    bodyOf(await guildhall.request('POST', '/v1/auth/login', { body: { email: ada.email, password: ada.password } }))
    const all = await seenBy(root, ada.id)
    expect(all[name]).not.toBeNull()
    const narrow = await administrator(guildhall, 'admin:authenticate', 'user:lookup')
    const redacted = await seenBy(narrow, ada.id)
    expect(Object.keys(redacted)).toEqual(Object.keys(all))
    expect(redacted).toMatchObject({
      email: null,
      email_verified: false,
      email_bounced: false,
      date_of_birth: null,
      last_active_ip: null,
      last_active_at: expect.any(String),
    })
    const wider = await administrator(guildhall, 'admin:authenticate', 'user:lookup', acl)
    const others = Object.keys(shown).filter((each) => each !== name)
    expect(await seenBy(wider, ada.id)).toMatchObject({
      [name]: all[name],
      ...Object.fromEntries(others.map((each) => [each, null])),
    })
  })
  it('redacts by the account and the key together', async () => {
    const ada = await guildhall.register()
    const acls: readonly AdminAcl[] = ['admin:authenticate', 'user:lookup', 'admin_api_key:manage']
    const narrowKey = await adminKeyOf(guildhall, root, 'admin:authenticate', 'user:lookup')
    expect(await seenBy({ token: narrowKey }, ada.id)).toMatchObject({ email: null })
    const owner = await administrator(guildhall, ...acls, 'user:view:email')
    const wideKey = await adminKeyOf(guildhall, owner, ...acls, 'user:view:email')
    expect(await seenBy({ token: wideKey }, ada.id)).toMatchObject({ email: ada.email, date_of_birth: null })
  })
  it('needs user:lookup', async () => {
    const other = await administrator(guildhall, 'admin:authenticate', 'user:list:guilds')
    expectRefusal(await userReadsOf(guildhall, other).user(root.id), 403, 'MISSING_ACL')
  })
})
