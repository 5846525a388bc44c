import { describe, expect, it } from 'vitest'
import { allowancesOver } from '../../../../adapters/http/limits/allowances.ts'
import { memoryRateLimits } from '../../../../adapters/http/limits/rate-limits.ts'
import { register } from '../../../../application/identity/accounts/registering/register.ts'
import {
  regenerateByChallenge,
  resendBackupCodesChallenge,
  startBackupCodesChallenge,
  verifyBackupCodesChallenge,
} from '../../../../application/identity/second-factors/backup-codes-challenge.ts'
import type { AccountId } from '../../../../domain/ids/ids.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { msOf, secondsAfter } from '../../../../domain/kernel/timestamp.ts'
import { repeat } from '../../../support/repeat.ts'
import { codeOf, fieldsOf, refusalOf } from '../../support/refusals.ts'
import { world, type World } from '../../support/world.ts'
import { protectedAccount } from './support.ts'

const start = async (on: World, id: AccountId) => startBackupCodesChallenge(on.ports)(await on.as(id))
const resend = async (on: World, id: AccountId, ticket: string) =>
  resendBackupCodesChallenge(on.ports)(await on.as(id), ticket)
const verify = async (on: World, id: AccountId, ticket: string, code: string) =>
  verifyBackupCodesChallenge(on.ports)(await on.as(id), ticket, code)
const regenerate = async (on: World, id: AccountId, ticket: string, proof: string) =>
  regenerateByChallenge(on.ports)(await on.as(id), ticket, proof)

/** The letters with codes: the others report what was done. */
const codeLetters = ({ letters }: World) => letters.filter(({ template }) => template === 'backup_codes')

/** The code of the newest letter. */
function mailedCode(on: World): string {
  const letter = codeLetters(on).at(-1)
  if (letter?.template !== 'backup_codes') throw new Error('No code was mailed')
  return letter.values.code
}

function limitedWorld(): World {
  const on: World = world({ allowances: allowancesOver(memoryRateLimits({ now: () => msOf(on.now) })) })
  return on
}

const badTicket = [field('ticket', 'INVALID_OR_EXPIRED_TICKET')]
const wrongCode = [field('code', 'INVALID_VERIFICATION_CODE')]
const badProof = [field('verification_proof', 'INVALID_PROOF_TOKEN')]
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const minute_ms = 60_000

describe('the challenge for backup codes', () => {
  it('mails a code to the account, which shows its codes and gives a proof for new ones', async () => {
    const on = world()
    const { id, backupCodes } = await protectedAccount(on)
    const started = await start(on, id)
    expect(started).toStrictEqual({
      ticket: expect.stringMatching(uuid),
      code_expires_at: secondsAfter(on.now, 600),
      resend_available_at: secondsAfter(on.now, 30),
    })
    expect(codeLetters(on)).toMatchObject([
      { to: 'Ada@example.com', template: 'backup_codes', values: { username: 'Ada' } },
    ])
    expect(mailedCode(on)).toMatch(/^[A-Z0-9]{4}-[A-Z0-9]{4}$/)
    const verified = await verify(on, id, started.ticket, ` ${mailedCode(on).toLowerCase().replace('-', '')} `)
    expect(verified.backup_codes).toStrictEqual(backupCodes.map((code) => ({ code, consumed: false })))
    const { backup_codes: made } = await regenerate(on, id, started.ticket, verified.verification_proof)
    expect(made).toHaveLength(10)
    for (const { code } of made) expect(backupCodes).not.toContain(code)
  })

  it('is refused to an account without an address, a verified address, or a second factor', async () => {
    const on = world()
    const nothing = { email: null, username: null, globalName: null, password: null, dateOfBirth: null }
    const wishes = { ...nothing, consent: true, inviteCode: null, registrationUrlCode: null }
    const { user_id: unclaimed } = await register(on.ports)(on.requester(), wishes)
    expect(await fieldsOf(start(on, unclaimed))).toStrictEqual([field('email', 'USER_DOES_NOT_HAVE_AN_EMAIL_ADDRESS')])
    const { id } = await protectedAccount(on)
    const moved = {
      type: 'ChangeEmailAddress',
      from: 'Ada@example.com',
      email: 'new@example.com',
      verified: false,
      now: on.now,
    } as const
    await on.ports.aggregates.account.execute(id, moved, on.requester().context)
    expect(await codeOf(start(on, id))).toBe('MFA_EMAIL_VERIFICATION_REQUIRED')
    expect(await codeOf(start(on, await on.newcomer('Brian')))).toBe('TWO_FACTOR_REQUIRED')
    expect(codeLetters(on)).toStrictEqual([])
  })

  it('accepts a code once', async () => {
    const on = world()
    const { id } = await protectedAccount(on)
    const { ticket } = await start(on, id)
    expect(await fieldsOf(verify(on, id, ticket, 'ABCD-1234'))).toStrictEqual(wrongCode)
    await verify(on, id, ticket, mailedCode(on))
    const used = [field('code', 'VERIFICATION_CODE_NOT_ISSUED')]
    expect(await fieldsOf(verify(on, id, ticket, mailedCode(on)))).toStrictEqual(used)
  })

  it('accepts one of ten uses of one code at the same moment', async () => {
    const on = world()
    const { id } = await protectedAccount(on)
    const { ticket } = await start(on, id)
    const tries = Array.from({ length: 10 }, () => verify(on, id, ticket, mailedCode(on)))
    const outcomes = await Promise.allSettled(tries)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('accepts a code for ten minutes, and the ticket for thirty', async () => {
    const on = world()
    const { id } = await protectedAccount(on)
    const [first, second] = [await start(on, id), await start(on, id)]
    const code = mailedCode(on)
    on.wait(10 * minute_ms - 1)
    await verify(on, id, second.ticket, code)
    on.wait(1)
    const expired = [field('code', 'VERIFICATION_CODE_EXPIRED')]
    expect(await fieldsOf(verify(on, id, first.ticket, code))).toStrictEqual(expired)
    on.wait(20 * minute_ms)
    expect(await fieldsOf(verify(on, id, first.ticket, code))).toStrictEqual(badTicket)
  })

  it('is mailed again after 30 seconds, and the earlier code is then invalid', async () => {
    const on = world()
    const { id } = await protectedAccount(on)
    const { ticket } = await start(on, id)
    const first = mailedCode(on)
    on.wait(29_000)
    const early = await refusalOf(resend(on, id, ticket))
    expect(early).toStrictEqual({ code: 'RATE_LIMITED', fields: [], details: { global: false, retry_after: 1 } })
    on.wait(1000)
    await resend(on, id, ticket)
    expect(codeLetters(on)).toHaveLength(2)
    expect(await fieldsOf(verify(on, id, ticket, first))).toStrictEqual(wrongCode)
    expect(await verify(on, id, ticket, mailedCode(on))).toHaveProperty('verification_proof')
  })

  it('of two resends at the same moment sends one', async () => {
    const on = world()
    const { id } = await protectedAccount(on)
    const { ticket } = await start(on, id)
    on.wait(30_000)
    const outcomes = await Promise.allSettled([resend(on, id, ticket), resend(on, id, ticket)])
    expect(outcomes.map(({ status }) => status).toSorted()).toStrictEqual(['fulfilled', 'rejected'])
    expect(codeLetters(on)).toHaveLength(2)
  })

  it('is for its own account only, and for none once the address has changed', async () => {
    const on = world()
    const [{ id }, { id: brian }] = [await protectedAccount(on), await protectedAccount(on, 'Brian')]
    const { ticket } = await start(on, id)
    const code = mailedCode(on)
    expect(await fieldsOf(verify(on, brian, ticket, code))).toStrictEqual(badTicket)
    expect(await fieldsOf(resend(on, brian, ticket))).toStrictEqual(badTicket)
    expect(await fieldsOf(verify(on, id, 'x', code))).toStrictEqual(badTicket)
    const moved = {
      type: 'ChangeEmailAddress',
      from: 'Ada@example.com',
      email: 'new@example.com',
      verified: true,
      now: on.now,
    } as const
    await on.ports.aggregates.account.execute(id, moved, on.requester().context)
    expect(await fieldsOf(verify(on, id, ticket, code))).toStrictEqual(badTicket)
  })

  it('gives new codes once, for the proof of this challenge', async () => {
    const on = world()
    const { id } = await protectedAccount(on)
    const [first, second] = [await start(on, id), await start(on, id)]
    const { verification_proof: proof } = await verify(on, id, second.ticket, mailedCode(on))
    expect(await fieldsOf(regenerate(on, id, second.ticket, 'x'))).toStrictEqual(badProof)
    expect(await fieldsOf(regenerate(on, id, first.ticket, proof))).toStrictEqual(badProof)
    const noTicket = [field('verification_proof', 'INVALID_OR_EXPIRED_TICKET')]
    expect(await fieldsOf(regenerate(on, id, 'x', proof))).toStrictEqual(noTicket)
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => regenerate(on, id, second.ticket, proof)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await fieldsOf(regenerate(on, id, second.ticket, proof))).toStrictEqual(noTicket)
  })

  it('may be started three times in 15 minutes, and a code guessed five times a ticket', async () => {
    const on = limitedWorld()
    const { id } = await protectedAccount(on)
    const { ticket } = await start(on, id)
    await repeat(2, () => start(on, id))
    expect(await codeOf(start(on, id))).toBe('RATE_LIMITED')
    await repeat(5, async () => expect(await fieldsOf(verify(on, id, ticket, 'ABCD-1234'))).toStrictEqual(wrongCode))
    expect(await codeOf(verify(on, id, ticket, 'ABCD-1234'))).toBe('RATE_LIMITED')
    await repeat(3, () => {
      on.wait(30_000)
      return resend(on, id, ticket)
    })
    on.wait(30_000)
    expect(await codeOf(resend(on, id, ticket))).toBe('RATE_LIMITED')
  })
})
