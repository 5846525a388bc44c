import { describe, expect, it } from 'vitest'
import { administrator } from '../../support/administrators.ts'
import { startOpenIdProvider } from '../../support/openid-provider.ts'
import { bodyOf, expectRefusal } from '../support/answers.ts'
import { codeIn } from '../support/emailed-codes.ts'
import { signOn, somebody, startWith } from '../support/single-sign-on.ts'
import { openServer } from '../support/scene.ts'

const guildhall = await openServer({})
const admin = await administrator(guildhall, '*')

const entries = '/v1/admin/blocklists/email/entries'
const list = (email: string, severity = 2, on = guildhall, by = admin) =>
  on.request('POST', entries, { token: by.token, body: { email, severity } })

describe('an e-mail address on the blocklist', () => {
  const account = { password: 'a good pass phrase', date_of_birth: '1990-12-10', consent: true }
  const register = (email: string) =>
    guildhall.request('POST', '/v1/auth/register', { body: { ...account, email, username: 'banned_one' } })

  it('cannot be registered, in any spelling', async () => {
    await list('banned@example.org')
    expectRefusal(await register('Banned@Example.org'), 403, 'CONTENT_BLOCKED')
    await guildhall.request('DELETE', `${entries}/banned@example.org`, { token: admin.token })
    expect((await register('banned@example.org')).status).toBe(200)
  })

  it('cannot be registered by single sign-on, but its present holder signs in with it', async () => {
    const provider = await startOpenIdProvider()
    const other = await startWith(provider)
    try {
      const operator = await administrator(other, '*')
      const [known, stranger] = [somebody(), somebody()]
      provider.person = known
      const { user_id: id } = bodyOf(await signOn(other))
      for (const { email } of [known, stranger]) await list(email, 2, other, operator)
      expect(bodyOf(await signOn(other))).toMatchObject({ user_id: id })
      provider.person = { ...stranger, email: stranger.email.toUpperCase() }
      expectRefusal(await signOn(other), 403, 'CONTENT_BLOCKED')
      await other.request('DELETE', `${entries}/${stranger.email}`, { token: operator.token })
      expect((await signOn(other)).status).toBe(200)
    } finally {
      await other.close()
      await provider.close()
    }
  })

  it('is not taken from its holder', async () => {
    const member = await guildhall.register()
    await list(member.email)
    const { email, password } = member
    expect((await guildhall.request('POST', '/v1/auth/login', { body: { email, password } })).status).toBe(200)
  })

  it('cannot be changed to, if the entry does more than warn', async () => {
    const { token, email } = await guildhall.register()
    const step = (name: string, body?: object) =>
      guildhall.request('POST', `/v1/users/@me/email-change/${name}`, { token, ...(body ? { body } : {}) })
    const { ticket } = bodyOf(await step('start'))
    const code = codeIn(await guildhall.mailTo(email))
    const { original_proof: proof } = bodyOf(await step('verify-original', { ticket, code }))
    const wish = { ticket, original_proof: proof, new_email: 'wanted@example.org' }
    await list('wanted@example.org')
    expectRefusal(await step('request-new', wish), 403, 'CONTENT_BLOCKED')
    await list('wanted@example.org', 1)
    expect((await step('request-new', wish)).status).toBe(200)
  })
})
