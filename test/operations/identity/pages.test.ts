import { describe, expect, it, onTestFinished } from 'vitest'
import { startTestGuildhall, type TestAccount } from '../../support/test-guildhall.ts'
import { bodyOf, found, invite } from '../support/answers.ts'
import { newClient, redirectUri } from '../support/oauth2.ts'
import { fieldsIn, openPage, sendForm, type OpenedPage } from '../support/pages.ts'
import { openServer } from '../support/scene.ts'

const guildhall = await openServer()

const me = (token: string) => guildhall.request('GET', '/v1/users/@me', { token })

describe('a form that asks for a new password or a display name', () => {
  it.each(['/register', '/reset', '/wasntme'])('cuts nothing off that the server accepts, at %s', async (path) => {
    const { status, text } = await openPage(guildhall.url + path)
    expect(status).toBe(200)
    const inputs = text.match(/<input[^>]*name="(?:password|global_name)"[^>]*>/g) ?? []
    expect(inputs).not.toHaveLength(0)
    for (const input of inputs) expect(input).not.toMatch(/(?:min|max)length/)
  })
})

describe('the page of an invite', () => {
  it('shows markup in names as text, and joins for whoever signs in', async () => {
    const [ada, brian] = await Promise.all([guildhall.register(), guildhall.register()])
    const name = `<script>alert("1")</script>'&`
    const home = await found(guildhall, ada, name)
    const page = await openPage(`${guildhall.url}/invite/${await invite(guildhall, ada, home.channel)}`)
    expect(page.text).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;')
    expect(page.text).not.toContain('<script>')
    const wrong = await sendForm(page, { name: `"><b>${brian.email}`, password: brian.password })
    expect(wrong.status).toBe(400)
    expect(wrong.text).not.toContain('<b>')
    expect((await sendForm(page, { name: brian.email, password: brian.password })).status).toBe(200)
    const guilds = await guildhall.request('GET', '/v1/users/@me/guilds', { token: brian.token })
    expect(guilds.body).toMatchObject([{ id: home.id }])
  })

  it('is 404 for an invite that is not there', async () => {
    expect(await openPage(`${guildhall.url}/invite/nothing`)).toMatchObject({
      status: 404,
      text: expect.stringContaining('<h1>'),
    })
    expect(await openPage(`${guildhall.url}/gift/nothing`)).toMatchObject({
      status: 404,
      text: expect.stringContaining('<h1>'),
    })
  })
})

describe('the page where an account consents', () => {
  const state = 'a state & more'
  const consentPage = async (owner: TestAccount, wishes: Readonly<Record<string, string>> = {}) => {
    const application = await newClient(guildhall, owner)
    const wanted = { client_id: application.id, redirect_uri: redirectUri, scope: 'identify', state, ...wishes }
    const authorize = `${guildhall.url}/v1/oauth2/authorize?${new URLSearchParams(wanted).toString()}`
    const { headers } = await fetch(authorize, { redirect: 'manual' })
    return openPage(headers.get('location') ?? '')
  }
  const signedIn = async (page: OpenedPage, { email, password }: TestAccount) =>
    sendForm(page, { name: email, password })

  it('sends people back to the application with a code, once they have signed in and allowed it', async () => {
    const ada = await guildhall.register()
    const decision = await signedIn(await consentPage(ada), ada)
    const went = await sendForm(decision, { decision: 'allow' })
    const back = new URL(went.goesTo ?? '')
    expect(`${back.origin}${back.pathname}`).toBe('https://engine.example.org/back')
    expect(back.searchParams.get('code')).toMatch(/.{20}/)
    expect(back.searchParams.get('state')).toBe(state)
    const { session = '' } = fieldsIn(decision)
    expect((await me(session)).status).toBe(401)
  })

  it('sends people back with access_denied if they do not allow it', async () => {
    const ada = await guildhall.register()
    const went = await sendForm(await signedIn(await consentPage(ada), ada), { decision: 'deny' })
    const back = new URL(went.goesTo ?? '')
    expect([back.searchParams.get('error'), back.searchParams.get('code')]).toEqual(['access_denied', null])
  })

  it('sends nobody to a URL that the application has not registered', async () => {
    const ada = await guildhall.register()
    const page = await signedIn(await consentPage(ada, { redirect_uri: 'https://evil.example.org/' }), ada)
    expect((await sendForm(page, { decision: 'deny' })).goesTo).toBeUndefined()
    expect(await sendForm(page, { decision: 'allow' })).toMatchObject({ status: 401, goesTo: undefined })
  })

  it('adds a bot to a guild that its user chooses', async () => {
    const ada = await guildhall.register()
    const home = await found(guildhall, ada)
    const application = await newClient(guildhall, ada)
    const page = await openPage(`${guildhall.url}/oauth2/authorize?client_id=${application.id}&scope=bot&permissions=8`)
    const decision = await signedIn(page, ada)
    expect(decision.text).toContain(`<option value="${home.id}"`)
    expect(decision.text).toContain('ADMINISTRATOR')
    expect(decision.text).toContain('<p class="warning">As an administrator')
    expect((await sendForm(decision, { decision: 'allow', guild_id: home.id })).status).toBe(200)
    const members = await guildhall.request('GET', `/v1/guilds/${home.id}/members?limit=10`, { token: ada.token })
    expect(members.body).toHaveLength(2)
  })

  it('has allowing as its main button, and warns of no bot that asks for less than everything', async () => {
    const ada = await guildhall.register()
    await found(guildhall, ada)
    const application = await newClient(guildhall, ada)
    const page = await openPage(`${guildhall.url}/oauth2/authorize?client_id=${application.id}&scope=bot&permissions=4`)
    const decision = await signedIn(page, ada)
    const buttons = decision.text
      .match(/<button[^>]*>/g)
      ?.map((button) => [button.includes('class="main"'), /value="(\w+)"/.exec(button)?.[1]])
    expect(buttons).toEqual([
      [true, 'allow'],
      [false, 'deny'],
    ])
    expect(decision.text).not.toContain('class="warning"')
  })
})

describe('the form of a page', () => {
  it('has the limits of the operation that it runs', async () => {
    const limited = await startTestGuildhall({ rateLimits: true })
    onTestFinished(() => limited.close())
    const page = await openPage(`${limited.url}/authorize-ip`)
    const statuses: number[] = []
    for (let sent = 0; sent < 6; sent += 1) statuses.push((await sendForm(page, { token: 'a'.repeat(64) })).status)
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
    const body = { token: 'a'.repeat(64) }
    expect((await limited.request('POST', '/v1/auth/authorize-ip', { body })).status).toBe(429)
  })
})

describe('every page', () => {
  it.each([
    '/',
    '/verify',
    '/reset',
    '/wasntme',
    '/authorize-ip',
    '/register',
    '/auth/sso/callback',
    '/oauth2/authorize',
  ])('is kept by nobody, framed by nobody, and runs nothing of others: %s', async (path) => {
    const page = await openPage(`${guildhall.url}${path}`)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    const policies = page.headers.get('content-security-policy')?.split('; ')
    expect(policies).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'", "form-action 'self'"]))
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe')
    expect(page.headers.get('set-cookie')).toBeNull()
    expect(page.text).not.toMatch(/<script(?! src)|<style| style=| on[a-z]+=/)
  })

  it('is in the language of its reader', async () => {
    const page = await openPage(`${guildhall.url}/verify`, { 'accept-language': 'de-AT,en;q=0.5' })
    expect(page.text).toContain('<html lang="de">')
    expect(page.text).toContain('E-Mail-Adresse bestätigen')
    const refused = await sendForm(page, { token: 'x' }, { 'accept-language': 'de' })
    expect(refused.text).toContain('<html lang="de">')
  })

  it('takes no form of another site', async () => {
    const page = await openPage(`${guildhall.url}/verify`)
    for (const site of ['cross-site', 'same-site'])
      expect((await sendForm(page, { token: 'x' }, { 'sec-fetch-site': site })).status).toBe(403)
    expect((await sendForm(page, { token: 'x' }, { 'sec-fetch-site': 'same-origin' })).status).toBe(400)
  })

  it('takes no form that is too large, or is none', async () => {
    const post = (body: string, type: string) =>
      fetch(`${guildhall.url}/verify`, { method: 'POST', body, headers: { 'content-type': type } })
    expect((await post(`token=${'x'.repeat(70_000)}`, 'application/x-www-form-urlencoded')).status).toBe(400)
    expect((await post('{}', 'application/json')).status).toBe(400)
  })

  it('changes nothing of other paths, and is in no API document', async () => {
    for (const [method, path] of [
      ['GET', '/nothing'],
      ['POST', '/'],
      ['PUT', '/verify'],
      ['GET', '/pages/nothing'],
      ['GET', '/invite/'],
    ] as const)
      expect(await guildhall.request(method, path)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    const { paths } = bodyOf(await guildhall.request('GET', '/v1/openapi.json'))
    expect(Object.keys(paths as object).filter((path) => !/^\/(?:v1|\.well-known|webhooks)\//.test(path))).toEqual([])
  })
})
