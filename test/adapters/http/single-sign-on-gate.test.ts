import { describe, expect, it } from 'vitest'
import { memoryRateLimits } from '../../../adapters/http/limits/rate-limits.ts'
import { allOperations } from '../../../adapters/http/operations/all-operations.ts'
import { adaToken, codesOf, startServer } from './support.ts'

/** What enforced single sign-on closes. Resetting a password by a recovery key is a password reset too. */
const closed: readonly string[] = [
  'POST /v1/auth/register',
  'POST /v1/auth/login',
  'POST /v1/auth/webauthn/authentication-options',
  'POST /v1/auth/webauthn/authenticate',
  'POST /v1/auth/login/mfa/totp',
  'POST /v1/auth/login/mfa/webauthn/authentication-options',
  'POST /v1/auth/login/mfa/webauthn',
  'POST /v1/auth/passkey-bridge/start',
  'POST /v1/auth/passkey-bridge/redeem',
  'POST /v1/auth/verify',
  'POST /v1/auth/verify/resend',
  'POST /v1/auth/forgot',
  'GET /v1/auth/reset/:token',
  'POST /v1/auth/reset',
  'POST /v1/auth/recovery-kit',
  'POST /v1/auth/email-revert',
  'POST /v1/auth/authorize-ip',
  'POST /v1/auth/ip-authorization/resend',
  'GET /v1/auth/ip-authorization/poll',
  'POST /v1/auth/username-suggestions',
]

const table = allOperations.map(({ method, path }) => ({ route: `${method} ${path}`, method, path }))
const pathOf = (path: string) => path.replace(/:\w+/g, '1')

/** A server on which single sign-on is enforced; `asked` counts the checks whether it is. */
async function enforcing(isEnforced = true) {
  const count = { asked: 0 }
  const server = await startServer(allOperations, {
    rateLimits: memoryRateLimits(),
    isSingleSignOnEnforced: async () => {
      count.asked += 1
      return isEnforced
    },
  })
  return { server, count }
}

describe('while single sign-on is enforced', () => {
  it('there are all the operations that it closes', () => {
    const routes = table.map(({ route }) => route)
    expect(closed.filter((route) => !routes.includes(route))).toStrictEqual([])
  })

  it('those, and no others, answer 403 SSO_REQUIRED', async () => {
    const { server } = await enforcing()
    const answering: string[] = []
    for (const { route, method, path } of table) {
      const [code] = await codesOf(await server.fetch(pathOf(path), { method, token: adaToken }))
      if (code === '403 SSO_REQUIRED') answering.push(route)
    }
    expect(answering.toSorted()).toStrictEqual(closed.toSorted())
  })

  it('they do so before the limits, the credential and the body are looked at', async () => {
    const { server } = await enforcing()
    for (let request = 0; request < 15; request += 1) {
      for (const [path, init] of [
        ['/v1/auth/login', { body: '{' }],
        ['/v1/auth/verify/resend', {}],
        ['/v1/auth/verify/resend', { token: `gld_${'z'.repeat(36)}` }],
      ] as const) {
        expect(await codesOf(await server.fetch(path, { method: 'POST', ...init }))).toStrictEqual(['403 SSO_REQUIRED'])
      }
    }
  })

  it('it is asked once for each request to one of them, and never for another', async () => {
    const { server, count } = await enforcing(false)
    await server.fetch('/v1/auth/login', { method: 'POST', body: '{}' })
    expect(count.asked).toBe(1)
    for (const { route, method, path } of table) {
      if (!closed.includes(route)) await server.fetch(pathOf(path), { method, token: adaToken })
    }
    expect(count.asked).toBe(1)
  })
})
