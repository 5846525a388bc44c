import { describe, expect, it } from 'vitest'
import { field } from '../../../domain/kernel/refusal.ts'
import { administrator, auditEntries } from '../../support/administrators.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { testContext } from '../../support/test-context.ts'
import { bodyOf, expectFields, expectRefusal, found } from '../support/answers.ts'
import { directoryOf } from '../support/discovery.ts'
import { nowhere } from '../support/guilds.ts'
import { configPath, discovered, patchConfig, readConfig } from '../support/instance-config.ts'
import { movingImage, stillImage } from '../support/pictures.ts'
import { openServer } from '../support/scene.ts'

const guildhall = await openServer({})
const admin = await administrator(guildhall, 'admin:authenticate', 'instance:config:view', 'instance:config:update')
const patch = patchConfig(guildhall, admin.token)
const root = await administrator(guildhall, '*')
const patchAsRoot = patchConfig(guildhall, root.token)

describe('the instance configuration', () => {
  it('of a fresh instance is its defaults', async () => {
    expect(await readConfig(guildhall, admin.token)).toMatchObject({
      sso: { enabled: false, client_secret_set: false },
      registration: { mode: 'open', admin_registration_urls_enabled: false, urls: [], pending_registrations: [] },
      self_hosted: true,
      account_identity: { mode: 'email', tag_style: 'discriminator' },
      app_public: { branding: { product_name: 'guildhall' }, setup: { configured: true } },
      policy: {
        single_community_enabled: false,
        single_community_guild_id: null,
        direct_messages_disabled: false,
        direct_messages_locked: false,
        guild_create_access: true,
        premium_mode: 'mirror',
      },
      integrations: { email: { effective_enabled: false, effective_provider: 'none' } },
    })
  })

  it('changes by sections, and what is not sent stays', async () => {
    const branding = { product_name: 'The Engine', theme_color: '#1a2B3c' }
    await patch({ app_public: { branding, legal: { terms_url: 'https://engine.example/terms' } } })
    const after = bodyOf(await patch({ app_public: { branding: { theme_color: null } } }))
    expect(after).toMatchObject({
      app_public: {
        branding: { product_name: 'The Engine', theme_color: null },
        legal: { terms_url: 'https://engine.example/terms', privacy_url: null },
      },
    })
    expect(await readConfig(guildhall, admin.token)).toEqual(after)
    expect(await discovered(guildhall)).toMatchObject({
      app_public: {
        branding: { product_name: 'The Engine', theme_color: null },
        legal: { terms_url: 'https://engine.example/terms' },
      },
    })
    await patch({ app_public: { legal: { terms_url: null } } })
  })

  it('never gives a secret back', async () => {
    const answer = await patchAsRoot({ sso: { client_secret: 'CANARY', client_id: 'hall' } })
    expect(bodyOf(answer)['sso']).toMatchObject({ client_secret_set: true, client_id: 'hall' })
    expect(JSON.stringify([answer.body, await readConfig(guildhall, admin.token)])).not.toContain('CANARY')
    await patchAsRoot({ sso: { client_secret: null } })
    expect(await readConfig(guildhall, admin.token)).toMatchObject({ sso: { client_secret_set: false } })
  })

  it.each([
    ['issuer', 'https://evil.example'],
    ['authorization_url', 'https://evil.example/authorize'],
    ['token_url', 'https://evil.example/token'],
    ['userinfo_url', 'https://evil.example/userinfo'],
    ['jwks_url', 'https://evil.example/jwks'],
    ['client_id', 'other'],
    ['client_secret', 'other'],
  ])('lets nobody without every ACL choose whom it trusts: %s', async (part, value) => {
    const before = await readConfig(guildhall, admin.token)
    expectRefusal(await patch({ sso: { display_name: 'Evil', [part]: value } }), 403, 'MISSING_ACL')
    expect(await readConfig(guildhall, admin.token)).toEqual(before)
    expect((await patchAsRoot({ sso: { [part]: value } })).status).toBe(200)
    // What is as it was is no change.
    expect((await patch({ sso: { display_name: 'The Engine', [part]: value } })).status).toBe(200)
    expect((await patchAsRoot({ sso: { [part]: null, display_name: null } })).status).toBe(200)
  })

  it('is refused by path if a part of it is wrong, and stays as it was', async () => {
    const before = await readConfig(guildhall, admin.token)
    const legal = { terms_url: 'https://engine.example/terms' }
    expectFields(
      await patch({ app_public: { legal, branding: { theme_color: 'red' } }, policy: { premium_mode: 'none' } }),
      field('app_public.branding.theme_color', 'INVALID_FORMAT'),
      field('policy.premium_mode', 'INVALID_FORMAT'),
    )
    expectFields(
      await patch({ policy: { direct_messages_locked: true } }),
      field('policy.direct_messages_locked', 'INVALID_FORMAT'),
    )
    expect(await readConfig(guildhall, admin.token)).toEqual(before)
  })

  it('keeps how accounts are identified once there are accounts: nothing of such a change is written', async () => {
    const before = await readConfig(guildhall, admin.token)
    expect(before['account_identity']).toMatchObject({ mode: 'email' })
    // The first registration fixes this; here the test does.
    await guildhall.ports.instancePolicies.fixAccountIdentity(testContext())
    const body = { account_identity: { mode: 'username' }, registration: { mode: 'closed' } }
    expectRefusal(await patch(body), 400, 'INSTANCE_POLICY_TRANSITION_NOT_ALLOWED')
    expect(await readConfig(guildhall, admin.token)).toMatchObject({
      account_identity: { mode: 'email', locked: true },
      registration: { mode: 'open' },
    })
  })

  it('locks private messages if they are turned on again', async () => {
    const policy = async (members: unknown) => patch({ policy: members })
    await policy({ direct_messages_disabled: true })
    expect(await discovered(guildhall)).toMatchObject({ community: { direct_messages_disabled: true } })
    expect(bodyOf(await policy({ direct_messages_disabled: false }))['policy']).toMatchObject({
      direct_messages_disabled: false,
      direct_messages_locked: true,
    })
    const again = await policy({ direct_messages_disabled: true })
    expectRefusal(again, 400, 'INSTANCE_POLICY_TRANSITION_NOT_ALLOWED')
    await policy({ direct_messages_locked: false })
    expect((await policy({ direct_messages_disabled: true })).status).toBe(200)
    await policy({ direct_messages_disabled: false, direct_messages_locked: false })
  })

  it('can forbid accounts to found guilds', async () => {
    const { token } = await guildhall.register()
    const found = () => guildhall.request('POST', '/v1/guilds', { token, body: { name: 'Home' } })
    await patch({ policy: { guild_create_access: false } })
    expectRefusal(await found(), 403, 'ACCESS_DENIED')
    await patch({ policy: { guild_create_access: true } })
    expect((await found()).status).toBe(200)
  })

  it('can turn the guild directory off, and demand members of guilds that apply', async () => {
    const ada = await guildhall.register()
    const directory = directoryOf(guildhall)
    const guild = await found(guildhall, ada)
    const fresh = { enabled: true, min_member_count: 1 }
    expect((await readConfig(guildhall, admin.token))['discovery']).toStrictEqual(fresh)
    await patch({ discovery: { min_member_count: 2 } })
    expectRefusal(await directory.apply(ada, guild.id), 400, 'DISCOVERY_INSUFFICIENT_MEMBERS')
    expect(bodyOf(await directory.status(ada, guild.id))).toMatchObject({ eligible: false, min_member_count: 2 })
    await patch({ discovery: { enabled: false } })
    expect((await readConfig(guildhall, admin.token))['discovery']).toStrictEqual({
      enabled: false,
      min_member_count: 2,
    })
    // The switch comes before the guild and its members, and after the body.
    expectRefusal(await directory.apply(ada, nowhere), 400, 'DISCOVERY_DISABLED')
    expectRefusal(await directory.apply(ada, guild.id, {}), 400, 'INVALID_FORM_BODY')
    await patch({ discovery: { enabled: true, min_member_count: 1 } })
    bodyOf(await directory.apply(ada, guild.id))
    await patch({ discovery: { enabled: false } })
    expect(bodyOf(await directory.status(ada, guild.id))).toMatchObject({
      application: { status: 'pending' },
      eligible: false,
    })
    await patch({ discovery: fresh })
    for (const wrong of [-1, 1.5, '2', null])
      expectFields(
        await patch({ discovery: { min_member_count: wrong } }),
        field('discovery.min_member_count', 'INVALID_FORMAT'),
      )
  })

  it('gives everybody the limits of premium in premium mode everyone', async () => {
    const { token } = await guildhall.register()
    const change = (body: unknown) => guildhall.request('PATCH', '/v1/users/@me', { token, body })
    const longBio = { bio: 'a'.repeat(200) }
    const moving = { avatar: await movingImage() }
    expectFields(await change(longBio), field('bio', 'CONTENT_EXCEEDS_MAX_LENGTH'))
    expectFields(await change(moving), field('avatar', 'ANIMATED_AVATARS_REQUIRE_PREMIUM'))
    await patch({ policy: { premium_mode: 'everyone' } })
    expect((await change(longBio)).status).toBe(200)
    const { avatar } = bodyOf(await change({ ...moving, banner: moving.avatar }))
    expect(avatar).toMatch(/^a_/)
    await patch({ policy: { premium_mode: 'mirror' } })
    const atRest = { avatar: String(avatar).slice(2), banner: null }
    expect(bodyOf(await guildhall.request('GET', '/v1/users/@me', { token }))).toMatchObject(atRest)
    await patch({ policy: { premium_mode: 'everyone' } })
    expect(bodyOf(await guildhall.request('GET', '/v1/users/@me', { token }))).toMatchObject({ avatar })
    await patch({ policy: { premium_mode: 'mirror' } })
  })

  it('turns single community on only if a guild is designated, once the setup is complete', async () => {
    const enabled = await patch({ policy: { single_community_enabled: true } })
    expectRefusal(enabled, 400, 'INSTANCE_POLICY_TRANSITION_NOT_ALLOWED')
    expect(await discovered(guildhall)).toMatchObject({ community: { single_community: false } })
  })

  it('cannot be set up again over the API, where anybody could come first', async () => {
    const again = await patch({ app_public: { setup: { configured: false } } })
    expectRefusal(again, 400, 'INSTANCE_POLICY_TRANSITION_NOT_ALLOWED')
  })

  it('has images of its own, which everybody can read, and which replace each other', async () => {
    const send = (body: unknown) =>
      guildhall.request('POST', `${configPath}/branding-assets`, { token: admin.token, body })
    const brandingIn = (config: Record<string, unknown>) =>
      (config['app_public'] as { branding: Record<string, unknown> }).branding
    const pathOf = (url: unknown) => new URL(String(url)).pathname
    const [red, teal] = [await stillImage('red'), await stillImage('teal')]
    const first = brandingIn(bodyOf(await send({ kind: 'icon', image: red })))['icon_url']
    const logo = brandingIn(bodyOf(await send({ kind: 'logo', image: red })))['logo_url']
    expect(brandingIn(await discovered(guildhall))).toMatchObject({
      icon_url: first,
      logo_url: logo,
      favicon_url: null,
    })
    expect((await guildhall.request('GET', pathOf(first))).status).toBe(200)
    const second = brandingIn(bodyOf(await send({ kind: 'icon', image: `data:image/png;base64,${teal}` })))['icon_url']
    await expect.poll(async () => (await guildhall.request('GET', pathOf(first))).status).toBe(404)
    expect(brandingIn(bodyOf(await send({ kind: 'icon' })))).toMatchObject({ icon_url: second, logo_url: logo })
    expect(brandingIn(bodyOf(await send({ kind: 'icon', image: null })))).toMatchObject({ icon_url: null })
    await expect.poll(async () => (await guildhall.request('GET', pathOf(second))).status).toBe(404)
    expect((await guildhall.request('GET', pathOf(logo))).status).toBe(200)
    await send({ kind: 'logo', image: null })
  })

  it('refuses invalid images', async () => {
    const send = (image: string) =>
      guildhall.request('POST', `${configPath}/branding-assets`, { token: admin.token, body: { kind: 'icon', image } })
    expectFields(await send('aGFsbA=='), field('image', 'INVALID_IMAGE_FORMAT'))
    expectFields(await send('!'), field('image', 'INVALID_BASE64_FORMAT'))
    expectFields(await send('a'.repeat(16_000_001)), field('image', 'BASE64_LENGTH_INVALID'))
  })

  it('says what is wrong with a mail server, without its password', async () => {
    const mailServer = await startMailServer()
    const { hostname: host, port } = new URL(mailServer.url)
    const body = { host, port: Number(port), username: 'ada', password: 'CANARY', secure: false }
    const answer = await guildhall.request('POST', `${configPath}/smtp-tests`, { token: admin.token, body })
    const error = 'the server has no public address, and SMTP_URL does not name it'
    expect(bodyOf(answer)).toStrictEqual({ ok: false, error })
    expect(mailServer.attempts).toBe(0)
    const entry = (await auditEntries(guildhall)).at(-1)
    const metadata = { host, port, secure: 'false', ok: 'false' }
    expect(entry).toMatchObject({ action: 'test_mail_server', targetType: 'instance', targetId: '0', metadata })
    expect(JSON.stringify(entry)).not.toContain('CANARY')
    await mailServer.close()
  })
})
