import { beforeEach, describe, expect, it } from 'vitest'
import { freshPolicy } from '../../../../domain/instance/fresh-policy.ts'
import { guildId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { administrator } from '../../../support/administrators.ts'
import { bodyOf, expectFields, expectRefusal, listOf } from '../../support/answers.ts'
import { patchConfig } from '../../support/instance-config.ts'
import { openProvider, openWith, signOn, somebody, startWith, withPolicy } from '../../support/single-sign-on.ts'

/** Which accounts single sign-on creates and finds, depending on the policy. */

const provider = await openProvider()
const guildhall = await openWith(provider)
const withMail = await openWith(provider, {}, { withMailServer: true })
beforeEach(() => {
  provider.person = somebody()
})

describe('a new person', () => {
  it('gets one account, however many sign-ins arrive at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => signOn(guildhall)))
    expect(new Set(answers.map((answer) => bodyOf(answer)['user_id'])).size).toBe(1)
  })
})

describe('the person that the provider names', () => {
  it('must have an address', async () => {
    provider.person = somebody({ email: undefined })
    expectFields(await signOn(guildhall), field('code', 'SSO_PROVIDER_DID_NOT_RETURN_EMAIL'))
    provider.person = somebody({ email: ['a@example.com'] })
    expectFields(await signOn(guildhall), field('code', 'SSO_PROVIDER_DID_NOT_RETURN_EMAIL'))
  })

  it('must have a valid address', async () => {
    provider.person = somebody({ email: 'nobody' })
    expectFields(await signOn(guildhall), field('code', 'INVALID_EMAIL_ADDRESS'))
  })

  it('must be known if accounts are not created: 403 SSO_REQUIRED', async () => {
    await withPolicy(guildhall, { singleSignOn: { autoProvision: false } }, async () => {
      expectRefusal(await signOn(guildhall), 403, 'SSO_REQUIRED')
      const known = await guildhall.register()
      provider.person = somebody({ email: known.email })
      expect(bodyOf(await signOn(guildhall))).toMatchObject({ user_id: known.id })
    })
  })

  it('must have an address of an allowed domain that the provider has verified', async () => {
    const refused = field('code', 'EMAIL_DOMAIN_NOT_ALLOWED_FOR_SSO')
    await withPolicy(guildhall, { singleSignOn: { allowedDomains: ['example.org'] } }, async () => {
      expectFields(await signOn(guildhall), refused)
      provider.person = somebody({ email: 'a@sub.example.org' })
      expectFields(await signOn(guildhall), refused)
      provider.person = somebody({ email: 'a@example.org', email_verified: false })
      expectFields(await signOn(guildhall), refused)
      provider.person = somebody({ email: 'A@EXAMPLE.ORG' })
      expect(bodyOf(await signOn(guildhall))).toHaveProperty('token')
    })
  })

  it('registers on the same terms as everybody', async () => {
    await withPolicy(guildhall, { registration: { mode: 'closed' } }, async () =>
      expectRefusal(await signOn(guildhall), 403, 'REGISTRATION_CLOSED'),
    )
    await withPolicy(guildhall, { registration: { mode: 'approval' } }, async () => {
      expectRefusal(await signOn(guildhall), 403, 'REGISTRATION_PENDING_APPROVAL')
      expectRefusal(await signOn(guildhall), 403, 'REGISTRATION_PENDING_APPROVAL')
    })
  })

  it('joins the one community when the account is created, unless it awaits approval', async () => {
    const policy = { ...freshPolicy, setup: { configured: false } }
    const other = await startWith(provider, {}, { policy })
    try {
      const admin = await administrator(other, '*')
      const change = patchConfig(other, admin.token)
      const config = bodyOf(await change({ policy: { single_community_enabled: true } }))
      const { single_community_guild_id: id } = config['policy'] as { readonly single_community_guild_id: string }
      const members = () => other.ports.queries.members.countOf(guildId(snowflake(id)))
      const { token } = bodyOf(await signOn(other))
      expect(listOf(await other.request('GET', '/v1/users/@me/guilds', { token: String(token) }))).toMatchObject([
        { id },
      ])
      expect(await members()).toBe(2)
      await signOn(other)
      expect(await members()).toBe(2)
      await change({ registration: { mode: 'approval' } })
      provider.person = somebody()
      expectRefusal(await signOn(other), 403, 'REGISTRATION_PENDING_APPROVAL')
      expect(await members()).toBe(2)
    } finally {
      await other.close()
    }
  })

  it('verifies an address that the provider did not, if mails are sent', async () => {
    const [verified, unverified] = [somebody(), somebody({ email_verified: false })]
    provider.person = verified
    const first = bodyOf(await signOn(withMail))
    expect(bodyOf(await withMail.request('GET', '/v1/users/@me', { token: String(first['token']) }))).toMatchObject({
      verified: true,
    })
    provider.person = unverified
    const second = bodyOf(await signOn(withMail))
    expect(bodyOf(await withMail.request('GET', '/v1/users/@me', { token: String(second['token']) }))).toMatchObject({
      verified: false,
    })
    expect((await withMail.mailTo(unverified.email)).text).toMatch(/[A-Za-z0-9]{64}/)
  })
})

describe('an account with an address that nobody verified', () => {
  it('is taken from the person that registered it', async () => {
    const stranger = await withMail.register()
    provider.person = somebody({ email: stranger.email })
    const { token, user_id: id } = bodyOf(await signOn(withMail))
    expect(id).toBe(stranger.id)
    expect((await withMail.request('GET', '/v1/users/@me', { token: stranger.token })).status).toBe(401)
    const body = { email: stranger.email, password: stranger.password }
    const wrong = ['email', 'password'].map((path) => field(path, 'INVALID_EMAIL_OR_PASSWORD'))
    expectFields(await withMail.request('POST', '/v1/auth/login', { body }), ...wrong)
    expect(bodyOf(await withMail.request('GET', '/v1/users/@me', { token: String(token) }))).toMatchObject({
      verified: true,
    })
  })
})
