import { describe, expect, it } from 'vitest'
import { authorizeIp } from '../../../../application/identity/ip-authorization/authorize-ip.ts'
import {
  pollIpAuthorization,
  resendIpAuthorization,
} from '../../../../application/identity/ip-authorization/wait-for-authorization.ts'
import { accountFlags } from '../../../../domain/account/flags.ts'
import type { AccountId } from '../../../../domain/ids/ids.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { logIn as logInAs } from '../second-factors/support.ts'
import { codeOf, fieldsOf, refusalOf } from '../../support/refusals.ts'
import { Died, world, type World } from '../../support/world.ts'

const second_ms = 1000
const minute_ms = 60 * second_ms

const strict = (): World => world({ policy: { ipAuthorization: true }, canSendMail: true })

/** An account that has not signed in from any network yet. */
async function forgetful(on: World): Promise<AccountId> {
  const id = await on.newcomer('Ada')
  await on.ports.aggregates.account.execute(id, { type: 'ForgetIpAddresses' }, on.requester().context)
  return id
}

/** Logs in from a new network; returns the ticket. */
async function ticketOf(on: World): Promise<string> {
  const { code, details } = await refusalOf(logInAs(on))
  expect(code).toBe('IP_AUTHORIZATION_REQUIRED')
  return String(details['ticket'])
}

function mailedToken(on: World): string {
  const letter = on.letters.at(-1)
  if (letter?.template !== 'ip_authorization') throw new Error('No token was mailed')
  return letter.values.token
}

const authorize = (on: World, token: string) => authorizeIp(on.ports)(on.requester(), token)
const poll = (on: World, ticket: string) => pollIpAuthorization(on.ports)(ticket)
const resend = (on: World, ticket: string) => resendIpAuthorization(on.ports)(on.requester(), ticket)

const badTicket = [field('ticket', 'INVALID_OR_EXPIRED_AUTHORIZATION_TICKET')]
const badToken = [field('token', 'INVALID_OR_EXPIRED_AUTHORIZATION_TOKEN')]

const sessionsOf = async (on: World): Promise<number> =>
  (await on.events()).filter(({ type }) => type === 'SessionStarted').length

describe('a sign-in that waits for its mail', () => {
  it('lives 15 minutes: its ticket and its token', async () => {
    const on = strict()
    await forgetful(on)
    const ticket = await ticketOf(on)
    on.wait(15 * minute_ms - 1)
    expect(await poll(on, ticket)).toStrictEqual({ completed: false })
    on.wait(1)
    expect(await fieldsOf(poll(on, ticket))).toStrictEqual(badTicket)
    expect(await fieldsOf(resend(on, ticket))).toStrictEqual(badTicket)
    expect(await fieldsOf(authorize(on, mailedToken(on)))).toStrictEqual(badToken)
  })

  it('is not announced by mail a second time, but is to the other sessions', async () => {
    const on = strict()
    const id = await forgetful(on)
    const verify = { type: 'VerifyEmailAddress' } as const
    await on.ports.aggregates.account.execute(id, verify, on.requester().context)
    await ticketOf(on)
    const letters_before = on.letters.length
    await authorize(on, mailedToken(on))
    const { state } = await on.ports.aggregates.account.load(id)
    expect(state).toMatchObject({ emailVerified: true, latestSignIn: { fromUnknownNetwork: true } })
    expect(on.letters).toHaveLength(letters_before)
    const began = (await on.events()).findLast(({ type }) => type === 'SessionStarted')
    expect(began?.data).toMatchObject({ forOtherDevice: true })
  })

  it('shows its session for 60 seconds, the same each time', async () => {
    const on = strict()
    const id = await forgetful(on)
    const ticket = await ticketOf(on)
    on.wait(14 * minute_ms)
    await authorize(on, mailedToken(on))
    const shown = await poll(on, ticket)
    expect(shown).toMatchObject({ completed: true, user_id: id })
    on.wait(minute_ms - 1)
    expect(await poll(on, ticket)).toStrictEqual(shown)
    expect(await fieldsOf(resend(on, ticket))).toStrictEqual(badTicket)
    on.wait(1)
    expect(await fieldsOf(poll(on, ticket))).toStrictEqual(badTicket)
  })

  it('is mailed again once, and not in the first 30 seconds', async () => {
    const on = strict()
    await forgetful(on)
    const ticket = await ticketOf(on)
    const first = mailedToken(on)
    on.wait(29.5 * second_ms)
    expect(await refusalOf(resend(on, ticket))).toMatchObject({
      code: 'IP_AUTHORIZATION_RESEND_COOLDOWN',
      details: { resend_available_in: 1, retry_after: 1 },
    })
    on.wait(0.5 * second_ms)
    await resend(on, ticket)
    const second = mailedToken(on)
    expect(second).not.toBe(first)
    expect(await codeOf(resend(on, ticket))).toBe('IP_AUTHORIZATION_RESEND_LIMIT_EXCEEDED')
    expect(on.letters.filter(({ template }) => template === 'ip_authorization')).toHaveLength(2)
    await authorize(on, first)
    expect(await fieldsOf(authorize(on, second))).toStrictEqual(badToken)
    expect(await poll(on, ticket)).toMatchObject({ completed: true })
  })

  it('is mailed again once, however often that is asked for at the same moment', async () => {
    const on = strict()
    await forgetful(on)
    const ticket = await ticketOf(on)
    on.wait(30 * second_ms)
    const codes = await Promise.all(
      Array.from({ length: 8 }, () =>
        resend(on, ticket).then(
          () => 'sent',
          () => 'refused',
        ),
      ),
    )
    expect(codes.filter((code) => code === 'sent')).toHaveLength(1)
    expect(on.letters.filter(({ template }) => template === 'ip_authorization')).toHaveLength(2)
  })

  it('ends with UNKNOWN_USER if the account is gone', async () => {
    const on = strict()
    const id = await forgetful(on)
    const ticket = await ticketOf(on)
    const { emailAddress } = on.ports.aggregates
    const context = on.requester().context
    const { state } = await on.ports.aggregates.account.load(id)
    if (state.status !== 'registered') throw new Error('There is no account')
    const addressHash = on.ports.addressHash(state.email ?? '')
    expect((await emailAddress.load(addressHash)).state.status).toBe('held')
    const due = { type: 'ScheduleSelfDeletion', dueAt: on.now } as const
    await on.ports.aggregates.account.execute(id, due, context)
    const erase = { type: 'StartErasure', email: state.email, addressHash, now: on.now } as const
    await on.ports.aggregates.account.execute(id, erase, context)
    expect(await codeOf(authorize(on, mailedToken(on)))).toBe('UNKNOWN_USER')
    on.wait(30 * second_ms)
    expect(await fieldsOf(resend(on, ticket))).toStrictEqual(badTicket)
  })

  it('is refused to bots with 403 BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED', async () => {
    const on = strict()
    const id = await forgetful(on)
    await ticketOf(on)
    on.setAccount(id, { bot: true })
    expect(await codeOf(authorize(on, mailedToken(on)))).toBe('BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED')
  })

  it('begins one session, even if the process dies in the middle and the token is used again', async () => {
    const on = strict()
    await forgetful(on)
    const ticket = await ticketOf(on)
    const [token, before] = [mailedToken(on), await sessionsOf(on)]
    on.dieBefore('SessionStarted')
    await expect(authorize(on, token)).rejects.toThrow(Died)
    expect(await poll(on, ticket)).toStrictEqual({ completed: false })
    on.restart()
    await authorize(on, token)
    expect(await poll(on, ticket)).toMatchObject({ completed: true })
    expect(await sessionsOf(on)).toBe(before + 1)
  })

  it('begins one session if the token is used many times at the same moment', async () => {
    const on = strict()
    await forgetful(on)
    await ticketOf(on)
    const before = await sessionsOf(on)
    await Promise.allSettled(Array.from({ length: 16 }, () => authorize(on, mailedToken(on))))
    expect(await sessionsOf(on)).toBe(before + 1)
  })
})

describe('the reviewers of app stores', () => {
  it('sign in from anywhere without a mail', async () => {
    const on = strict()
    const id = await forgetful(on)
    on.setAccount(id, { flags: String(accountFlags.APP_STORE_REVIEWER) })
    expect(await logInAs(on)).toHaveProperty('token')
    expect(on.letters.filter(({ template }) => template === 'ip_authorization')).toStrictEqual([])
  })
})
