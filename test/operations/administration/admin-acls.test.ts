import { describe, expect, it } from 'vitest'
import { accountId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { adminAcls } from '../../../domain/admin/acls.ts'
import { adminKeyOf, administrator, auditEntries, giveAcls } from '../../support/administrators.ts'
import { bodyOf, expectFields, expectRefusal } from '../support/answers.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { stillImage } from '../support/pictures.ts'
import { openServer } from '../support/scene.ts'

const guildhall = await openServer({})
const root = await administrator(guildhall, '*')

const setAcls = (token: string, id: string, acls: unknown) =>
  guildhall.request('PUT', `/v1/admin/users/${id}/acls`, { token, body: { acls } })
const current = (token: string) => guildhall.request('GET', '/v1/admin/users/@me', { token })
const aclsOf = async (id: string): Promise<readonly string[]> =>
  (await guildhall.ports.queries.accounts.find(accountId(snowflake(id))))?.acls ?? []

describe('Set user ACLs', () => {
  it('replaces the stored set outright, in its order, repeats collapsed, and answers with the user', async () => {
    const bob = await guildhall.register()
    const acls = ['user:lookup', 'admin:authenticate', 'user:lookup']
    const { user } = bodyOf(await setAcls(root.token, bob.id, acls))
    expect(user).toMatchObject({ id: bob.id, acls: ['user:lookup', 'admin:authenticate'], email: bob.email })
    expect(await aclsOf(bob.id)).toEqual(['user:lookup', 'admin:authenticate'])
    bodyOf(await setAcls(root.token, bob.id, []))
    expect(await aclsOf(bob.id)).toEqual([])
  })
  it('is recorded with the values joined by commas', async () => {
    const bob = await guildhall.register()
    bodyOf(await setAcls(root.token, bob.id, ['user:lookup', '*', '*']))
    expect((await auditEntries(guildhall)).at(-1)).toMatchObject({
      action: 'set_acls',
      targetType: 'user',
      targetId: bob.id,
      metadata: { acls: 'user:lookup,*' },
    })
  })
  it('takes the whole registry, and refuses what is outside of it', async () => {
    const bob = await guildhall.register()
    bodyOf(await setAcls(root.token, bob.id, adminAcls))
    expect(await aclsOf(bob.id)).toHaveLength(106)
    expectFields(await setAcls(root.token, bob.id, ['user:view']), field('acls.0', 'INVALID_FORMAT'))
    for (const body of [undefined, null, 'user:lookup', {}, [1], [null], [...adminAcls, '*']])
      expectRefusal(await setAcls(root.token, bob.id, body), 400, 'INVALID_FORM_BODY')
    expect(await aclsOf(bob.id)).toHaveLength(106)
  })
  it('refuses the acting account itself, before anything is checked', async () => {
    expectRefusal(await setAcls(root.token, root.id, []), 403, 'ACCESS_DENIED')
    const key = await adminKeyOf(guildhall, root, 'acl:set:user')
    expectRefusal(await setAcls(key, root.id, ['*']), 403, 'ACCESS_DENIED')
    expect(await aclsOf(root.id)).toEqual(['*'])
  })
  it('refuses an ACL that the acting credential lacks, after an account that is not there', async () => {
    const lesser = await administrator(guildhall, 'admin:authenticate', 'acl:set:user', 'user:lookup')
    const bob = await guildhall.register()
    expectRefusal(await setAcls(lesser.token, '1', ['*']), 404, 'UNKNOWN_USER')
    expectRefusal(await setAcls(lesser.token, bob.id, ['user:lookup', 'user:delete']), 403, 'MISSING_ACL')
    expectRefusal(await setAcls(lesser.token, bob.id, ['*']), 403, 'MISSING_ACL')
    expect(await aclsOf(bob.id)).toEqual([])
    bodyOf(await setAcls(lesser.token, bob.id, ['user:lookup', 'admin:authenticate']))
  })
  it('limits a key by its own ACLs and by its owner’s', async () => {
    const bob = await guildhall.register()
    const narrow = await adminKeyOf(guildhall, root, 'acl:set:user', 'user:lookup')
    expectRefusal(await setAcls(narrow, bob.id, ['user:delete']), 403, 'MISSING_ACL')
    bodyOf(await setAcls(narrow, bob.id, ['user:lookup']))
    const owner = await administrator(guildhall, '*')
    const wide = await adminKeyOf(guildhall, owner, '*')
    await giveAcls(guildhall, owner, ['admin:authenticate', 'acl:set:user'])
    expectRefusal(await setAcls(wide, bob.id, ['user:delete']), 403, 'MISSING_ACL')
    expect(await aclsOf(bob.id)).toEqual(['user:lookup'])
  })
  it('narrows existing sessions and keys, and an empty set ends access for both', async () => {
    const bob = await administrator(guildhall, 'admin:authenticate', 'admin_api_key:manage', 'user:lookup')
    const key = await adminKeyOf(guildhall, bob, 'admin:authenticate', 'admin_api_key:manage')
    bodyOf(await current(bob.token))
    bodyOf(await setAcls(root.token, bob.id, ['admin:authenticate']))
    for (const token of [bob.token, key])
      expectRefusal(await guildhall.request('GET', '/v1/admin/api-keys', { token }), 403, 'MISSING_ACL')
    bodyOf(await current(key))
    bodyOf(await setAcls(root.token, bob.id, []))
    for (const token of [bob.token, key]) expectRefusal(await current(token), 403, 'MISSING_PERMISSIONS')
  })
  it('lets the account reach the Admin API exactly with admin:authenticate or `*`', async () => {
    const bob = await guildhall.register()
    bodyOf(
      await setAcls(
        root.token,
        bob.id,
        adminAcls.filter((acl) => acl !== '*' && acl !== 'admin:authenticate'),
      ),
    )
    expectRefusal(await current(bob.token), 403, 'MISSING_PERMISSIONS')
    for (const acl of ['admin:authenticate', '*']) {
      bodyOf(await setAcls(root.token, bob.id, [acl]))
      bodyOf(await current(bob.token))
    }
  })
  it('shows what a credential may not view redacted, with the shape unchanged', async () => {
    const lesser = await administrator(guildhall, 'admin:authenticate', 'acl:set:user')
    const bob = await guildhall.register()
    const { user: redacted } = bodyOf(await setAcls(lesser.token, bob.id, []))
    expect(redacted).toMatchObject({ email: null, email_verified: false, date_of_birth: null, last_active_ip: null })
    const { user: whole } = bodyOf(await setAcls(root.token, bob.id, []))
    expect(whole).toMatchObject({ email: bob.email, email_verified: true, date_of_birth: '1990-12-10' })
    expect(Object.keys(redacted as object)).toEqual(Object.keys(whole as object))
  })
})

describe('Get current Admin user', () => {
  it('names the images that the account has set', async () => {
    const bob = await administrator(guildhall, 'admin:authenticate')
    const body = { avatar: await stillImage('red') }
    const { avatar } = bodyOf(await guildhall.request('PATCH', '/v1/users/@me', { token: bob.token, body }))
    expect(avatar).toMatch(/^[0-9a-f]{32}$/)
    expect(bodyOf(await current(bob.token))['user']).toMatchObject({ avatar, banner: null })
  })

  it('returns the own account unredacted, with the stored ACLs even to a key that holds fewer', async () => {
    const bob = await administrator(guildhall, 'admin:authenticate', 'admin_api_key:manage')
    const key = await adminKeyOf(guildhall, bob, 'admin:authenticate')
    const before = await auditEntries(guildhall)
    for (const token of [bob.token, key]) {
      const { user } = bodyOf(await current(token))
      expect(user).toMatchObject({
        id: bob.id,
        email: bob.email,
        date_of_birth: '1990-12-10',
        last_active_ip: '127.0.0.1',
        acls: ['admin:authenticate', 'admin_api_key:manage'],
        flags: '0',
        authenticator_types: [],
      })
    }
    expect(await auditEntries(guildhall)).toHaveLength(before.length)
  })
})
