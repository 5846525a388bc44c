import { beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../domain/kernel/refusal.ts'
import { backupCode, protect, sudoHeader, sudoProofOf, type ProtectedAccount } from '../../support/authenticator.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal, found } from '../support/answers.ts'
import { openServer } from '../support/scene.ts'

/** The order of rules/credentials#sudo-mode, on Delete guild. */

let ada: TestAccount
let guild: string

const guildhall = await openServer()
beforeEach(async () => {
  ada = await guildhall.register()
  guild = (await found(guildhall, ada)).id
})

type Headers = Readonly<Record<string, string>>

const remove = (account: { readonly token: string }, body: unknown = {}, headers: Headers = {}, id = guild) =>
  guildhall.request('POST', `/v1/guilds/${id}/delete`, { token: account.token, body, headers })
const proved = (proof: string): Headers => ({ [sudoHeader]: proof })
const isThere = async () => (await guildhall.request('GET', `/v1/guilds/${guild}`, { token: ada.token })).status === 200
const invalidCode = field('mfa_code', 'INVALID_MFA_CODE')

/** A proof that an account has earned with a backup code. */
async function earnProof(account: ProtectedAccount, index = 9): Promise<string> {
  const body = { regenerate: false, mfa_method: 'totp', mfa_code: backupCode(account, index) }
  const answer = await guildhall.request('POST', '/v1/users/@me/mfa/backup-codes', { token: account.token, body })
  const proof = sudoProofOf(answer)
  if (proof === null) throw new Error(`No proof came with ${answer.status}`)
  return proof
}

describe('an account with no means of proof', () => {
  it('succeeds at once, and gets no proof', async () => {
    const { token } = bodyOf(await guildhall.request('POST', '/v1/auth/register', { body: {} }))
    const own = await guildhall.request('DELETE', '/v1/users/@me/guilds/1?delete_messages=true', {
      token: String(token),
    })
    expectRefusal(own, 404, 'UNKNOWN_GUILD')
    const answer = await remove({ token: String(token) }, {}, {}, '1')
    expectRefusal(answer, 404, 'UNKNOWN_GUILD')
    expect(sudoProofOf(answer)).toBeNull()
  })
})

describe('an account with only a password', () => {
  it('must send it each time, and hears that it has no second factor', async () => {
    const none = { totp: false, webauthn: false, backup_codes: false }
    for (const body of [
      {},
      { password: null },
      { mfa_method: 'totp', mfa_code: '123456' },
      { mfa_method: 'webauthn' },
    ]) {
      const answer = await remove(ada, body)
      expectRefusal(answer, 403, 'SUDO_MODE_REQUIRED')
      expect(answer.body).toMatchObject({ has_mfa: false, methods: none })
    }
    expect(await isThere()).toBe(true)
  })

  it('gets the error for a wrong one on password', async () => {
    expectFields(await remove(ada, { password: 'another password' }), field('password', 'INVALID_PASSWORD'))
    expectFields(await remove(ada, { password: 'short' }), field('password', 'PASSWORD_LENGTH_INVALID'))
    expect(await isThere()).toBe(true)
  })

  it('succeeds with the right one, and gets no proof', async () => {
    const answer = await remove(ada, { password: ada.password })
    expect(answer).toMatchObject({ status: 204, body: undefined })
    expect(sudoProofOf(answer)).toBeNull()
  })

  it('does not get an invalid proof back: it counts as missing', async () => {
    expectRefusal(await remove(ada, {}, proved('a.b.c')), 403, 'SUDO_MODE_REQUIRED')
    const answer = await remove(ada, { password: ada.password }, proved('a.b.c'))
    expect(answer.status).toBe(204)
    expect(sudoProofOf(answer)).toBeNull()
  })
})

describe('an account with TOTP', () => {
  let safe: ProtectedAccount

  beforeEach(async () => {
    safe = await protect(guildhall, ada)
  })

  it('cannot use its password any more, and hears what it can use', async () => {
    const methods = { totp: true, webauthn: false, backup_codes: true }
    for (const body of [
      {},
      { password: ada.password },
      { mfa_code: safe.app.wrongCode() },
      { password: 'wrong one' },
    ]) {
      const answer = await remove(safe, body)
      expectRefusal(answer, 403, 'SUDO_MODE_REQUIRED')
      expect(answer.body).toMatchObject({ has_mfa: true, methods })
    }
    expect(await isThere()).toBe(true)
  })

  it('gets the error for anything wrong on mfa_code', async () => {
    const wrong = [
      { mfa_method: 'totp' },
      { mfa_method: 'totp', mfa_code: safe.app.wrongCode() },
      { mfa_method: 'totp', mfa_code: 'abcd-1234' },
      { mfa_method: 'webauthn' },
      { mfa_method: 'webauthn', mfa_code: backupCode(safe, 0) },
      { mfa_method: 'webauthn', webauthn_response: {}, webauthn_challenge: 'x' },
      { mfa_method: 'totp', mfa_code: safe.app.wrongCode(), password: ada.password },
    ]
    for (const body of wrong) {
      const answer = await remove(safe, body)
      expectFields(answer, invalidCode)
      expect(sudoProofOf(answer)).toBeNull()
    }
    expect(await isThere()).toBe(true)
  })

  it('succeeds with a code, and gets a proof for its other sudo operations', async () => {
    const first = await remove(safe, { mfa_method: 'totp', mfa_code: safe.app.code() })
    expect(first.status).toBe(204)
    const proof = sudoProofOf(first)
    expect(proof).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    const other = (await found(guildhall, safe)).id
    const second = await remove(safe, {}, proved(String(proof)), other)
    expect(second.status).toBe(204)
    expect(sudoProofOf(second)).toBe(proof)
  })

  it('succeeds with a backup code, in any case and without its hyphen', async () => {
    const code = backupCode(safe, 3).toUpperCase().replace('-', '')
    const answer = await remove(safe, { mfa_method: 'totp', mfa_code: code })
    expect(answer.status).toBe(204)
    expect(sudoProofOf(answer)).not.toBeNull()
  })

  it('has a right proof checked before anything else in the request', async () => {
    const proof = await earnProof(safe)
    const answer = await remove(safe, { mfa_method: 'totp', mfa_code: safe.app.wrongCode() }, proved(proof))
    expect(answer.status).toBe(204)
    expect(sudoProofOf(answer)).toBe(proof)
  })

  it('gets a new proof if the one that it sent was invalid, and never that one back', async () => {
    const answer = await remove(safe, { mfa_method: 'totp', mfa_code: backupCode(safe, 0) }, proved('a.b.c'))
    expect(answer.status).toBe(204)
    expect(sudoProofOf(answer)).not.toBe('a.b.c')
    expect(sudoProofOf(answer)).not.toBeNull()
  })

  it('gets no proof with a refusal, though its code is used up', async () => {
    const body = { mfa_method: 'totp', mfa_code: backupCode(safe, 0) }
    const answer = await remove(safe, body, {}, '1')
    expectRefusal(answer, 404, 'UNKNOWN_GUILD')
    expect(sudoProofOf(answer)).toBeNull()
    expectFields(await remove(safe, body), invalidCode)
  })

  it('may answer SUDO_MODE_REQUIRED under the same Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'the deletion' }
    expectRefusal(await remove(safe, {}, key), 403, 'SUDO_MODE_REQUIRED')
    const proof = await earnProof(safe)
    const done = await remove(safe, {}, { ...key, ...proved(proof) })
    expect([done.status, sudoProofOf(done)]).toStrictEqual([204, proof])
    const again = await remove(safe, {}, { ...key, ...proved(proof) })
    expect([again.status, again.headers.get('idempotent-replayed')]).toStrictEqual([204, 'true'])
  })

  it('uses a code up once under one Idempotency-Key, however often the request comes', async () => {
    const send = () =>
      remove(safe, { mfa_method: 'totp', mfa_code: backupCode(safe, 0) }, { 'idempotency-key': 'one deletion' })
    const answers = await Promise.all([send(), send(), send()])
    expect(answers.map(({ status }) => status)).toStrictEqual([204, 204, 204])
  })
})
