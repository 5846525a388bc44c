import { describe, expect, it } from 'vitest'
import { consoleApplicationId } from '../../../application/apps/console/console-application.ts'
import { sessionTokenHash } from '../../../application/identity/tokens/session-token.ts'
import { administrator as newAdministrator } from '../../support/administrators.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { bodyOf, expectRefusal, listOf } from '../support/answers.ts'
import {
  beginSignIn,
  codeIn,
  exchangeCode,
  refreshConsole,
  signedInBy,
  signInToConsole,
  state,
} from '../support/console.ts'
import { expectProtocolError, sendForm as sendOAuth2 } from '../support/oauth2.ts'
import { openPage, sendForm } from '../support/pages.ts'
import { openServer } from '../support/scene.ts'

const guildhall = await openServer()
const { request } = guildhall

const admin = (token: string) => request('GET', '/v1/admin/users/@me', { token })
const login = async ({ email, password }: TestAccount): Promise<string> =>
  String(bodyOf(await request('POST', '/v1/auth/login', { body: { email, password } }))['token'])
const sessionsOf = async (token: string) => listOf(await request('GET', '/v1/auth/sessions', { token }))

const administrator = () => newAdministrator(guildhall, 'admin:authenticate')

describe('GET /console/config.json', () => {
  it('tells the console its id, the sign-in page and the API, without a host', async () => {
    const answer = await request('GET', '/console/config.json')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(bodyOf(answer)).toStrictEqual({
      client_id: consoleApplicationId,
      authorize_url: '/console/sign-in',
      api_url: '/',
      instance_name: 'guildhall',
    })
  })
})

describe('a sign-in to the console', () => {
  it('leads back to it with a code at once, and the code gives an administrator their access', async () => {
    const ada = await administrator()
    const { url, verifier } = beginSignIn(guildhall)
    const back = await sendForm(await openPage(url), { name: ada.email, password: ada.password })
    expect(back.status).toBe(303)
    expect(back.headers.get('location')).toMatch(/^\/console\/callback\?/)
    expect(new URL(back.headers.get('location') ?? '', url).searchParams.get('state')).toBe(state)
    const answer = await exchangeCode(guildhall, codeIn(back), verifier)
    expect(bodyOf(answer)).toStrictEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 604_800,
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('set-cookie')).toMatch(
      /^guildhall_console=[\w-]{43}; Path=\/console; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    )
    expect(bodyOf(await admin(signedInBy(answer).token))).toMatchObject({ user: { id: ada.id } })
  })

  it('is open to everybody, and the API refuses who is no administrator', async () => {
    const brian = await guildhall.register()
    const { token } = await signInToConsole(guildhall, brian)
    expectRefusal(await admin(token), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await request('PATCH', '/v1/users/@me', { token, body: {} }), 403, 'ACCESS_DENIED')
  })

  it('is begun by the address of every other application too', async () => {
    const query = new URLSearchParams({
      client_id: consoleApplicationId,
      scope: 'identify',
      state,
      code_challenge: 'c',
    })
    const asked = await openPage(`${guildhall.url}/v1/oauth2/authorize?${query.toString()}`)
    const page = await openPage(asked.headers.get('location') ?? '')
    expect(page.headers.get('location')).toMatch(/^\/console\/sign-in\?/)
  })

  it('needs a state and a challenge by S256', async () => {
    const { url } = beginSignIn(guildhall)
    for (const wrong of [url.replace('S256', 'plain'), url.replace('state', 'st'), `${guildhall.url}/console/sign-in`])
      expect((await openPage(wrong)).status).toBe(400)
    const { token } = await guildhall.register()
    const consent = (challenge: object) =>
      request('POST', '/v1/oauth2/authorize/consent', {
        token,
        body: {
          client_id: consoleApplicationId,
          redirect_uri: `${guildhall.url}/console/callback`,
          scope: 'identify',
          ...challenge,
        },
      })
    for (const challenge of [{}, { code_challenge: 'c', code_challenge_method: 'plain' }])
      expectProtocolError(await consent(challenge), 'invalid_request')
  })

  it('gives no code without asking, whatever was allowed before', async () => {
    const ada = await administrator()
    await signInToConsole(guildhall, ada)
    const wishes = {
      client_id: consoleApplicationId,
      redirect_uri: `${guildhall.url}/console/callback`,
      scope: 'identify',
    }
    const query = new URLSearchParams({ ...wishes, prompt: 'none', code_challenge: 'c', code_challenge_method: 'S256' })
    const headers = { authorization: ada.token }
    const { headers: answered } = await openPage(`${guildhall.url}/v1/oauth2/authorize?${query.toString()}`, headers)
    expect(answered.get('location')).toContain('error=consent_required')
  })

  it('is a session of the account, which it sees as the console among its authorisations', async () => {
    const ada = await administrator()
    const before = await sessionsOf(ada.token)
    await signInToConsole(guildhall, ada)
    expect(await sessionsOf(ada.token)).toHaveLength(before.length + 1)
    const authorizations = await request('GET', '/v1/oauth2/@me/authorizations', { token: ada.token })
    expect(listOf(authorizations)).toMatchObject([{ application: { id: consoleApplicationId, name: 'Console' } }])
  })
})

describe('the code of a sign-in', () => {
  it('is worth nothing without the verifier of the browser that began it, nor a second time', async () => {
    const ada = await administrator()
    const signIn = async () => {
      const { url, verifier } = beginSignIn(guildhall)
      return {
        code: codeIn(await sendForm(await openPage(url), { name: ada.email, password: ada.password })),
        verifier,
      }
    }
    const one = await signIn()
    expectRefusal(await exchangeCode(guildhall, one.code, 'of another browser'), 401, 'UNAUTHORIZED')
    expectRefusal(await exchangeCode(guildhall, one.code, one.verifier), 401, 'UNAUTHORIZED')
    const other = await signIn()
    const { token } = signedInBy(await exchangeCode(guildhall, other.code, other.verifier))
    expect((await admin(token)).status).toBe(200)
    expectRefusal(await exchangeCode(guildhall, other.code, other.verifier), 401, 'UNAUTHORIZED')
    expectRefusal(await admin(token), 401, 'UNAUTHORIZED')
  })

  it('and its tokens are of no use at the endpoints of other applications', async () => {
    const ada = await administrator()
    const { url, verifier } = beginSignIn(guildhall)
    const code = codeIn(await sendForm(await openPage(url), { name: ada.email, password: ada.password }))
    const client = { client_id: consoleApplicationId, client_secret: 'a secret' }
    const form = { ...client, code, redirect_uri: `${guildhall.url}/console/callback`, code_verifier: verifier }
    expectProtocolError(
      await sendOAuth2(guildhall, 'token', { grant_type: 'authorization_code', ...form }),
      'invalid_client',
    )
    const { token, cookie } = signedInBy(await exchangeCode(guildhall, code, verifier))
    for (const stolen of [token.slice('Bearer '.length), cookie.split('=')[1] ?? '']) {
      const inspected = { ...client, token: stolen }
      expectProtocolError(await sendOAuth2(guildhall, 'introspect', inspected), 'invalid_client')
      expectProtocolError(await sendOAuth2(guildhall, 'token/revoke', inspected), 'invalid_client')
    }
    expect((await admin(token)).status).toBe(200)
  })

  it('is worth nothing once the account has ended the session', async () => {
    const ada = await administrator()
    const { url, verifier } = beginSignIn(guildhall)
    const code = codeIn(await sendForm(await openPage(url), { name: ada.email, password: ada.password }))
    const body = { password: ada.password }
    expect((await request('POST', '/v1/auth/sessions/logout-all', { token: ada.token, body })).status).toBe(204)
    expectRefusal(await exchangeCode(guildhall, code, verifier), 401, 'UNAUTHORIZED')
  })
})

describe('Refresh console sign-in', () => {
  it('gives a new access token and a new cookie', async () => {
    const console = await signInToConsole(guildhall, await administrator())
    const answer = await refreshConsole(guildhall, console)
    expect(Object.keys(bodyOf(answer))).toStrictEqual(['access_token', 'token_type', 'expires_in'])
    const next = signedInBy(answer)
    expect(next.cookie).not.toBe(console.cookie)
    expect((await admin(next.token)).status).toBe(200)
    expect((await refreshConsole(guildhall, next)).status).toBe(200)
  })

  it('lets both of two tabs go on that ask at once, and whoever repeats a request whose answer was lost', async () => {
    const console = await signInToConsole(guildhall, await administrator())
    const together = await Promise.all([refreshConsole(guildhall, console), refreshConsole(guildhall, console)])
    for (const answer of [...together, await refreshConsole(guildhall, console)]) {
      const tab = signedInBy(answer)
      expect((await admin(tab.token)).status).toBe(200)
      expect((await refreshConsole(guildhall, tab)).status).toBe(200)
    }
  })

  it('refuses without a cookie that holds, and clears it', async () => {
    for (const cookie of ['guildhall_console=nothing', 'guildhall_console=', 'other=1']) {
      const answer = await refreshConsole(guildhall, { cookie })
      expectRefusal(answer, 401, 'UNAUTHORIZED')
      expect(answer.headers.get('set-cookie')).toMatch(/^guildhall_console=; Path=\/console; Max-Age=0; HttpOnly/)
    }
    expectRefusal(await request('POST', '/console/session/refresh'), 401, 'UNAUTHORIZED')
  })
})

describe('End console sign-in', () => {
  it('ends its tokens and its session, and no other one', async () => {
    const ada = await administrator()
    const [one, other] = [await signInToConsole(guildhall, ada), await signInToConsole(guildhall, ada)]
    const before = await sessionsOf(ada.token)
    const answer = await request('DELETE', '/console/session', { headers: { cookie: one.cookie } })
    expect(answer).toMatchObject({ status: 204, body: undefined })
    expect(answer.headers.get('set-cookie')).toMatch(/^guildhall_console=; Path=\/console; Max-Age=0; HttpOnly/)
    expectRefusal(await admin(one.token), 401, 'UNAUTHORIZED')
    expectRefusal(await refreshConsole(guildhall, one), 401, 'UNAUTHORIZED')
    expect(await sessionsOf(ada.token)).toHaveLength(before.length - 1)
    expect((await admin(other.token)).status).toBe(200)
    expect((await refreshConsole(guildhall, other)).status).toBe(200)
    expect((await request('DELETE', '/console/session')).status).toBe(204)
  })

  it('ends what a refresh has given since, though the browser still has an earlier cookie', async () => {
    const console = await signInToConsole(guildhall, await administrator())
    const later = signedInBy(await refreshConsole(guildhall, console))
    await request('DELETE', '/console/session', { headers: { cookie: console.cookie } })
    expectRefusal(await admin(later.token), 401, 'UNAUTHORIZED')
    expectRefusal(await refreshConsole(guildhall, later), 401, 'UNAUTHORIZED')
  })
})

describe('a request of another site', () => {
  it.each(['cross-site', 'same-site'])('is refused: %s', async (site) => {
    const { cookie } = await signInToConsole(guildhall, await administrator())
    const headers = { cookie, 'sec-fetch-site': site }
    const body = { code: 'c', code_verifier: 'v' }
    expectRefusal(await request('POST', '/console/session', { headers, body }), 403, 'INVALID_API_ORIGIN')
    expectRefusal(await refreshConsole(guildhall, { cookie }, headers), 403, 'INVALID_API_ORIGIN')
    expectRefusal(await request('DELETE', '/console/session', { headers }), 403, 'INVALID_API_ORIGIN')
    expect((await refreshConsole(guildhall, { cookie }, { 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })
})

describe('a form, which may be of another site', () => {
  it('signs nobody in', async () => {
    const body = { code: 'c', code_verifier: 'v' }
    for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
      expectRefusal(
        await request('POST', '/console/session', { headers: { 'content-type': type }, body }),
        403,
        'INVALID_API_ORIGIN',
      )
  })
})

describe('Log out sessions', () => {
  it('ends the one sign-in to the console that it names', async () => {
    const ada = await administrator()
    const other = await signInToConsole(guildhall, ada)
    const hashes = async () => new Set((await sessionsOf(ada.token)).map(({ id_hash: hash }) => String(hash)))
    const known = await hashes()
    const console = await signInToConsole(guildhall, ada)
    const named = [...(await hashes())].filter((hash) => !known.has(hash) && hash !== sessionTokenHash(ada.token))
    expect(named).toHaveLength(1)
    const body = { session_id_hashes: named, password: ada.password }
    expect((await request('POST', '/v1/auth/sessions/logout', { token: ada.token, body })).status).toBe(204)
    expectRefusal(await admin(console.token), 401, 'UNAUTHORIZED')
    expectRefusal(await refreshConsole(guildhall, console), 401, 'UNAUTHORIZED')
    expect((await admin(other.token)).status).toBe(200)
    expect(await login(ada)).toMatch(/^gld_/)
  })
})
