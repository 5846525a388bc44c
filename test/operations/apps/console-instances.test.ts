import { describe, expect, it } from 'vitest'
import { consoleApplicationId } from '../../../application/apps/console/console-application.ts'
import { bodyOf, expectRefusal } from '../support/answers.ts'
import {
  beginSignIn,
  codeIn,
  cookieIn,
  exchangeCode,
  refreshConsole,
  signedInBy,
  signInToConsole,
} from '../support/console.ts'
import { openPage, sendForm } from '../support/pages.ts'
import { openServer } from '../support/scene.ts'
import { openProvider, openWith, somebody } from '../support/single-sign-on.ts'

describe('an instance', async () => {
  const below = await openServer({ publicUrl: 'https://chat.example.com/hall' })
  const elsewhere = await openServer({ webappUrl: 'https://app.example.com' })
  const without = await openServer({ console: false })
  const provider = await openProvider()
  const enforced = await openWith(provider, { enforced: true })

  it('below a path has the console there too', async () => {
    const config = bodyOf(await below.request('GET', '/console/config.json'))
    expect(config).toMatchObject({ authorize_url: '/hall/console/sign-in', api_url: '/hall/' })
    const ada = await below.register()
    const { url, verifier } = beginSignIn(below)
    const page = await openPage(url)
    expect(page.text).toContain('action="/hall/console/sign-in"')
    const form = new URLSearchParams({ request: url.split('?')[1] ?? '', step: 'password', name: ada.email })
    form.set('password', ada.password)
    const back = await fetch(`${below.url}/console/sign-in`, { method: 'POST', body: form, redirect: 'manual' })
    expect(back.headers.get('location')).toMatch(/^\/hall\/console\/callback\?/)
    const code = new URL(back.headers.get('location') ?? '', url).searchParams.get('code') ?? ''
    const answer = await exchangeCode(below, code, verifier)
    expect(answer.headers.get('set-cookie')).toMatch(/; Path=\/hall\/console; .*; Secure$/)
    expect((await refreshConsole(below, { cookie: cookieIn(answer) })).status).toBe(200)
  })

  it('whose people are sent elsewhere signs them in to the console here all the same', async () => {
    const { token } = await signInToConsole(elsewhere, await elsewhere.register())
    expectRefusal(await elsewhere.request('GET', '/v1/admin/users/@me', { token }), 403, 'MISSING_PERMISSIONS')
  })

  it('with single sign-on alone signs in to the console there', async () => {
    provider.person = somebody()
    const { url, verifier } = beginSignIn(enforced)
    const page = await openPage(url)
    expect(page.text).not.toMatch(/name="password"|data-passkeys/)
    const sent = await sendForm(page, {})
    const { headers } = await fetch(sent.goesTo ?? '', { redirect: 'manual' })
    const done = await sendForm(await openPage(headers.get('location') ?? ''), {})
    const { token } = signedInBy(await exchangeCode(enforced, codeIn(await sendForm(done, {})), verifier))
    expectRefusal(await enforced.request('GET', '/v1/admin/users/@me', { token }), 403, 'MISSING_PERMISSIONS')
  })

  it('without the console has nothing of it, and knows no application of its id', async () => {
    const body = { code: 'c', code_verifier: 'v' }
    for (const [method, path] of [
      ['GET', '/console'],
      ['GET', '/console/'],
      ['GET', '/console/assets/app.js'],
      ['GET', '/console/config.json'],
      ['GET', '/console/sign-in'],
      ['POST', '/console/session'],
      ['POST', '/console/session/refresh'],
      ['DELETE', '/console/session'],
    ] as const)
      expectRefusal(await without.request(method, path, method === 'POST' ? { body } : {}), 404, 'NOT_FOUND')
    const known = await without.request('GET', `/v1/applications/${consoleApplicationId}/public`)
    expect(known.status).toBe(404)
  })
})
