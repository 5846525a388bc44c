import { beforeAll, describe, expect, it } from 'vitest'
import { accountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { field } from '../../domain/kernel/refusal.ts'
import { bodyOf, expectFields, expectRefusal, listOf } from '../operations/support/answers.ts'
import { openServer } from '../operations/support/scene.ts'
import { administrator, adminKeyOf } from '../support/administrators.ts'
import { backupCode, protect, sudoHeader, sudoProofOf, type ProtectedAccount } from '../support/authenticator.ts'
import type { TestAnswer } from '../support/test-guildhall.ts'

/** A stolen session or Admin key is not enough to make Admin keys that outlive it. */

const guildhall = await openServer()
let root: ProtectedAccount
const wish = { name: 'Key', acls: ['admin:authenticate', 'admin_api_key:manage'] }

beforeAll(async () => {
  root = await protect(guildhall, await administrator(guildhall, '*'))
})

const by = (index: number) => ({ mfa_method: 'totp', mfa_code: backupCode(root, index) })

function keys(method: string, path: string, body: object, token = root.token, proof?: string): Promise<TestAnswer> {
  const headers = proof === undefined ? {} : { [sudoHeader]: proof }
  return guildhall.request(method, `/v1/admin/api-keys${path}`, { token, body, headers })
}

const held = async () => listOf(await guildhall.request('GET', '/v1/admin/api-keys', { token: root.token }))

describe('an administrator with a second factor', () => {
  it('creates no Admin key without a proof, and learns which kinds of proof it can give', async () => {
    const before = await held()
    const refused = await keys('POST', '', wish)
    expectRefusal(refused, 403, 'SUDO_MODE_REQUIRED')
    expect(refused.body).toMatchObject({ has_mfa: true, methods: { totp: true, webauthn: false } })
    expectFields(
      await keys('POST', '', { ...wish, mfa_method: 'totp', mfa_code: root.app.wrongCode() }),
      field('mfa_code', 'INVALID_MFA_CODE'),
    )
    expectRefusal(await keys('POST', '', { ...wish, password: root.password }), 403, 'SUDO_MODE_REQUIRED')
    expect(await held()).toStrictEqual(before)
  })

  it('creates one with a code, and its proof serves for the next one and for a change of ACLs', async () => {
    const made = await keys('POST', '', { ...wish, ...by(0) })
    const { key_id: id } = bodyOf(made)
    const proof = sudoProofOf(made)
    if (proof === null) throw new Error('No proof came back')
    expect((await keys('POST', '', wish, root.token, proof)).status).toBe(200)
    const change = { acls: ['admin:authenticate', 'user:lookup'] }
    expectRefusal(await keys('PATCH', `/${String(id)}`, change), 403, 'SUDO_MODE_REQUIRED')
    expect(bodyOf(await keys('PATCH', `/${String(id)}`, change, root.token, proof))['acls']).toStrictEqual(change.acls)
  })

  it('leaves no trace of an act in its proof, so the audit log has no entry for acts that did not happen', async () => {
    await keys('POST', '', { ...wish, ...by(4) })
    const spent = []
    for await (const page of guildhall.store.events.readStream(`account-${accountId(snowflake(root.id))}`, -1))
      spent.push(...page.filter(({ type }) => type === 'BackupCodeConsumed'))
    expect(spent.length).toBeGreaterThan(0)
    for (const { metadata } of spent) expect(metadata).not.toHaveProperty('adminAction')
  })

  it('renames and deletes a key without a proof: that grants nothing', async () => {
    const { key_id: id } = bodyOf(await keys('POST', '', { ...wish, ...by(1) }))
    expect(bodyOf(await keys('PATCH', `/${String(id)}`, { name: 'Other' }))['name']).toBe('Other')
    const bare = await guildhall.request('PATCH', `/v1/admin/api-keys/${String(id)}`, { token: root.token })
    expect(bare.status).toBe(200)
    expect((await guildhall.request('DELETE', `/v1/admin/api-keys/${String(id)}`, { token: root.token })).status).toBe(
      200,
    )
  })

  it("is asked for a proof before the key's ACLs are checked", async () => {
    expectRefusal(await keys('POST', '', { ...wish, acls: ['none'] }), 400, 'INVALID_FORM_BODY')
    const lesser = await protect(
      guildhall,
      await administrator(guildhall, ...(['admin:authenticate', 'admin_api_key:manage'] as const)),
    )
    expectRefusal(await keys('POST', '', { ...wish, acls: ['*'] }, lesser.token), 403, 'SUDO_MODE_REQUIRED')
    const proved = { ...wish, acls: ['*'], mfa_method: 'totp', mfa_code: backupCode(lesser, 0) }
    expectRefusal(await keys('POST', '', proved, lesser.token), 403, 'MISSING_ACL')
  })

  it('has keys that cannot create other keys or extend themselves', async () => {
    const { key, key_id: id } = bodyOf(await keys('POST', '', { ...wish, ...by(2) }))
    const credential = `Admin ${String(key)}`
    expectRefusal(await keys('POST', '', wish, credential), 403, 'SUDO_MODE_REQUIRED')
    expectRefusal(await keys('PATCH', `/${String(id)}`, { acls: wish.acls }, credential), 403, 'SUDO_MODE_REQUIRED')
    expect((await keys('POST', '', { ...wish, ...by(3) }, credential)).status).toBe(200)
  })

  it('sets the ACLs of users without a proof, as the contract says', async () => {
    const { id } = await guildhall.register()
    const body = { acls: ['admin:authenticate'] }
    const set = await guildhall.request('PUT', `/v1/admin/users/${id}/acls`, { token: root.token, body })
    expect(set.status).toBe(200)
  })
})

describe('an administrator without a second factor', () => {
  it('creates and changes Admin keys without a proof', async () => {
    const plain = await administrator(guildhall, '*')
    const { key_id: id } = bodyOf(await keys('POST', '', wish, plain.token))
    expect((await keys('PATCH', `/${String(id)}`, { acls: [] }, plain.token)).status).toBe(200)
    const made = await guildhall.request('POST', '/v1/admin/api-keys', {
      token: await adminKeyOf(guildhall, plain, '*'),
      body: wish,
    })
    expect(made.status).toBe(200)
    expect(sudoProofOf(made)).toBeNull()
  })
})
