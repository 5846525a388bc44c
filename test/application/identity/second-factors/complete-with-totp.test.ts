import { describe, expect, it } from 'vitest'
import { allowancesOver } from '../../../../adapters/http/limits/allowances.ts'
import { memoryRateLimits } from '../../../../adapters/http/limits/rate-limits.ts'
import type { AccountCommand } from '../../../../domain/account/commands.ts'
import type { AccountId } from '../../../../domain/ids/ids.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { msOf } from '../../../../domain/kernel/timestamp.ts'
import { repeat } from '../../../support/repeat.ts'
import { fieldsOf } from '../../support/refusals.ts'
import { world, type World } from '../../support/world.ts'
import { complete, logIn, protectedAccount, ticketOf } from './support.ts'

const timeout = [field('ticket', 'SESSION_TIMEOUT')]
const invalidCode = [field('code', 'INVALID_CODE')]
const minute_ms = 60_000

/** A world whose allowances count, by its own clock. */
function limitedWorld(): World {
  const on: World = world({ allowances: allowancesOver(memoryRateLimits({ now: () => msOf(on.now) })) })
  return on
}

/** Logs in as often as one address may in 15 minutes. */
async function tickets(on: World, count: number): Promise<readonly string[]> {
  const issued: string[] = []
  for (let index = 0; index < count; index += 1) issued.push(await ticketOf(on))
  return issued
}

const change = (on: World, id: AccountId, command: AccountCommand) =>
  on.ports.aggregates.account.execute(id, command, on.requester().context)

describe('an MFA ticket', () => {
  it('lives five minutes', async () => {
    const on = world()
    const { code } = await protectedAccount(on)
    const [early, late] = [await ticketOf(on), await ticketOf(on)]
    on.wait(5 * minute_ms - 1)
    expect(await complete(on, early, code())).toHaveProperty('token')
    on.wait(1)
    expect(await fieldsOf(complete(on, late, code()))).toStrictEqual(timeout)
  })

  it('is invalid once its password was changed', async () => {
    const on = world()
    const { id, code } = await protectedAccount(on)
    const ticket = await ticketOf(on)
    await change(on, id, { type: 'ChangePassword', passwordHash: 'hash of another', except: null, now: on.now })
    expect(await fieldsOf(complete(on, ticket, code()))).toStrictEqual(timeout)
  })

  it('of an account without TOTP accepts no code, not even a backup code', async () => {
    const on = world()
    const id = await on.newcomer('Ada')
    const key = { credentialId: 'k', publicKey: 'cose', counter: 0, transports: [], name: 'Key', now: on.now }
    await change(on, id, { type: 'RegisterWebAuthnCredential', ...key })
    await change(on, id, { type: 'ChoosePasskeys', chosen: true })
    await change(on, id, { type: 'IssueBackupCodes', codes: ['abcd-1234'] })
    const answer = await logIn(on)
    expect(answer).toMatchObject({ mfa: true, allowed_methods: ['webauthn'], totp: false, webauthn: true })
    const ticket = 'mfa' in answer ? answer.ticket : ''
    expect(await fieldsOf(complete(on, ticket, 'abcd-1234'))).toStrictEqual([field('code', 'TOTP_NOT_ENABLED')])
  })
})

describe('a passkey', () => {
  it('is not asked for after the password if it was not chosen as a second factor', async () => {
    const on = world()
    const id = await on.newcomer('Ada')
    const key = { credentialId: 'k', publicKey: 'cose', counter: 0, transports: [], name: 'Key', now: on.now }
    await change(on, id, { type: 'RegisterWebAuthnCredential', ...key })
    expect(await logIn(on)).toHaveProperty('token')
  })
})

describe('the tries of a second factor', () => {
  it('are 5 in 5 minutes a ticket, which is then destroyed, even for a right code', async () => {
    const on = limitedWorld()
    const { app, code } = await protectedAccount(on)
    const [first = '', second = ''] = await tickets(on, 2)
    await repeat(5, async () => expect(await fieldsOf(complete(on, first, app.wrongCode()))).toStrictEqual(invalidCode))
    const right = code()
    expect(await fieldsOf(complete(on, first, right))).toStrictEqual(invalidCode)
    expect(await fieldsOf(complete(on, first, right))).toStrictEqual(timeout)
    expect(await complete(on, second, right)).toHaveProperty('token')
  })

  it('are 10 in 15 minutes an account, over all its tickets', async () => {
    const on = limitedWorld()
    const { app, backupCodes } = await protectedAccount(on)
    const [first = '', second = '', third = ''] = await tickets(on, 3)
    for (const ticket of [first, first, first, first, first, second, second, second, second, second])
      expect(await fieldsOf(complete(on, ticket, app.wrongCode()))).toStrictEqual(invalidCode)
    expect(await fieldsOf(complete(on, third, backupCodes[0] ?? ''))).toStrictEqual(invalidCode)
    on.wait(2 * minute_ms)
    expect(await complete(on, third, backupCodes[0] ?? '')).toHaveProperty('token')
  })

  it('are all restored after a right one', async () => {
    const on = limitedWorld()
    const { app, backupCodes } = await protectedAccount(on)
    const [first = '', second = '', third = '', fourth = ''] = await tickets(on, 4)
    const wrong = async (ticket: string, times: number) => {
      for (let tries = 0; tries < times; tries += 1)
        expect(await fieldsOf(complete(on, ticket, app.wrongCode()))).toStrictEqual(invalidCode)
    }
    await wrong(first, 5)
    await wrong(second, 4)
    expect(await complete(on, second, backupCodes[0] ?? '')).toHaveProperty('token')
    await wrong(third, 5)
    await wrong(fourth, 4)
    expect(await complete(on, fourth, backupCodes[1] ?? '')).toHaveProperty('token')
  })
})
