import { describe, expect, it } from 'vitest'
import { field } from '../../domain/kernel/refusal.ts'
import { backupCode, protect } from '../support/authenticator.ts'
import { repeat } from '../support/repeat.ts'
import type { TestAccount } from '../support/test-guildhall.ts'
import { expectFields, found } from '../operations/support/answers.ts'
import { openServer } from '../operations/support/scene.ts'

const guildhall = await openServer({ rateLimits: true })
const [ada, brian] = await Promise.all([guildhall.register(), guildhall.register()])
const carol = await protect(guildhall, await guildhall.register())

const post = ({ token }: TestAccount, path: string, body: object) => guildhall.request('POST', path, { token, body })
const remove = (account: TestAccount, id: string, body: object) => post(account, `/v1/guilds/${id}/delete`, body)
const enable = (account: TestAccount, body: object) =>
  post(account, '/v1/users/@me/mfa/totp/enable', { secret: 'a'.repeat(32), code: '123456', ...body })
const codes = (account: TestAccount, body: object) =>
  post(account, '/v1/users/@me/mfa/backup-codes', { regenerate: false, ...body })

const wrong = { password: 'another password' }
const invalidPassword = field('password', 'INVALID_PASSWORD')
const invalidCode = field('mfa_code', 'INVALID_MFA_CODE')

describe('all sudo operations have one budget of 10 wrong proofs in 15 minutes an account', () => {
  it('once it is spent, by any of them, a right password looks wrong; other accounts have their own', async () => {
    const [first, second] = [await found(guildhall, ada), await found(guildhall, ada)]
    await repeat(4, async () => expectFields(await remove(ada, first.id, wrong), invalidPassword))
    await repeat(3, async () => expectFields(await enable(ada, wrong), invalidPassword))
    await repeat(3, async () => expectFields(await codes(ada, wrong), invalidPassword))
    const right = { password: ada.password }
    expectFields(await remove(ada, second.id, right), invalidPassword)
    expectFields(await codes(ada, right), invalidPassword)
    const { id } = await found(guildhall, brian)
    expect((await remove(brian, id, { password: brian.password })).status).toBe(204)
  })

  it('a right password restores it', async () => {
    await repeat(2, async () => {
      const { id } = await found(guildhall, brian)
      await repeat(9, async () => expectFields(await remove(brian, id, wrong), invalidPassword))
      expect((await remove(brian, id, { password: brian.password })).status).toBe(204)
    })
  })

  it('a request without a proof is no try, and codes count as tries like passwords', async () => {
    const [first, second] = [await found(guildhall, carol), await found(guildhall, carol)]
    await repeat(4, async () => expect((await codes(carol, {})).status).toBe(403))
    const guess = { mfa_method: 'totp', mfa_code: carol.app.wrongCode() }
    await repeat(9, async () => expectFields(await remove(carol, first.id, guess), invalidCode))
    const right = { mfa_method: 'totp', mfa_code: backupCode(carol, 0) }
    expect((await codes(carol, right)).status).toBe(200)
    await repeat(10, async () => expectFields(await remove(carol, second.id, guess), invalidCode))
    expectFields(await enable(carol, { mfa_method: 'totp', mfa_code: carol.app.code() }), invalidCode)
  })
})
