import { limitsNotBuilt } from '../../domain/limits/limits-to-come.ts'
import { describe, expect, it } from 'vitest'
import { bodyOf, expectRefusal } from './support/answers.ts'
import { openServer } from './support/scene.ts'

const guildhall = await openServer()

describe('Get discovery document', () => {
  it('has every member, and may be read by every web page', async () => {
    const answer = await guildhall.request('GET', '/.well-known/guildhall')
    const document = bodyOf(answer)
    expect(Object.keys(document).toSorted()).toStrictEqual(
      [
        'account_identity',
        'api_code_version',
        'app_public',
        'captcha',
        'community',
        'endpoints',
        'features',
        'gif',
        'limits',
        'push',
        'registration',
        'services',
        'sso',
      ].toSorted(),
    )
    expect(document['features']).toMatchObject({ self_hosted: true, emails_enabled: false })
    expect(document['limits']).toMatchObject({
      version: 2,
      traitDefinitions: ['premium'],
      rules: [{ id: 'default', overrides: { max_guilds: 100 } }, { id: 'very_large_guild' }, { id: 'premium' }],
    })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('does not advertise limits of what this server does not have', async () => {
    const { limits } = bodyOf(await guildhall.request('GET', '/.well-known/guildhall'))
    const { rules } = limits as { rules: readonly { id: string; overrides: Readonly<Record<string, number>> }[] }
    for (const { id, overrides } of rules)
      for (const key of limitsNotBuilt) expect([id, key, overrides[key] ?? 0]).toStrictEqual([id, key, 0])
    expect(rules[0]?.overrides).toMatchObject({ max_guild_emojis: 500, max_webhooks_per_channel: 15 })
    expect(rules.find(({ id }) => id === 'premium')?.overrides).toMatchObject({ feature_early_access: 1 })
  })

  it('gives the addresses of this server', async () => {
    const { endpoints } = bodyOf(await guildhall.request('GET', '/.well-known/guildhall'))
    expect(endpoints).toMatchObject({ api: guildhall.url, gateway: `${guildhall.url.replace('http', 'ws')}/gateway` })
  })

  it('has a second path, for clients that look there', async () => {
    const [own, other] = ['/.well-known/guildhall', '/.well-known/fluxer'].map((path) => guildhall.request('GET', path))
    expect(await other?.then(({ body }) => body)).toStrictEqual(await own?.then(({ body }) => body))
    expectRefusal(await guildhall.request('GET', '/.well-known/fluxer/'), 404, 'NOT_FOUND')
  })

  it('is not below /v1', async () => {
    expectRefusal(await guildhall.request('GET', '/v1/.well-known/guildhall'), 404, 'NOT_FOUND')
  })
})

describe('Get bot gateway', () => {
  const ask = (authorization?: string) =>
    guildhall.request('GET', '/v1/gateway/bot', authorization === undefined ? {} : { headers: { authorization } })

  it('returns the discovery document’s own URL for anything in the form of a bot token', async () => {
    const { endpoints } = bodyOf(await guildhall.request('GET', '/.well-known/guildhall'))
    for (const token of ['Bot 12.secret', 'bOT 12.secret', 'bearer 12.secret', '12.secret']) {
      expect(bodyOf(await ask(token))).toStrictEqual({
        url: (endpoints as { readonly gateway: string }).gateway,
        shards: 1,
        session_start_limit: { total: 1000, remaining: 999, reset_after: 14_400_000, max_concurrency: 1 },
      })
    }
  })

  it('refuses no token, and other tokens', async () => {
    for (const none of [undefined, '', 'Bot ']) expectRefusal(await ask(none), 401, 'MISSING_AUTHORIZATION')
    const { token } = await guildhall.register()
    for (const other of [token, `Bot ${token}`, 'Bot x.y', 'Bot 1.'])
      expectRefusal(await ask(other), 401, 'INVALID_AUTH_TOKEN')
  })
})
