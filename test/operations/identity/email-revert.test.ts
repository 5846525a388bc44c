import { beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../domain/kernel/refusal.ts'
import { protect } from '../../support/authenticator.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../support/answers.ts'
import { changeEmailAddress } from '../support/recovery.ts'
import { openServer } from '../support/scene.ts'

const newPassword = 'a new password'
const invalidToken = field('token', 'INVALID_OR_EXPIRED_REVERT_TOKEN')

let ada: TestAccount

const guildhall = await openServer()
beforeEach(async () => {
  ada = await guildhall.register()
})

const post = (path: string, body: unknown) => guildhall.request('POST', `/v1/auth/${path}`, { body })
const me = (token: string) => guildhall.request('GET', '/v1/users/@me', { token })
const login = (email: string, password: string) => post('login', { email, password })

describe('Revert e-mail address', () => {
  it('restores the account: the earlier address, a new password, no second factor, no session except a new one', async () => {
    await protect(guildhall, ada)
    const token = await changeEmailAddress(guildhall, ada, `thief.${ada.email}`)
    const body = bodyOf(await post('email-revert', { token, password: newPassword }))
    expectRefusal(await me(ada.token), 401, 'UNAUTHORIZED')
    expect(bodyOf(await me(String(body['token'])))).toMatchObject({
      id: ada.id,
      email: ada.email,
      verified: true,
      mfa_enabled: false,
    })
    expect((await login(`thief.${ada.email}`, ada.password)).status).toBe(400)
    expect(bodyOf(await login(ada.email, newPassword))).toHaveProperty('token')
  })

  it('releases the address that the account had', async () => {
    const token = await changeEmailAddress(guildhall, ada, `thief.${ada.email}`)
    await post('email-revert', { token, password: newPassword })
    expect((await post('register', { email: `thief.${ada.email}`, password: newPassword })).status).toBe(200)
  })

  it('succeeds once with one token, also in a race', async () => {
    const token = await changeEmailAddress(guildhall, ada, `thief.${ada.email}`)
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => post('email-revert', { token, password: newPassword })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers) if (answer.status !== 200) expectFields(answer, invalidToken)
    expect(bodyOf(await login(ada.email, newPassword))).toHaveProperty('token')
    expectFields(await post('register', { email: ada.email }), field('email', 'EMAIL_ALREADY_IN_USE'))
  })

  it('reverts later changes, too: their tokens are invalid', async () => {
    const own = await changeEmailAddress(guildhall, ada, `thief.${ada.email}`)
    const thiefs = await changeEmailAddress(guildhall, { ...ada, email: `thief.${ada.email}` }, `two.${ada.email}`)
    expect((await post('email-revert', { token: own, password: newPassword })).status).toBe(200)
    expectFields(await post('email-revert', { token: thiefs, password: 'a thief was here' }), invalidToken)
    expect(bodyOf(await login(ada.email, newPassword))).toHaveProperty('token')
  })

  it('works for the first holder even if a later one was faster', async () => {
    const own = await changeEmailAddress(guildhall, ada, `thief.${ada.email}`)
    const thiefs = await changeEmailAddress(guildhall, { ...ada, email: `thief.${ada.email}` }, `two.${ada.email}`)
    expect((await post('email-revert', { token: thiefs, password: 'a thief was here' })).status).toBe(200)
    expect((await post('email-revert', { token: own, password: newPassword })).status).toBe(200)
    expect(bodyOf(await login(ada.email, newPassword))).toHaveProperty('token')
  })

  it('is refused if another account has the address by now, and changes nothing', async () => {
    const token = await changeEmailAddress(guildhall, ada, `moved.${ada.email}`)
    expect((await post('register', { email: ada.email, password: newPassword })).status).toBe(200)
    expectFields(await post('email-revert', { token, password: newPassword }), invalidToken)
    expect(bodyOf(await login(`moved.${ada.email}`, ada.password))).toHaveProperty('token')
    expect(bodyOf(await login(ada.email, newPassword))).not.toMatchObject({ user_id: ada.id })
  })

  it('refuses an unknown token, and a common password', async () => {
    expectFields(await post('email-revert', { token: 'a'.repeat(64), password: newPassword }), invalidToken)
    const token = await changeEmailAddress(guildhall, ada, `moved.${ada.email}`)
    const common = field('password', 'PASSWORD_IS_TOO_COMMON')
    expectFields(await post('email-revert', { token, password: '12345678' }), common)
    expect((await post('email-revert', { token, password: newPassword })).status).toBe(200)
  })
})
