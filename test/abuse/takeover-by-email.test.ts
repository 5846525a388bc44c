import { describe, expect, it } from 'vitest'
import { field } from '../../domain/kernel/refusal.ts'
import { entriesAbout } from '../operations/administration/users/support.ts'
import { bodyOf, expectFields, expectRefusal } from '../operations/support/answers.ts'
import { tokenIn } from '../operations/support/recovery.ts'
import { openServer } from '../operations/support/scene.ts'
import { administrator } from '../support/administrators.ts'
import { protect } from '../support/authenticator.ts'
import type { TestAccount } from '../support/test-guildhall.ts'

/**
 * An administrator takes over an account by its e-mail address. That is impossible for an account with ACLs that the
 * administrator lacks (decision 156). For all others `user:update:email` is enough, and second factors, sessions and
 * the trace have to hold.
 */

const guildhall = await openServer('mailing')
const newPassword = 'the taker chose this'

const post = (path: string, body: unknown) => guildhall.request('POST', `/v1/auth/${path}`, { body })
const own = ({ token }: Pick<TestAccount, 'token'>) => guildhall.request('GET', '/v1/users/@me', { token })
const takerWith = () => administrator(guildhall, 'admin:authenticate', 'user:update:email')

/** Gives the account an address of the taker's and mails a reset there; gives the token of that mail. */
async function takenAddress(taker: TestAccount, { id, email }: TestAccount) {
  const address = `taken.${email}`
  const { token } = taker
  bodyOf(await guildhall.request('PATCH', `/v1/admin/users/${id}/email`, { token, body: { email: address } }))
  expect((await guildhall.request('POST', `/v1/admin/users/${id}/password-reset`, { token })).status).toBe(204)
  return { address, mailed: tokenIn(await guildhall.mailTo(address, 1)) }
}

describe('whoever may change addresses', () => {
  it('neither changes nor verifies that of an administrator with more ACLs, and has no reset mailed there', async () => {
    const [{ token }, richer] = [await takerWith(), await administrator(guildhall, '*')]
    const body = { email: `taken.${richer.email}` }
    const path = `/v1/admin/users/${richer.id}`
    for (const refused of [
      await guildhall.request('PATCH', `${path}/email`, { token, body }),
      await guildhall.request('PUT', `${path}/email-verification`, { token }),
      await guildhall.request('POST', `${path}/verification-email`, { token }),
      await guildhall.request('POST', `${path}/password-reset`, { token }),
    ])
      expectRefusal(refused, 403, 'MISSING_ACL')
    expect(bodyOf(await own(richer))).toMatchObject({ email: richer.email })
    expect(await entriesAbout(guildhall, richer)).toStrictEqual([])
  })

  it('can take over an account without a second factor, as the contract allows, and the log says who did it', async () => {
    const taker = await takerWith()
    const person = await guildhall.register()
    const { mailed } = await takenAddress(taker, person)
    const { token } = bodyOf(await post('reset', { token: mailed, password: newPassword }))
    expect(bodyOf(await own({ token: String(token) }))).toMatchObject({ id: person.id })
    expectRefusal(await own(person), 401, 'UNAUTHORIZED')
    expect(await entriesAbout(guildhall, person)).toMatchObject([
      { action: 'change_email', adminId: taker.id },
      { action: 'send_password_reset', adminId: taker.id },
    ])
  })

  it('gets no session of an account with a second factor, only the question for it', async () => {
    const taker = await takerWith()
    const person = await guildhall.register()
    const verifying = tokenIn(await guildhall.mailTo(person.email, 1))
    expect((await post('verify', { token: verifying })).status).toBe(204)
    const guarded = await protect(guildhall, person)
    const { address, mailed } = await takenAddress(taker, guarded)
    const answer = bodyOf(await post('reset', { token: mailed, password: newPassword }))
    expect(answer).not.toHaveProperty('token')
    expect(answer).toMatchObject({ mfa: true, ticket: expect.any(String) })
    const signedIn = bodyOf(await post('login', { email: address, password: newPassword }))
    expect(signedIn).not.toHaveProperty('token')
    expectFields(
      await post('login/mfa/totp', { ticket: answer['ticket'], code: guarded.app.wrongCode() }),
      field('code', 'INVALID_CODE'),
    )
    const path = `/v1/admin/users/${guarded.id}/mfa`
    expectRefusal(await guildhall.request('DELETE', path, { token: taker.token }), 403, 'MISSING_ACL')
  })

  it('shows the change to who may read the change log, with the account that made it', async () => {
    const taker = await takerWith()
    const [person, reader] = [await guildhall.register(), await administrator(guildhall, '*')]
    const { address } = await takenAddress(taker, person)
    const path = `/v1/admin/users/${person.id}/change-log`
    const { entries } = bodyOf(await guildhall.request('GET', path, { token: reader.token }))
    expect(entries).toMatchObject([
      { field: 'email', old_value: person.email, new_value: address, actor_user_id: taker.id, reason: 'admin_action' },
    ])
  })

  it('has no reset that was mailed before the change: it is for the address that it was mailed to', async () => {
    const taker = await takerWith()
    const person = await guildhall.register()
    expect((await post('forgot', { email: person.email })).status).toBe(204)
    const mailed = tokenIn(await guildhall.mailTo(person.email, 2))
    await takenAddress(taker, person)
    const late = await post('reset', { token: mailed, password: newPassword })
    expectFields(late, field('token', 'INVALID_OR_EXPIRED_RESET_TOKEN'))
    expect(bodyOf(await own(person))).toMatchObject({ id: person.id })
  })
})
