import { describe, expect, it } from 'vitest'
import { accounts, admin, anyone, bearers, bots } from '../../../adapters/http/callers.ts'
import { requireAllowedCaller } from '../../../adapters/http/authentication/allowed-callers.ts'
import { Refused } from '../../../application/commands/refused.ts'
import { guarded } from './operations.ts'
import { account, adaToken, adminKey, bearer, codesOf, resolveCredential, robot, startServer } from './support.ts'

const callerOf = async (response: Response) => ((await response.json()) as { caller: string | null }).caller

describe('a credential', () => {
  it.each([
    ['a session token by itself', adaToken],
    ['a session token behind Bearer', `Bearer ${adaToken}`],
    ['a session token with whitespace around the header', `  ${adaToken}\t`],
  ])('is %s', async (_, token) => {
    const server = await startServer([guarded(accounts())])
    expect(await callerOf(await server.fetch('/v1/guarded', { token }))).toBe('1001')
  })

  const unresolvable = [
    ['none', undefined],
    ['an empty one', ''],
    ['an unknown token', `gld_${'z'.repeat(36)}`],
    ['a token that is too short', adaToken.slice(0, -1)],
    ['a token that is too long', `${adaToken}a`],
    ['a prefix in another case', `bearer ${adaToken}`],
    ['a prefix in capitals', `BEARER ${adaToken}`],
    ['two spaces', `Bearer  ${adaToken}`],
    ['a tab for a space', `Bearer\t${adaToken}`],
    ['a prefix alone', 'Bearer'],
    ['a session token as a bot', `Bot ${adaToken}`],
    ['a session token as an Admin key', `Admin ${adaToken}`],
    ['another scheme', `Basic ${adaToken}`],
    ['a bot token', 'Bot 2001.secret'],
    ['an Admin key', `Admin gla_1_${'a'.repeat(32)}`],
    ['a bearer', `Bearer ${'a'.repeat(43)}`],
    ['two tokens', `${adaToken} ${adaToken}`],
    ['a token in other letters', adaToken.toUpperCase()],
  ] as const

  it.each(unresolvable)('that does not resolve (%s) gets 401 where one is needed', async (_, token) => {
    const server = await startServer([guarded(accounts({ bots: true }))])
    const response = await server.fetch('/v1/guarded', token === undefined ? {} : { token })
    expect(response.headers.get('www-authenticate')).toBeNull()
    expect(await codesOf(response)).toEqual(['401 UNAUTHORIZED'])
  })

  it('that does not resolve gets the same bytes, whatever is wrong with it', async () => {
    const server = await startServer([guarded(accounts())])
    const bodies = await Promise.all(
      unresolvable.map(async ([, token]) =>
        (await server.fetch('/v1/guarded', token === undefined ? {} : { token })).text(),
      ),
    )
    expect(new Set(bodies).size).toBe(1)
  })

  it.each(unresolvable)('that does not resolve (%s) is ignored where none is needed', async (_, token) => {
    const server = await startServer([guarded(anyone())])
    const response = await server.fetch('/v1/guarded', token === undefined ? {} : { token })
    expect(response.status).toBe(200)
    expect(await callerOf(response)).toBeNull()
  })

  it('that resolves is known to an operation that needs none', async () => {
    const server = await startServer([guarded(anyone())])
    expect(await callerOf(await server.fetch('/v1/guarded', { token: adaToken }))).toBe('1001')
  })
})

describe('an operation for ordinary accounts', () => {
  it('refuses a bot and a bearer with ACCESS_DENIED', async () => {
    const server = await startServer([guarded(accounts())])
    expect(await codesOf(await server.fetch('/v1/guarded', { token: robot }))).toEqual(['403 ACCESS_DENIED'])
    expect(await codesOf(await server.fetch('/v1/guarded', { token: bearer('guilds') }))).toEqual(['403 ACCESS_DENIED'])
  })
})

describe('an operation for accounts and bots', () => {
  it('takes a bot, and refuses a bearer with ACCESS_DENIED', async () => {
    const server = await startServer([guarded(accounts({ bots: true }))])
    expect(await callerOf(await server.fetch('/v1/guarded', { token: robot }))).toBe('2001')
    expect(await codesOf(await server.fetch('/v1/guarded', { token: bearer('guilds') }))).toEqual(['403 ACCESS_DENIED'])
  })
})

describe('an operation with a scope', () => {
  it('checks the scope on the access token alone, and names the one that it lacked', async () => {
    const server = await startServer([guarded(accounts({ scope: 'guilds' }))])
    expect((await server.fetch('/v1/guarded', { token: adaToken })).status).toBe(200)
    expect((await server.fetch('/v1/guarded', { token: bearer('identify', 'guilds') })).status).toBe(200)
    const response = await server.fetch('/v1/guarded', { token: bearer('identify') })
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ code: 'MISSING_OAUTH_SCOPE', required_scope: 'guilds' })
  })
})

describe('an operation for administrators', () => {
  const callers = admin({ acls: ['user:lookup', 'user:view:email'] })
  const rules = { adminKeys: true, schemesInAnyCase: false }
  const refusalOf = async (header: string | undefined, acls?: readonly string[]) => {
    const known = await resolveCredential(header, rules)
    const given = known && acls ? { ...known, account: account('1001', { acls }) } : known
    try {
      requireAllowedCaller(callers, given)
      return 'let in'
    } catch (error) {
      return error instanceof Refused ? error.refusal.code : 'failed'
    }
  }

  it('refuses nobody and bots with UNAUTHORIZED, and a bearer of another application with ACCESS_DENIED', async () => {
    expect(await refusalOf(undefined)).toBe('UNAUTHORIZED')
    expect(await refusalOf(robot)).toBe('UNAUTHORIZED')
    expect(await refusalOf(bearer('identify'), ['*'])).toBe('ACCESS_DENIED')
  })
  it('needs admin:authenticate or the wildcard, else MISSING_PERMISSIONS', async () => {
    expect(await refusalOf(adaToken)).toBe('MISSING_PERMISSIONS')
    expect(await refusalOf(adaToken, ['user:lookup', 'user:view:email'])).toBe('MISSING_PERMISSIONS')
    expect(await refusalOf(adaToken, ['*'])).toBe('let in')
  })
  it('needs every ACL of the operation, else MISSING_ACL', async () => {
    expect(await refusalOf(adaToken, ['admin:authenticate', 'user:lookup'])).toBe('MISSING_ACL')
    expect(await refusalOf(adaToken, ['admin:authenticate', 'user:lookup', 'user:view:email'])).toBe('let in')
  })
  it('takes a bearer of the built-in Admin application as the account itself', async () => {
    expect(await refusalOf(bearer('admin'), ['*'])).toBe('let in')
    expect(await refusalOf(bearer('admin'))).toBe('MISSING_PERMISSIONS')
  })
  it('needs the ACLs on both the key and its owner', async () => {
    expect(await refusalOf(adminKey)).toBe('MISSING_ACL')
    expect(await refusalOf(adminKey, ['*'])).toBe('MISSING_ACL')
    const known = await resolveCredential(adminKey, rules)
    const lookUp = admin({ acls: ['user:lookup'] })
    expect(() => requireAllowedCaller(lookUp, known)).not.toThrow()
    const stripped = known && { ...known, account: account('1003', { acls: ['admin:authenticate'] }) }
    expect(() => requireAllowedCaller(lookUp, stripped)).toThrow(Refused)
  })
  it('is the only one that knows an Admin key', async () => {
    const server = await startServer([guarded(accounts({ bots: true }))])
    expect(await codesOf(await server.fetch('/v1/guarded', { token: adminKey }))).toEqual(['401 UNAUTHORIZED'])
  })
})

describe('an operation for bots, and one for bearers', () => {
  it('take no other credential for theirs', async () => {
    const forBots = await startServer([guarded(bots({ otherwise: 'INVALID_TOKEN' }))])
    const forBearers = await startServer([guarded(bearers({ scope: 'identify' }))])
    const answers = async (server: typeof forBots) =>
      Promise.all(
        [undefined, adaToken, robot, bearer('identify'), bearer('email')].map(async (token) => {
          const response = await server.fetch('/v1/guarded', token === undefined ? {} : { token })
          return response.ok ? 200 : (await codesOf(response))[0]
        }),
      )
    const invalid = '401 INVALID_TOKEN'
    expect(await answers(forBots)).toEqual([invalid, invalid, 200, invalid, invalid])
    const unauthorized = '401 UNAUTHORIZED'
    expect(await answers(forBearers)).toEqual([
      unauthorized,
      unauthorized,
      unauthorized,
      200,
      '403 MISSING_OAUTH_SCOPE',
    ])
  })
  it('read their scheme in any case only where they say so', async () => {
    const lower = `bot ${robot.slice(4)}`
    const resolved = (schemesInAnyCase: boolean) => resolveCredential(lower, { adminKeys: false, schemesInAnyCase })
    expect((await resolved(true))?.credential).toEqual({ kind: 'bot' })
    expect(await resolved(false)).toBeUndefined()
  })
})
