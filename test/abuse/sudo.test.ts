import { beforeEach, describe, expect, it } from 'vitest'
import { createHmac } from 'node:crypto'
import { sessionTokenHash } from '../../application/identity/tokens/session-token.ts'
import type { SudoProof } from '../../application/ports/sudo-proofs.ts'
import { sudoProof_s } from '../../adapters/authentication/jwt-sudo-proofs.ts'
import type { AccountCommand } from '../../domain/account/commands.ts'
import { accountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { field } from '../../domain/kernel/refusal.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { backupCode, protect, sudoHeader, sudoProofOf, type ProtectedAccount } from '../support/authenticator.ts'
import { testContext } from '../support/test-context.ts'
import { bodyOf, expectFields, expectRefusal } from '../operations/support/answers.ts'
import { openServer } from '../operations/support/scene.ts'

/** Tricks with sudo mode, on the operation that shows backup codes. */

let ada: ProtectedAccount
let proof: string

const guildhall = await openServer()
beforeEach(async () => {
  ada = await protect(guildhall, await guildhall.register())
  proof = String(sudoProofOf(await codes(ada, { mfa_method: 'totp', mfa_code: backupCode(ada, 9) })))
})

const codes = ({ token }: { readonly token: string }, sudo: object, header?: string) =>
  guildhall.request('POST', '/v1/users/@me/mfa/backup-codes', {
    token,
    body: { regenerate: false, ...sudo },
    headers: header === undefined ? {} : { [sudoHeader]: header },
  })
const byCode = (code: string) => ({ mfa_method: 'totp', mfa_code: code })
const me = (token: string) => guildhall.request('GET', '/v1/users/@me', { token })
const invalidCode = field('mfa_code', 'INVALID_MFA_CODE')

/** Signs in once more; uses up a backup code. */
async function signInAgain(account: ProtectedAccount, index: number): Promise<string> {
  const { email, password } = account
  const { ticket } = bodyOf(await guildhall.request('POST', '/v1/auth/login', { body: { email, password } }))
  const body = { ticket, code: backupCode(account, index) }
  return String(bodyOf(await guildhall.request('POST', '/v1/auth/login/mfa/totp', { body }))['token'])
}

async function command(account: ProtectedAccount, change: AccountCommand): Promise<void> {
  const context = testContext()
  await guildhall.ports.aggregates.account.execute(account.id, change, context)
  await guildhall.ports.readModels.reached(context.written)
}

/** The content of a proof that is valid now. */
async function factsOf(account: ProtectedAccount): Promise<SudoProof> {
  const { state } = await guildhall.ports.aggregates.account.load(account.id)
  if (state.status !== 'registered') throw new Error('Nobody is registered')
  const { id, credentialVersion } = state
  return { accountId: id, tokenHash: sessionTokenHash(account.token), credentialVersion }
}

const issued = (facts: SudoProof, age_s: number) =>
  guildhall.ports.sudoProofs.issue(facts, timestamp(Date.now() - age_s * 1000))

describe('tokens of one kind in place of another', () => {
  it('a sudo proof is not a session token, in either form, and neither is an MFA ticket', async () => {
    const { email, password } = ada
    const { ticket } = bodyOf(await guildhall.request('POST', '/v1/auth/login', { body: { email, password } }))
    for (const token of [proof, `Bearer ${proof}`, `Bot ${proof}`, String(ticket), `Bearer ${String(ticket)}`])
      expectRefusal(await me(token), 401, 'UNAUTHORIZED')
  })

  it('a session token, its hash and an MFA ticket are not sudo proofs', async () => {
    const { email, password } = ada
    const { ticket } = bodyOf(await guildhall.request('POST', '/v1/auth/login', { body: { email, password } }))
    for (const text of [ada.token, sessionTokenHash(ada.token), String(ticket)])
      expectRefusal(await codes(ada, {}, text), 403, 'SUDO_MODE_REQUIRED')
  })

  it('a session token and a sudo proof are not MFA tickets', async () => {
    for (const ticket of [ada.token, proof.slice(0, 256)]) {
      const body = { ticket, code: backupCode(ada, 0) }
      const answer = await guildhall.request('POST', '/v1/auth/login/mfa/totp', { body })
      expectFields(answer, field('ticket', 'SESSION_TIMEOUT'))
    }
  })
})

describe('sudo proofs that are no longer valid', () => {
  it('a proof is valid at first', async () => {
    expect((await codes(ada, {}, proof)).status).toBe(200)
  })

  it('one of another account is not valid', async () => {
    const brian = await protect(guildhall, await guildhall.register())
    expectRefusal(await codes(brian, {}, proof), 403, 'SUDO_MODE_REQUIRED')
    const other = { ...(await factsOf(ada)), accountId: accountId(snowflake(brian.id)) }
    expectRefusal(await codes(ada, {}, await issued(other, 0)), 403, 'SUDO_MODE_REQUIRED')
  })

  it('one older than five minutes is not valid, however often it was used', async () => {
    const facts = await factsOf(ada)
    expect((await codes(ada, {}, await issued(facts, sudoProof_s - 5))).status).toBe(200)
    expectRefusal(await codes(ada, {}, await issued(facts, sudoProof_s + 1)), 403, 'SUDO_MODE_REQUIRED')
  })

  it('none is valid after the password was changed', async () => {
    const except = sessionTokenHash(ada.token)
    await command(ada, { type: 'ChangePassword', passwordHash: 'another', except, now: timestamp(Date.now()) })
    expectRefusal(await codes(ada, {}, proof), 403, 'SUDO_MODE_REQUIRED')
  })

  it('none is valid after TOTP was turned off, and on again', async () => {
    const off = { code: ada.app.code() }
    const disable = await guildhall.request('POST', '/v1/users/@me/mfa/totp/disable', {
      token: ada.token,
      body: off,
      headers: { [sudoHeader]: proof },
    })
    expect(disable.status).toBe(204)
    expectRefusal(await codes(ada, {}, proof), 403, 'SUDO_MODE_REQUIRED')
    const again = await protect(guildhall, ada)
    expectRefusal(await codes(again, {}, proof), 403, 'SUDO_MODE_REQUIRED')
  })

  it('none is valid after its session was logged out', async () => {
    const second = await signInAgain(ada, 0)
    const earned = String(sudoProofOf(await codes({ token: second }, byCode(backupCode(ada, 1)))))
    expect((await codes(ada, {}, earned)).status).toBe(200)
    await guildhall.request('POST', '/v1/auth/logout', { token: second })
    expectRefusal(await codes(ada, {}, earned), 403, 'SUDO_MODE_REQUIRED')
  })
})

describe('forged sudo proofs', () => {
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = (header: object, payload: string, key: string | Buffer) => {
    const text = `${encoded(header)}.${payload}`
    return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
  }

  it('are not valid: unsigned, signed with another key, or with a key that they contain', async () => {
    const [, payload = '', signature = ''] = proof.split('.')
    const own = Buffer.alloc(32, 1)
    const jwk = { kty: 'oct', k: own.toString('base64url') }
    const typ = 'sudo+jwt'
    const forged = [
      `${encoded({ alg: 'none', typ })}.${payload}.`,
      `${encoded({ alg: 'none', typ })}.${payload}.${signature}`,
      `${encoded({ alg: 'None', typ })}.${payload}.`,
      signed({ alg: 'HS256', typ }, payload, own),
      signed({ alg: 'HS256', typ }, payload, ''),
      signed({ alg: 'HS256', typ, jwk }, payload, own),
      signed({ alg: 'HS256', typ, jku: `${guildhall.url}/keys`, kid: '../../dev/null' }, payload, ''),
      signed({ alg: 'HS256', typ, kid: "' or 1=1 --" }, payload, own),
      `${encoded({ alg: 'HS512', typ })}.${payload}.${signature}`,
      proof.slice(0, -4),
      `${proof}.${signature}`,
    ]
    for (const text of forged) expectRefusal(await codes(ada, {}, text), 403, 'SUDO_MODE_REQUIRED')
  })

  it('are not valid if a right one was changed', async () => {
    const [header = '', payload = '', signature = ''] = proof.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { readonly exp: number }
    const longer = encoded({ ...claims, exp: claims.exp + 3600 })
    expectRefusal(await codes(ada, {}, `${header}.${longer}.${signature}`), 403, 'SUDO_MODE_REQUIRED')
  })
})

describe('codes work once', () => {
  it('a code of the authenticator is refused again inside its window', async () => {
    const code = ada.app.code()
    expect((await codes(ada, byCode(code))).status).toBe(200)
    expectFields(await codes(ada, byCode(code)), invalidCode)
  })

  it('of 10 uses of one code at the same moment exactly one counts', async () => {
    for (const code of [ada.app.code(), backupCode(ada, 0)]) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => codes(ada, byCode(code))))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      for (const answer of answers) if (answer.status !== 200) expectFields(answer, invalidCode)
    }
  })

  it('a backup code that was used is refused, and shown as used', async () => {
    expectFields(await codes(ada, byCode(backupCode(ada, 9))), invalidCode)
    const shown = bodyOf(await codes(ada, {}, proof))['backup_codes']
    expect(shown).toStrictEqual(ada.backupCodes.map((code, index) => ({ code, consumed: index === 9 })))
  })

  it('a code of more than 32 characters is not valid, whatever it begins with', async () => {
    const long = `${backupCode(ada, 0)}${' '.repeat(24)}`
    expect((await codes(ada, byCode(long.slice(0, 32)))).status).toBe(200)
    for (const code of [`${backupCode(ada, 1)}${'-'.repeat(24)}`, '1'.repeat(33), '']) {
      expectFields(await codes(ada, byCode(code)), invalidCode)
    }
  })

  it('a code that is valid for signing in is valid for nothing else', async () => {
    const code = ada.app.code()
    const { email, password } = ada
    const { ticket } = bodyOf(await guildhall.request('POST', '/v1/auth/login', { body: { email, password } }))
    expect((await guildhall.request('POST', '/v1/auth/login/mfa/totp', { body: { ticket, code } })).status).toBe(200)
    expectFields(await codes(ada, byCode(code)), invalidCode)
  })
})
