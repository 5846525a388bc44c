import { describe, expect, it } from 'vitest'
import {
  provePresentAddress,
  resendToPresentAddress,
  startEmailChange,
} from '../../../../application/identity/own-account/ticketed/prove-present-address.ts'
import {
  proveNewAddress,
  requestNewAddress,
  resendToNewAddress,
} from '../../../../application/identity/own-account/ticketed/prove-new-address.ts'
import {
  completePasswordChange,
  resendPasswordChange,
  startPasswordChange,
  verifyPasswordChange,
} from '../../../../application/identity/own-account/ticketed/password-change.ts'
import type { AccountId } from '../../../../domain/ids/ids.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { codeOf, fieldsOf } from '../../support/refusals.ts'
import { world, type World } from '../../support/world.ts'

const minute_ms = 60_000

/** The code of the newest letter, and its recipient. */
function newest(on: World): { readonly to: string; readonly code: string } {
  const letter = on.letters.at(-1)
  if (!letter || !('code' in letter.values)) throw new Error('The newest letter has no code')
  return { to: letter.to, code: letter.values.code }
}

async function emailChange(on: World, ada: AccountId) {
  const as = () => on.as(ada)
  const { ticket } = await startEmailChange(on.ports)(await as())
  return {
    ticket,
    resend: async () => resendToPresentAddress(on.ports)(await as(), ticket),
    prove: async (code: string) => provePresentAddress(on.ports)(await as(), ticket, code),
    request: async (originalProof: string, newEmail: string) =>
      requestNewAddress(on.ports)(await as(), { ticket, newEmail, originalProof, newPassword: null }),
    resendNew: async () => resendToNewAddress(on.ports)(await as(), ticket),
    proveNew: async (originalProof: string, code: string) =>
      proveNewAddress(on.ports)(await as(), { ticket, code, originalProof }),
  }
}

describe('codes of an e-mail change', () => {
  it('are sent again after 30 seconds; the earlier one is then invalid', async () => {
    const on = world()
    const change = await emailChange(on, await on.newcomer('Ada'))
    const { code: first } = newest(on)
    on.wait(29_999)
    expect(await codeOf(change.resend())).toBe('RATE_LIMITED')
    on.wait(1)
    await change.resend()
    const { to, code: second } = newest(on)
    expect(to).toBe('Ada@example.com')
    expect(await fieldsOf(change.prove(first))).toStrictEqual([field('code', 'INVALID_VERIFICATION_CODE')])
    expect(await change.prove(second)).toStrictEqual({ original_proof: expect.any(String) })
  })

  it('end after 10 minutes, and can be requested again', async () => {
    const on = world()
    const change = await emailChange(on, await on.newcomer())
    const { code } = newest(on)
    on.wait(10 * minute_ms)
    expect(await fieldsOf(change.prove(code))).toStrictEqual([field('code', 'VERIFICATION_CODE_EXPIRED')])
    await change.resend()
    expect(await change.prove(newest(on).code)).toStrictEqual({ original_proof: expect.any(String) })
  })

  it('go to the address that was requested last, and only its code is then valid', async () => {
    const on = world()
    const change = await emailChange(on, await on.newcomer())
    const { original_proof: proof } = await change.prove(newest(on).code)
    await change.request(proof, 'first@example.com')
    const { code: first } = newest(on)
    on.wait(30_000)
    await change.request(proof, 'second@example.com')
    on.wait(30_000)
    await change.resendNew()
    const { to, code } = newest(on)
    expect(to).toBe('second@example.com')
    expect(await fieldsOf(change.proveNew(proof, first))).toStrictEqual([field('code', 'INVALID_VERIFICATION_CODE')])
    const { email_token: token } = await change.proveNew(proof, code)
    expect(token).toHaveLength(36)
  })

  it('are invalid once the ticket has ended', async () => {
    const on = world()
    const change = await emailChange(on, await on.newcomer())
    on.wait(30 * minute_ms)
    const gone = [field('ticket', 'INVALID_OR_EXPIRED_TICKET')]
    expect(await fieldsOf(change.prove(newest(on).code))).toStrictEqual(gone)
    expect(await fieldsOf(change.resend())).toStrictEqual(gone)
  })
})

describe('a password change', () => {
  it('sends its code again after 30 seconds, which cancels the result of the earlier one', async () => {
    const on = world()
    const ada = await on.newcomer()
    const { ticket } = await startPasswordChange(on.ports)(await on.as(ada))
    const verify = async () => verifyPasswordChange(on.ports)(await on.as(ada), ticket, newest(on).code)
    const resend = async () => resendPasswordChange(on.ports)(await on.as(ada), ticket)
    const complete = async (proof: string) =>
      completePasswordChange(on.ports)(await on.as(ada), { ticket, proof, newPassword: 'a new password' })
    on.wait(29_999)
    expect(await codeOf(resend())).toBe('RATE_LIMITED')
    const { verification_proof: first } = await verify()
    on.wait(1)
    await resend()
    expect(await fieldsOf(complete(first))).toStrictEqual([field('verification_proof', 'INVALID_PROOF_TOKEN')])
    const { verification_proof: second } = await verify()
    expect(await complete(second)).toStrictEqual({
      token: expect.stringMatching(/^gld_/),
      auth_session_id_hash: expect.any(String),
    })
    expect(on.letters.at(-1)?.template).toBe('password_changed')
  })
})
