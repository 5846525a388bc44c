import { beforeAll, describe, expect, it } from 'vitest'
import { freshPolicy } from '../../../domain/instance/fresh-policy.ts'
import { decideRegistration } from '../../../application/identity/registrations/pending-registrations.ts'
import {
  createRegistrationUrl,
  revokeRegistrationUrl,
  type NewRegistrationUrl,
} from '../../../application/identity/registrations/registration-urls.ts'
import { operatorContext } from '../../../cli/commands/operator-context.ts'
import { accountId, registrationUrlId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import type { TestGuildhall } from '../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../support/answers.ts'
import { openServer } from '../support/scene.ts'

let guildhall: TestGuildhall

const legal = { ...freshPolicy.legal, termsUrl: 'https://example.com/terms' }
const approval = { mode: 'approval', urlsEnabled: false, collectDateOfBirth: true } as const
const approving = await openServer({ policy: { registration: approval, legal } })
const byUrl = { mode: 'closed', urlsEnabled: true, collectDateOfBirth: false } as const
const closed = await openServer({ policy: { registration: byUrl } })
const ada = { email: 'ada@example.com', password: 'a password', date_of_birth: '1990-12-10', consent: true }

const register = (body: unknown) => guildhall.request('POST', '/v1/auth/register', { body })
const login = ({ email, password }: typeof ada) =>
  guildhall.request('POST', '/v1/auth/login', { body: { email, password } })
const discovery = async () => bodyOf(await guildhall.request('GET', '/.well-known/guildhall'))

async function urlFor(maxUses: number | null, approvalRequired = false): Promise<NewRegistrationUrl> {
  const context = operatorContext()
  const wishes = { label: null, expiresAt: null, maxUses, approvalRequired }
  const made = await createRegistrationUrl(guildhall.ports)(context, wishes)
  await guildhall.readModels.reached(context.written)
  return made
}

async function decide(id: unknown, decision: 'approved' | 'rejected'): Promise<void> {
  await decideRegistration(guildhall.ports)(operatorContext(), accountId(snowflake(String(id))), decision)
}

describe('an instance that approves', () => {
  beforeAll(() => {
    guildhall = approving
  })

  it('says so in the discovery document', async () => {
    const document = await discovery()
    expect(document['registration']).toStrictEqual({ mode: 'approval', admin_registration_urls_enabled: false })
    expect(document['app_public']).toMatchObject({
      legal: { terms_url: 'https://example.com/terms', privacy_url: null },
      registration: { collect_date_of_birth: true },
    })
    expect(document['account_identity']).toStrictEqual({ mode: 'email', tag_style: 'discriminator' })
  })

  it('registers accounts that wait, and that nobody can sign in to before they are approved', async () => {
    const answer = bodyOf(await register(ada))
    expect(answer).toStrictEqual({ registration_pending_approval: true, user_id: answer['user_id'] })
    const [pending] = await guildhall.ports.queries.registrations.pending()
    expect(pending).toMatchObject({ accountId: answer['user_id'], email: ada.email, clientIp: '127.0.0.1' })
    expectRefusal(await login(ada), 403, 'REGISTRATION_PENDING_APPROVAL')
    await decide(answer['user_id'], 'rejected')
    expectRefusal(await login(ada), 403, 'REGISTRATION_REJECTED')
    await decide(answer['user_id'], 'approved')
    expect(bodyOf(await login(ada))).toHaveProperty('token')
  })

  it('asks for a date of birth, and for consent to its terms', async () => {
    const email = 'grace@example.com'
    const { date_of_birth: _, ...unborn } = ada
    expectFields(await register({ ...unborn, email }), field('date_of_birth', 'INVALID_DATE_OF_BIRTH_FORMAT'))
    expectFields(
      await register({ ...ada, email, consent: false }),
      field('consent', 'MUST_AGREE_TO_TOS_AND_PRIVACY_POLICY'),
    )
    const answer = bodyOf(await register({ ...ada, email }))
    await decide(answer['user_id'], 'approved')
    const { token } = bodyOf(await login({ ...ada, email }))
    const me = bodyOf(await guildhall.request('GET', '/v1/users/@me', { token: String(token) }))
    expect(me).toMatchObject({ terms_agreed_at: expect.any(String), privacy_agreed_at: expect.any(String) })
  })

  it('accepts no registration URL', async () => {
    const { code } = await urlFor(null)
    expectRefusal(await register({ registration_url_code: code }), 400, 'REGISTRATION_URL_INVALID')
  })
})

describe('a closed instance', () => {
  beforeAll(() => {
    guildhall = closed
  })

  it('registers nobody', async () => {
    expectRefusal(await register(ada), 403, 'REGISTRATION_CLOSED')
    expectRefusal(await register({ registration_url_code: 'x' }), 400, 'REGISTRATION_URL_INVALID')
    expectFields(await register({ registration_url_code: '' }), field('registration_url_code', 'STRING_LENGTH_INVALID'))
  })

  it('registers people with a registration URL, who wait if the URL says so', async () => {
    const [open, waiting] = [await urlFor(null), await urlFor(null, true)]
    expect(bodyOf(await register({ registration_url_code: open.code }))).toHaveProperty('token')
    const answer = bodyOf(await register({ registration_url_code: waiting.code }))
    expect(answer).toHaveProperty('registration_pending_approval', true)
    const pending = await guildhall.ports.queries.registrations.pending()
    expect(pending.map(({ registrationUrlId }) => registrationUrlId)).toStrictEqual([waiting.registration_url.id])
    await revokeRegistrationUrl(guildhall.ports)(
      operatorContext(),
      registrationUrlId(snowflake(open.registration_url.id)),
    )
    expectRefusal(await register({ registration_url_code: open.code }), 400, 'REGISTRATION_URL_INVALID')
  })

  it('registers exactly as many as a URL allows, of 64 who come at once', async () => {
    const { code, registration_url: url } = await urlFor(8)
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, number) =>
        register({ registration_url_code: code, username: 'ada', email: `racer${number}@example.com` }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(8)
    for (const answer of answers.filter(({ status }) => status !== 200))
      expectRefusal(answer, 400, 'REGISTRATION_URL_INVALID')
    const listed = (await guildhall.ports.queries.registrations.urls()).find(({ id }) => id === url.id)
    expect(listed).toMatchObject({ useCount: 8, maxUses: 8, lastUsedBy: expect.any(String) })
  })
})
