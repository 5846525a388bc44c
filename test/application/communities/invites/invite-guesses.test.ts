import { describe, expect, it } from 'vitest'
import { allowancesOver } from '../../../../adapters/http/limits/allowances.ts'
import { memoryRateLimits } from '../../../../adapters/http/limits/rate-limits.ts'
import { login } from '../../../../application/identity/accounts/login.ts'
import { acceptInvite } from '../../../../application/communities/invites/accept-invite.ts'
import { deleteInvite } from '../../../../application/communities/invites/delete-invite.ts'
import { getInvite } from '../../../../application/communities/invites/get-invite.ts'
import type { Allowances } from '../../../../application/ports/allowances.ts'
import { inviteCode, type InviteCode } from '../../../../domain/ids/ids.ts'
import { codeOf, refusalOf } from '../../support/refusals.ts'
import { world, type World } from '../../support/world.ts'

const guesses_max = 300
let guess = 0
const unknown = (): InviteCode => inviteCode(`guess${(guess += 1)}`)

/** Allowances of invite codes as the product keeps them, with a clock of the test; sign-ins are not limited. */
function guessing() {
  let ms = 1000
  const kept = allowancesOver(memoryRateLimits({ now: () => ms }))
  const allowances: Allowances = {
    ...kept,
    take: async (name, key, rate) => (name.includes('invite') ? kept.take(name, key, rate) : { allowed: true }),
  }
  return { allowances, pass: (more_ms: number) => void (ms += more_ms) }
}

async function scene() {
  const { allowances, pass } = guessing()
  const on = world({ allowances })
  const owner = await on.newcomer('Ada')
  const { code } = await on.guildOf(owner)
  return { on, owner, code, pass }
}

const from = (on: World, ip: string, code: InviteCode) => getInvite(on.ports)({ ...on.requester(), ip }, code)

async function spend(look: (code: InviteCode) => Promise<unknown>): Promise<void> {
  for (let count = 0; count < guesses_max; count += 1) expect(await codeOf(look(unknown()))).toBe('UNKNOWN_INVITE')
}

describe('guessing invite codes', () => {
  it('stops for a client after 300, also with codes that exist, and goes on as time passes', async () => {
    const { on, code, pass } = await scene()
    const look = (asked: InviteCode) => from(on, '192.0.2.7', asked)
    await spend(look)
    expect(await refusalOf(look(unknown()))).toStrictEqual({
      code: 'RATE_LIMITED',
      fields: [],
      details: { global: false, retry_after: 2 },
    })
    expect(await codeOf(look(code))).toBe('RATE_LIMITED')
    pass(2000)
    expect(await look(code)).toHaveProperty('code', code)
    expect(await codeOf(look(unknown()))).toBe('UNKNOWN_INVITE')
    expect(await codeOf(look(code))).toBe('RATE_LIMITED')
  })
  it('is charged once for each code: an unknown one can be requested again and again, as its bucket allows', async () => {
    const { on, code, pass } = await scene()
    const look = (asked: InviteCode) => from(on, '192.0.2.7', asked)
    const dead = unknown()
    for (let count = 0; count < 2 * guesses_max; count += 1) expect(await codeOf(look(dead))).toBe('UNKNOWN_INVITE')
    for (let count = 1; count < guesses_max; count += 1) expect(await codeOf(look(unknown()))).toBe('UNKNOWN_INVITE')
    expect(await codeOf(look(code))).toBe('RATE_LIMITED')
    expect(await codeOf(look(dead))).toBe('UNKNOWN_INVITE')
    expect(await codeOf(from(on, '192.0.2.8', dead))).toBe('UNKNOWN_INVITE')
    pass(599_000)
    for (let count = 1; count < guesses_max; count += 1) expect(await codeOf(look(unknown()))).toBe('UNKNOWN_INVITE')
    expect(await codeOf(look(dead))).toBe('UNKNOWN_INVITE')
    pass(1000)
    expect(await codeOf(look(dead))).toBe('UNKNOWN_INVITE')
    expect(await codeOf(look(unknown()))).toBe('RATE_LIMITED')
  })
  it('does not show whether a refused code exists', async () => {
    const { on } = await scene()
    const codes = Array.from({ length: 2 * guesses_max }, unknown)
    const ask = () => Promise.all(codes.map((asked) => codeOf(from(on, '192.0.2.7', asked))))
    const first = await ask()
    expect(await ask()).toStrictEqual(first)
  })
  it('does not affect existing codes: they cost nothing, however often they are requested', async () => {
    const { on, code } = await scene()
    for (let count = 0; count < 2 * guesses_max; count += 1)
      expect(await from(on, '192.0.2.7', code)).toHaveProperty('code', code)
    expect(await codeOf(from(on, '192.0.2.7', unknown()))).toBe('UNKNOWN_INVITE')
  })
  it('is counted separately for other clients, and for all addresses of one IPv6 network together', async () => {
    const { on, code } = await scene()
    let host = 0
    await spend((asked) => from(on, `2001:db8::${(host += 1)}`, asked))
    expect(await codeOf(from(on, '2001:db8::ffff', code))).toBe('RATE_LIMITED')
    expect(await from(on, '2001:db8:0:1::1', code)).toHaveProperty('code', code)
  })
  it('is counted for an account, from any address and for any use of the code', async () => {
    const { on, owner, code } = await scene()
    const brian = await on.newcomer('Brian')
    const as = async (ip: string) => ({ ...(await on.as(brian)), ip })
    const ways = [getInvite(on.ports), acceptInvite(on.ports), deleteInvite(on.ports)]
    let turn = 0
    await spend(async (asked) => {
      turn += 1
      return ways[turn % 3]?.(await as(`192.0.2.${turn}`), asked)
    })
    for (const way of ways) expect(await codeOf(way(await as('192.0.2.99'), code))).toBe('RATE_LIMITED')
    expect(await from(on, '192.0.2.1', code)).toHaveProperty('code', code)
    expect(await getInvite(on.ports)(await on.as(owner), code)).toHaveProperty('code', code)
  })
  it('counts codes that are sent with a sign-in, which still succeeds', async () => {
    const { on, code } = await scene()
    const brian = await on.newcomer('Brian')
    const signIn = (inviteCode_: string) =>
      login(on.ports)(on.requester(), { email: 'Brian@example.com', password: 'a password', inviteCode: inviteCode_ })
    for (let count = 0; count < guesses_max; count += 1) expect(await signIn(unknown())).toHaveProperty('token')
    expect(await codeOf(acceptInvite(on.ports)(await on.as(brian), code))).toBe('RATE_LIMITED')
  })
  it('stops in a race too: at most 300 of 640 hear that a code is unknown', async () => {
    const { on } = await scene()
    const codes = await Promise.all(Array.from({ length: 640 }, () => codeOf(from(on, '192.0.2.7', unknown()))))
    expect(codes.filter((code) => code === 'UNKNOWN_INVITE')).toHaveLength(guesses_max)
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(640 - guesses_max)
  })
})
