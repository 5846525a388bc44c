import { describe, expect, it } from 'vitest'
import { freshPolicy } from '../../../domain/instance/fresh-policy.ts'
import { bodyOf, found, invite } from '../support/answers.ts'
import { newClient, redirectUri } from '../support/oauth2.ts'
import { fieldsIn, openPage, sendForm, type OpenedPage } from '../support/pages.ts'
import { openServer } from '../support/scene.ts'
import { withPolicy } from '../support/single-sign-on.ts'

/** The ways to an account from the pages for people. */

const guildhall = await openServer({ policy: { ...freshPolicy } })
const ada = await guildhall.register()
const home = await found(guildhall, ada)
const inviteUrl = `${guildhall.url}/invite/${await invite(guildhall, ada, home.channel)}`

/** The page that creates an account, as a page links to it. */
async function newAccountPage(page: OpenedPage): Promise<OpenedPage> {
  const link = /<a href="([^"]*\/register[^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&')
  if (link === undefined) throw new Error(`No link to an account: ${page.text}`)
  return openPage(new URL(link, page.url).href)
}

let people = 0
function newcomer() {
  people += 1
  return { email: `newcomer${people}@example.org`, username: `newcomer${people}`, password: 'a fine password' }
}

const login = async ({ email, password }: { readonly email: string; readonly password: string }) =>
  String(bodyOf(await guildhall.request('POST', '/v1/auth/login', { body: { email, password } }))['token'])

describe('whoever has no account', () => {
  it('creates one on the way from an invite, and joins', async () => {
    const person = newcomer()
    const created = await sendForm(await newAccountPage(await openPage(inviteUrl)), person)
    expect(created.status).toBe(200)
    const { session = '' } = fieldsIn(created)
    expect((await sendForm(created, {})).text).toContain('You are a member of')
    const guilds = await guildhall.request('GET', '/v1/users/@me/guilds', { token: await login(person) })
    expect(guilds.body).toMatchObject([{ id: home.id }])
    expect((await guildhall.request('GET', '/v1/users/@me', { token: session })).status).toBe(401)
  })

  it('creates one on the way from a consent, and decides then', async () => {
    const application = await newClient(guildhall, ada)
    const wanted = { client_id: application.id, redirect_uri: redirectUri, scope: 'identify', state: 'a & b' }
    const consent = await openPage(`${guildhall.url}/oauth2/authorize?${new URLSearchParams(wanted).toString()}`)
    const decision = await sendForm(await sendForm(await newAccountPage(consent), newcomer()), {})
    expect(decision.text).toContain('value="allow"')
    const back = new URL((await sendForm(decision, { decision: 'allow' })).goesTo ?? '')
    expect([back.searchParams.get('state'), back.searchParams.has('code')]).toEqual(['a & b', true])
  })

  it.each(['https://evil.example.org/invite/x', '//evil.example.org', '/reset', '/register', 'invite/x'])(
    'goes on to no page that acts for nobody, and to no other site: %s',
    async (next) => {
      const page = await openPage(`${guildhall.url}/register?${new URLSearchParams({ next }).toString()}`)
      expect(fieldsIn(page)['next']).toBeUndefined()
      const created = await sendForm(page, { ...newcomer(), next })
      expect([created.status, created.text.includes('<form')]).toEqual([200, false])
    },
  )

  it('reads that a registration needs approval, and goes on nowhere', async () => {
    await withPolicy(guildhall, { registration: { mode: 'approval' } }, async () => {
      const pending = await sendForm(await newAccountPage(await openPage(inviteUrl)), newcomer())
      expect(pending.text).toContain('waits for approval')
      expect(pending.text).not.toContain('<form')
    })
  })

  it('reads that only a registration link helps, and uses one, where registration is closed', async () => {
    await withPolicy(guildhall, { registration: { mode: 'closed', urlsEnabled: true } }, async () => {
      const page = await openPage(inviteUrl)
      expect(page.text).toContain('You need a registration link')
      const form = await newAccountPage(page)
      expect(form.text).toMatch(/<input name="code"[^>]* required/)
      expect((await sendForm(form, { ...newcomer(), code: 'wrong' })).status).toBe(400)
    })
  })

  it('reads that there are no new accounts where nothing leads to one', async () => {
    await withPolicy(guildhall, { registration: { mode: 'closed', urlsEnabled: false } }, async () => {
      const page = await openPage(inviteUrl)
      expect(page.text).toContain('takes no new accounts')
      expect(page.text).not.toContain('/register')
      const form = await openPage(`${guildhall.url}/register`)
      expect(form.text).toContain('takes no new accounts')
      expect(form.text).not.toContain('<form')
    })
  })
})

describe('the page that creates an account', () => {
  const asked = async () => (await openPage(`${guildhall.url}/register`)).text

  it('asks for consent to no documents where the instance has none', async () => {
    const page = await openPage(`${guildhall.url}/register`)
    expect(page.text).not.toMatch(/name="consent"|agree|terms/i)
    expect((await sendForm(page, newcomer())).status).toBe(200)
  })

  it('asks for consent to the documents that the instance has, and links to these', async () => {
    const termsUrl = 'https://example.org/terms?a&b'
    await withPolicy(guildhall, { legal: { termsUrl } }, async () => {
      const text = await asked()
      expect(text).toMatch(/<input type="checkbox" name="consent" required/)
      expect(text).toContain('<a href="https://example.org/terms?a&amp;b" target="_blank" rel="noreferrer">Terms</a>')
      expect(text).not.toContain('Privacy')
      const page = await openPage(`${guildhall.url}/register`)
      expect((await sendForm(page, newcomer())).status).toBe(400)
      expect((await sendForm(page, { ...newcomer(), consent: 'on' })).status).toBe(200)
    })
    await withPolicy(guildhall, { legal: { privacyUrl: 'https://example.org/privacy' } }, async () => {
      const text = await asked()
      expect(text).toContain('>Privacy</a>')
      expect(text).not.toContain('>Terms</a>')
    })
  })
})
