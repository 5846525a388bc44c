import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { freshPolicy } from '../../../domain/instance/fresh-policy.ts'
import { createRegistrationUrl } from '../../../application/identity/registrations/registration-urls.ts'
import { testRequester } from '../../support/test-requester.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { bodyOf, found, invite } from '../support/answers.ts'
import { newClient, redirectUri } from '../support/oauth2.ts'
import { fieldsIn, openPage, sendForm, type OpenedPage } from '../support/pages.ts'
import { changeEmailAddress } from '../support/recovery.ts'
import { openProvider, openWith, somebody } from '../support/single-sign-on.ts'

const provider = await openProvider()
const registration = { ...freshPolicy.registration, urlsEnabled: true }
const settings = {
  withMailServer: true,
  trustedProxies: ['127.0.0.1'],
  policy: { ipAuthorization: true, registration },
}
const guildhall = await openWith(provider, { displayName: 'The Engine' }, settings)
const newPassword = 'a new password'

const login = ({ email }: TestAccount, password: string, headers = {}) =>
  guildhall.request('POST', '/v1/auth/login', { body: { email, password }, headers })
const me = (token: string) => guildhall.request('GET', '/v1/users/@me', { token })

/** The link in a mail. */
async function mailedLink(address: string, count?: number): Promise<string> {
  const { subject, text } = await guildhall.mailTo(address, count)
  const link = /https?:\/\/\S+#token=\S+/.exec(text)?.[0]
  if (link === undefined) throw new Error(`There is no link in ${subject}`)
  return link
}

/** Opens a link as a browser without scripts does, whose user pastes the link into the form. */
async function pasted(link: string, fields: Readonly<Record<string, string>> = {}): Promise<OpenedPage> {
  const page = await openPage(link)
  expect(page.status).toBe(200)
  return sendForm(page, { token: link, ...fields })
}

describe('a mailed link', () => {
  it('verifies the address of an account', async () => {
    const ada = await guildhall.register()
    const link = await mailedLink(ada.email, 1)
    expect(await pasted(link)).toMatchObject({ status: 200, text: expect.stringContaining('is verified') })
    expect(bodyOf(await me(ada.token))).toMatchObject({ verified: true })
    expect(await pasted(link)).toMatchObject({ status: 400, text: expect.stringContaining('role="alert"') })
  })

  it('sets a new password, and leaves no session behind', async () => {
    const ada = await guildhall.register()
    await guildhall.request('POST', '/v1/auth/forgot', { body: { email: ada.email } })
    const link = await mailedLink(ada.email, 2)
    const refused = await pasted(link, { password: 'short' })
    expect(refused.status).toBe(400)
    expect(fieldsIn(refused)['token']).toHaveLength(64)
    expect(refused.text).not.toContain('short')
    expect(await sendForm(refused, { password: newPassword })).toMatchObject({ status: 200 })
    expect((await me(ada.token)).status).toBe(401)
    const signedIn = bodyOf(await login(ada, newPassword))
    const sessions = await guildhall.request('GET', '/v1/auth/sessions', { token: String(signedIn['token']) })
    expect(sessions.body).toHaveLength(1)
  })

  it('takes back a change of the address', async () => {
    const ada = await guildhall.register()
    const token = await changeEmailAddress(guildhall, ada, `thief-${ada.email}`)
    const done = await pasted(`${guildhall.url}/wasntme#token=${token}`, { password: newPassword })
    expect(done.status).toBe(200)
    expect(bodyOf(await login(ada, newPassword))).toMatchObject({ user_id: ada.id })
  })

  it('allows a sign-in from a new address', async () => {
    const ada = await guildhall.register()
    const away = { 'x-forwarded-for': '198.51.100.20' }
    expect(await login(ada, ada.password, away)).toMatchObject({ body: { code: 'IP_AUTHORIZATION_REQUIRED' } })
    expect((await pasted(await mailedLink(ada.email, 2))).status).toBe(200)
    expect((await login(ada, ada.password, away)).status).toBe(200)
  })
})

describe('a registration URL', () => {
  it('leads to a form that creates an account', async () => {
    const wishes = { label: null, expiresAt: null, maxUses: null, approvalRequired: false }
    const { url } = await createRegistrationUrl(guildhall.ports)(testRequester().context, wishes)
    const page = await openPage(url)
    const email = `${randomBytes(6).toString('hex')}@example.com`
    const wish = { code: url, email, username: 'lovelace', date_of_birth: '1990-12-10', consent: 'on' }
    const refused = await sendForm(page, { ...wish, password: 'short' })
    expect(refused.status).toBe(400)
    expect(fieldsIn(refused)).toMatchObject({ email, username: 'lovelace' })
    const done = await sendForm(refused, { ...wish, password: newPassword })
    expect(done).toMatchObject({ status: 200, text: expect.stringContaining('is created') })
    expect((await guildhall.request('POST', '/v1/auth/login', { body: { email, password: newPassword } })).status).toBe(
      200,
    )
  })
})

describe('the page that a provider of single sign-on sends people back to', () => {
  /** Chooses single sign-on on a page, and goes to the provider and back as a browser does. */
  const signedOn = async (page: OpenedPage): Promise<OpenedPage> => {
    const sent = await sendForm(page, {}, {}, 1)
    const { headers } = await fetch(sent.goesTo ?? '', { redirect: 'manual' })
    return openPage(headers.get('location') ?? '')
  }

  it('leads on to the invite that somebody signs in for', async () => {
    const ada = await guildhall.register()
    await pasted(await mailedLink(ada.email, 1))
    const home = await found(guildhall, ada)
    provider.person = somebody({ name: '<i>Lovelace</i>' })
    const back = await signedOn(await openPage(`${guildhall.url}/invite/${await invite(guildhall, ada, home.channel)}`))
    const done = await sendForm(back, {})
    expect(done.text).toContain('&lt;i&gt;Lovelace')
    const { session = '' } = fieldsIn(done)
    expect((await sendForm(done, {})).status).toBe(200)
    expect((await me(session)).status).toBe(401)
    const members = await guildhall.request('GET', `/v1/guilds/${home.id}/members?limit=10`, { token: ada.token })
    expect(members.body).toHaveLength(2)
  })

  it('leads on to the consent that somebody signs in for', async () => {
    const ada = await guildhall.register()
    await pasted(await mailedLink(ada.email, 1))
    const { id } = await newClient(guildhall, ada)
    provider.person = somebody()
    const wanted = new URLSearchParams({ client_id: id, redirect_uri: redirectUri, scope: 'identify' })
    const back = await signedOn(await openPage(`${guildhall.url}/oauth2/authorize?${wanted.toString()}`))
    const decision = await sendForm(await sendForm(back, {}), {})
    const went = await sendForm(decision, { decision: 'allow' })
    expect(new URL(went.goesTo ?? '').searchParams.get('code')).not.toBeNull()
  })

  it('uses up a code only by its form, once', async () => {
    provider.person = somebody()
    const started = bodyOf(await guildhall.request('POST', '/v1/auth/sso/start', { body: {} }))
    const { headers } = await fetch(String(started['authorization_url']), { redirect: 'manual' })
    const callback = headers.get('location') ?? ''
    await openPage(callback)
    const page = await openPage(callback)
    const done = await sendForm(page, {})
    const token = /<code>(gld_\w+)<\/code>/.exec(done.text)?.[1] ?? ''
    expect((await me(token)).status).toBe(200)
    expect((await sendForm(page, {})).status).toBe(400)
  })

  it('says what the provider refused', async () => {
    const page = await openPage(`${guildhall.url}/auth/sso/callback?error=access_denied&error_description=%3Cb%3ENo`)
    expect(page).toMatchObject({ status: 400, text: expect.stringContaining('&lt;b&gt;No') })
  })
})
