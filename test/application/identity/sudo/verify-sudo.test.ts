import { describe, expect, it } from 'vitest'
import { sudoProofToSend, verifySudo } from '../../../../application/identity/sudo/verify-sudo.ts'
import type { SudoRequest } from '../../../../application/identity/sudo/sudo-request.ts'
import type { Asker } from '../../../../application/ports/asker.ts'
import type { Allowances } from '../../../../application/ports/allowances.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { protectedAccount } from '../second-factors/support.ts'
import { codeOf, fieldsOf } from '../../support/refusals.ts'
import { world } from '../../support/world.ts'

const nothing: SudoRequest = {
  password: null,
  mfaMethod: null,
  mfaCode: null,
  webauthnResponse: null,
  webauthnChallenge: null,
  proof: null,
}

describe('sudo mode', () => {
  it('is satisfied by a bot without a proof, whatever its account has, and issues none', async () => {
    const on = world()
    const { id } = await protectedAccount(on)
    on.setAccount(id, { bot: true })
    const bot = await on.as(id)
    const outcome = await verifySudo(on.ports)(bot, { ...nothing, proof: 'a.b.c' })
    expect(await sudoProofToSend(on.ports)(bot, outcome)).toBeNull()
    on.setAccount(id, { bot: false })
    expect(await codeOf(verifySudo(on.ports)(await on.as(id), nothing))).toBe('SUDO_MODE_REQUIRED')
  })

  it('does not charge a code without a method, or a password that is not required', async () => {
    const on = world()
    const { id, backupCodes } = await protectedAccount(on)
    const before = (await on.events()).length
    const given = { ...nothing, password: 'a password', mfaCode: backupCodes[0] ?? '' }
    expect(await codeOf(verifySudo(on.ports)(await on.as(id), given))).toBe('SUDO_MODE_REQUIRED')
    expect(await on.events()).toHaveLength(before)
  })

  it('does no work for a right password if the budget is spent: others would wait for it', async () => {
    const verified: string[] = []
    const on = world()
    const id = await on.newcomer()
    const spent: Allowances = {
      take: async (name) =>
        name === 'sudo proofs of account' ? { allowed: false, retryAfterSeconds: 1 } : { allowed: true },
      look: async () => ({ allowed: true }),
      reset: async () => undefined,
    }
    const passwords = {
      ...on.ports.passwords,
      verify: async (password: string, hash: string | null, asker: Asker) => {
        verified.push(password)
        return on.ports.passwords.verify(password, hash, asker)
      },
    }
    const ports = { ...on.ports, passwords, allowances: spent }
    const tried = verifySudo(ports)(await on.as(id), { ...nothing, password: 'a password' })
    expect(await fieldsOf(tried)).toStrictEqual([field('password', 'INVALID_PASSWORD')])
    expect(verified).toStrictEqual([])
  })
})
