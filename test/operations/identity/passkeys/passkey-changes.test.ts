import { describe, expect, it } from 'vitest'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectRefusal, listOf } from '../../support/answers.ts'
import { creationOptions, credentials, enrol, sudoFields } from '../../support/passkeys.ts'
import { openServer } from '../../support/scene.ts'

const guildhall = await openServer()

const newcomer = (): Promise<TestAccount> => guildhall.register()
const list = async ({ token }: TestAccount) => listOf(await guildhall.request('GET', credentials, { token }))
const me = async ({ token }: TestAccount) => bodyOf(await guildhall.request('GET', '/v1/users/@me', { token }))

describe('Rename WebAuthn credential', () => {
  it('renames it, and returns a proof that is valid again', async () => {
    const ada = await newcomer()
    const { token } = ada
    const held = await enrol(guildhall, ada)
    const path = `${credentials}/${held.credentialId}`
    const body = { name: ' Loom ', ...(await sudoFields(guildhall, ada, held)) }
    const renamed = await guildhall.request('PATCH', path, { token, body })
    expect(renamed.status).toBe(204)
    expect(await list(ada)).toMatchObject([{ name: 'Loom' }])
    const proof = renamed.headers.get('x-service-sudo-mode-jwt') ?? ''
    const headers = { 'x-service-sudo-mode-jwt': proof }
    expect((await guildhall.request('PATCH', path, { token, headers, body: { name: 'Mill' } })).status).toBe(204)
    expect(await list(ada)).toMatchObject([{ name: 'Mill' }])
  })

  it('refuses the credential of another account, and an unknown one', async () => {
    const [ada, grace] = [await newcomer(), await newcomer()]
    const held = await enrol(guildhall, ada)
    const { token, password } = grace
    for (const id of [held.credentialId, 'x'.repeat(2048)]) {
      const path = `${credentials}/${id}`
      const renamed = await guildhall.request('PATCH', path, { token, body: { name: 'Mine', password } })
      expectRefusal(renamed, 404, 'UNKNOWN_WEBAUTHN_CREDENTIAL')
      const removed = await guildhall.request('DELETE', path, { token, body: { password } })
      expectRefusal(removed, 404, 'UNKNOWN_WEBAUTHN_CREDENTIAL')
    }
    expect(await list(ada)).toMatchObject([{ name: 'Engine' }])
  })

  it('needs sudo mode, before it says whether there is one', async () => {
    const { token } = await newcomer()
    const renamed = await guildhall.request('PATCH', `${credentials}/x`, { token, body: { name: 'Mine' } })
    expectRefusal(renamed, 403, 'SUDO_MODE_REQUIRED')
    expectRefusal(await guildhall.request('DELETE', `${credentials}/x`, { token }), 403, 'SUDO_MODE_REQUIRED')
  })
})

describe('Delete WebAuthn credential', () => {
  it('removes it, and the password again proves sudo mode', async () => {
    const ada = await newcomer()
    const held = await enrol(guildhall, ada)
    const body = await sudoFields(guildhall, ada, held)
    const path = `${credentials}/${held.credentialId}`
    expect((await guildhall.request('DELETE', path, { token: ada.token, body })).status).toBe(204)
    expect(await list(ada)).toStrictEqual([])
    expect(await creationOptions(guildhall, ada)).toMatchObject({ excludeCredentials: [] })
  })
})

describe('passkeys as a second factor', () => {
  const choose = (account: TestAccount, enabled: boolean, proof: object) => {
    const path = '/v1/users/@me/mfa/webauthn/second-factor'
    return guildhall.request('PUT', path, { token: account.token, body: { enabled, ...proof } })
  }

  it('are in the authenticator types while the account has chosen them and has one', async () => {
    const ada = await newcomer()
    const held = await enrol(guildhall, ada)
    const proof = () => sudoFields(guildhall, ada, held)
    expect(await me(ada)).toMatchObject({ mfa_enabled: false })
    expect((await choose(ada, true, await proof())).status).toBe(204)
    expect(await me(ada)).toMatchObject({ mfa_enabled: true, authenticator_types: [2] })
    expect((await choose(ada, false, await proof())).status).toBe(204)
    expect(await me(ada)).toMatchObject({ mfa_enabled: false })
    expect((await choose(ada, true, await proof())).status).toBe(204)
    const path = `${credentials}/${held.credentialId}`
    const removed = await guildhall.request('DELETE', path, { token: ada.token, body: await proof() })
    expect(removed.status).toBe(204)
    await enrol(guildhall, ada)
    expect(await me(ada)).toMatchObject({ mfa_enabled: false })
  })

  it('must exist to be chosen', async () => {
    const ada = await newcomer()
    const { password } = ada
    expectRefusal(await choose(ada, true, { password }), 400, 'NO_PASSKEYS_REGISTERED')
    expectRefusal(await choose(ada, true, {}), 403, 'SUDO_MODE_REQUIRED')
    expect((await choose(ada, false, { password })).status).toBe(204)
  })
})
