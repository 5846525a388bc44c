import { describe, expect, it } from 'vitest'
import { field } from '../../../domain/kernel/refusal.ts'
import { protect, sudoProofOf } from '../../support/authenticator.ts'
import { bodyOf, expectFields, expectRefusal } from '../support/answers.ts'
import { openServer } from '../support/scene.ts'

/** Its clocks and limits are tested in test/application/identity/second-factors. */

const guildhall = await openServer()
const ada = await protect(guildhall, await guildhall.register())

const challenge = (step: '' | '/resend' | '/verify' | '/regenerate', body?: object, { token } = ada) =>
  guildhall.request('POST', `/v1/users/@me/mfa/backup-codes/challenge${step}`, { token, body })

async function mailedCode(): Promise<string> {
  const { text } = await guildhall.mailTo(ada.email)
  return /\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/.exec(text)?.[0] ?? 'none'
}

describe('the challenge for backup codes', () => {
  it('leads by a mailed code to the backup codes, and to new ones, without sudo mode', async () => {
    const started = bodyOf(await challenge(''))
    expect(Object.keys(started).toSorted()).toStrictEqual(['code_expires_at', 'resend_available_at', 'ticket'])
    const { ticket } = started
    const answer = await challenge('/verify', { ticket, code: await mailedCode() })
    expect(sudoProofOf(answer)).toBeNull()
    const verified = bodyOf(answer)
    expect(verified['backup_codes']).toStrictEqual(ada.backupCodes.map((code) => ({ code, consumed: false })))
    const proof = verified['verification_proof']
    const made = bodyOf(await challenge('/regenerate', { ticket, verification_proof: proof }))
    expect(made['backup_codes']).toHaveLength(10)
    expect(made['backup_codes']).not.toStrictEqual(verified['backup_codes'])
    const again = await challenge('/regenerate', { ticket, verification_proof: proof })
    expectFields(again, field('verification_proof', 'INVALID_OR_EXPIRED_TICKET'))
  })

  it('is refused a resend at once, a wrong code, a wrong proof and a wrong ticket, each on its field', async () => {
    const { ticket } = bodyOf(await challenge(''))
    expectRefusal(await challenge('/resend', { ticket }), 429, 'RATE_LIMITED')
    const wrong = await challenge('/verify', { ticket, code: 'ABCD-1234' })
    expectFields(wrong, field('code', 'INVALID_VERIFICATION_CODE'))
    const unproved = await challenge('/regenerate', { ticket, verification_proof: 'x' })
    expectFields(unproved, field('verification_proof', 'INVALID_PROOF_TOKEN'))
    const unknown = field('ticket', 'INVALID_OR_EXPIRED_TICKET')
    expectFields(await challenge('/resend', { ticket: 'x' }), unknown)
    expectFields(await challenge('/verify', { ticket: 'x', code: 'x' }), unknown)
  })

  it('accepts texts of 1 to 256 characters', async () => {
    const long = 'x'.repeat(257)
    const invalid = (path: string) => field(path, 'STRING_LENGTH_INVALID')
    expectFields(await challenge('/resend', { ticket: long }), invalid('ticket'))
    expectFields(await challenge('/verify', { ticket: '', code: long }), invalid('ticket'), invalid('code'))
    const body = { ticket: long, verification_proof: '' }
    expectFields(await challenge('/regenerate', body), invalid('ticket'), invalid('verification_proof'))
  })

  it('is refused to an account without an address, and to one without a second factor', async () => {
    const { token } = bodyOf(await guildhall.request('POST', '/v1/auth/register', { body: {} }))
    const unclaimed = await challenge('', undefined, { ...ada, token: String(token) })
    expectFields(unclaimed, field('email', 'USER_DOES_NOT_HAVE_AN_EMAIL_ADDRESS'))
    const brian = await guildhall.register()
    expectRefusal(await challenge('', undefined, { ...ada, token: brian.token }), 400, 'TWO_FACTOR_REQUIRED')
  })
})
