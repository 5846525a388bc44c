import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { administrator, auditEntries } from '../../../support/administrators.ts'
import type { SoftwareAuthenticator } from '../../../support/software-authenticator.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal, listOf } from '../../support/answers.ts'
import { newApplication } from '../../support/applications.ts'
import { connections } from '../../support/connected.ts'
import { authenticatorAt, credentials, enrol, sudoFields } from '../../support/passkeys.ts'
import { openServer } from '../../support/scene.ts'

const guildhall = await openServer()
const root = await administrator(guildhall, '*')
const { connect, end } = connections()
let ada: TestAccount

beforeEach(async () => {
  ada = await guildhall.register()
})
afterEach(end)

const remove = (id: string, credentialId: string, token = root.token) =>
  guildhall.request('DELETE', `/v1/admin/users/${id}/webauthn-credentials/${credentialId}`, { token })
const listed = async () => {
  const held = listOf(await guildhall.request('GET', credentials, { token: ada.token }))
  return held.map(({ id }) => id)
}
const me = async () => bodyOf(await guildhall.request('GET', '/v1/users/@me', { token: ada.token }))

/** Registers two passkeys and chooses them as a second factor. */
async function twoChosen(): Promise<readonly [SoftwareAuthenticator, SoftwareAuthenticator]> {
  const first = await enrol(guildhall, ada)
  const proof = () => sudoFields(guildhall, ada, first)
  const second = await enrol(guildhall, ada, authenticatorAt(guildhall), await proof())
  const body = { enabled: true, ...(await proof()) }
  const path = '/v1/users/@me/mfa/webauthn/second-factor'
  expect((await guildhall.request('PUT', path, { token: ada.token, body })).status).toBe(204)
  return [first, second]
}

describe('Delete user WebAuthn credential', () => {
  it('deletes that one, tells the account which are left, and leaves the choice of passkeys', async () => {
    const [first, second] = await twoChosen()
    const { client } = await connect(guildhall, ada)
    expect(await remove(ada.id, first.credentialId)).toMatchObject({ status: 204, body: undefined })
    expect(await listed()).toStrictEqual([second.credentialId])
    const { d } = await client.dispatch('WEBAUTHN_CREDENTIALS_UPDATE')
    expect(d).toMatchObject([{ id: second.credentialId }])
    expect(await me()).toMatchObject({ mfa_enabled: true, authenticator_types: [2] })
  })

  it('ends the choice with the last one, and tells so to the account and to the bots of its applications', async () => {
    const [first, second] = await twoChosen()
    const engine = await newApplication(guildhall, ada)
    const own = await connect(guildhall, ada)
    const bot = await connect(guildhall, { token: engine.botToken }, { intents: 0 })
    expect((await remove(ada.id, first.credentialId)).status).toBe(204)
    // What is told is which are left by then.
    expect((await own.client.dispatch('WEBAUTHN_CREDENTIALS_UPDATE')).d).toHaveLength(1)
    expect((await remove(ada.id, second.credentialId)).status).toBe(204)
    expect(await listed()).toStrictEqual([])
    expect(await me()).toMatchObject({ mfa_enabled: false })
    expect((await own.client.dispatch('WEBAUTHN_CREDENTIALS_UPDATE')).d).toStrictEqual([])
    expect((await own.client.dispatch('USER_UPDATE')).d).toMatchObject({ id: ada.id, mfa_enabled: false })
    expect((await bot.client.dispatch('USER_UPDATE')).d).toMatchObject({ id: engine.id, mfa_enabled: false })
  })

  it('leaves the account signed in, and the key proves nothing any more', async () => {
    const [first, second] = await twoChosen()
    const late = await sudoFields(guildhall, ada, first)
    expect((await remove(ada.id, first.credentialId)).status).toBe(204)
    const path = `${credentials}/${second.credentialId}`
    const renaming = { name: 'Mill', ...late }
    expect((await guildhall.request('PATCH', path, { token: ada.token, body: renaming })).status).toBe(400)
    expect(await listed()).toStrictEqual([second.credentialId])
  })

  it('is recorded once, with the credential', async () => {
    const { credentialId } = await enrol(guildhall, ada)
    expect((await remove(ada.id, credentialId)).status).toBe(204)
    const entries = (await auditEntries(guildhall)).filter(({ targetId }) => targetId === ada.id)
    const metadata = { credential_id: credentialId }
    expect(entries).toMatchObject([{ action: 'delete_webauthn_credential', targetType: 'user', metadata }])
    expect(entries[0]?.metadata).toStrictEqual(metadata)
  })

  it('refuses an account that does not exist, and a credential that it does not have', async () => {
    const grace = await guildhall.register()
    const { credentialId } = await enrol(guildhall, grace)
    expectRefusal(await remove('1', credentialId), 404, 'UNKNOWN_USER')
    expectRefusal(await remove(ada.id, credentialId), 404, 'UNKNOWN_USER')
    expectRefusal(await remove(ada.id, 'x'.repeat(512)), 404, 'UNKNOWN_USER')
    expect((await remove(grace.id, credentialId)).status).toBe(204)
    const entries = await auditEntries(guildhall)
    const own = entries.filter(({ adminId }) => adminId === root.id)
    expect(own.filter(({ targetId }) => [ada.id, '1'].includes(targetId))).toEqual([])
  })

  it('deletes once, however many ask at the same moment', async () => {
    const { credentialId } = await enrol(guildhall, ada)
    const answers = await Promise.all(Array.from({ length: 4 }, () => remove(ada.id, credentialId)))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toStrictEqual([
      204, 404, 404, 404,
    ])
    const entries = (await auditEntries(guildhall)).filter(({ targetId }) => targetId === ada.id)
    expect(entries).toHaveLength(1)
  })

  it('takes a credential id of 1-512 characters', async () => {
    expectFields(await remove(ada.id, 'x'.repeat(513)), field('credential_id', 'STRING_LENGTH_INVALID'))
    expectRefusal(await remove('ada', 'x'), 400, 'INVALID_FORM_BODY')
  })
})
