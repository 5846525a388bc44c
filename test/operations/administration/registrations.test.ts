import { describe, expect, it } from 'vitest'
import { freshPolicy } from '../../../domain/instance/fresh-policy.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { administrator, auditEntries } from '../../support/administrators.ts'
import { testContext } from '../../support/test-context.ts'
import { startTestGuildhall, type TestAnswer } from '../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../support/answers.ts'
import { readConfig } from '../support/instance-config.ts'
import { openServer } from '../support/scene.ts'

/** Registration URLs and accounts that wait for approval, over the Admin API. */

const urls = '/v1/admin/instance/registration-urls'
const registration = { mode: 'closed', urlsEnabled: true, collectDateOfBirth: false } as const

let people = 0

const guildhall = await openServer({ policy: { ...freshPolicy, registration: { ...registration, mode: 'open' } } })
const admin = await administrator(guildhall, 'admin:authenticate', 'instance:config:view', 'instance:config:update')
await guildhall.ports.instancePolicies.change({ registration }, testContext())

const make = (body?: unknown): Promise<TestAnswer> =>
  guildhall.request('POST', urls, { token: admin.token, ...(body === undefined ? {} : { body }) })

interface Made {
  readonly id: string
  readonly code: string
  readonly url: string
}

async function made(body: unknown): Promise<Made> {
  const { registration_url: url, ...told } = bodyOf(await make(body))
  return { id: (url as { readonly id: string }).id, code: String(told['code']), url: String(told['url']) }
}

function register(code: string): Promise<TestAnswer> {
  people += 1
  const body = { email: `ada${people}@example.com`, username: 'ada', password: 'a fine password' }
  return guildhall.request('POST', '/v1/auth/register', { body: { ...body, registration_url_code: code } })
}

type Listed = Readonly<Record<string, unknown>>

const registrationIn = (config: Readonly<Record<string, unknown>>) =>
  config['registration'] as { readonly urls: readonly Listed[]; readonly pending_registrations: readonly Listed[] }
const listed = async () => registrationIn(await readConfig(guildhall, admin.token))
const listedUrl = async (id: string) => (await listed()).urls.find((url) => url['id'] === id)

/** An account that waits for approval. */
async function waiting(): Promise<string> {
  const { code } = await made({ approval_required: true })
  return String(bodyOf(await register(code))['user_id'])
}

const decide = (id: string, status: unknown): Promise<TestAnswer> =>
  guildhall.request('PATCH', `/v1/admin/instance/pending-registrations/${id}`, {
    token: admin.token,
    body: { status },
    headers: { 'x-audit-log-reason': 'because' },
  })

const entriesOf = async (id: string) => (await auditEntries(guildhall)).filter(({ targetId }) => targetId === id)

describe('a registration URL', () => {
  it('is shown with its code once, and listed without it', async () => {
    const expiresAt = '2100-01-31T12:00:00.000Z'
    const wishes = { label: 'Autumn', expires_at: expiresAt, max_uses: 5, approval_required: true }
    const answer = bodyOf(await make(wishes))
    const url = {
      ...wishes,
      id: expect.stringMatching(/^\d+$/),
      created_by_user_id: admin.id,
      created_at: expect.any(String),
      use_count: 0,
      revoked_at: null,
      last_used_at: null,
      last_used_by_user_id: null,
    }
    const { code } = answer
    expect(answer).toStrictEqual({
      registration_url: url,
      code: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      url: expect.stringMatching(new RegExp(`/register#code=${String(code)}$`)),
    })
    const config = await readConfig(guildhall, admin.token)
    expect(registrationIn(config).urls[0]).toStrictEqual(url)
    expect(JSON.stringify(config)).not.toContain(code)
  })

  it('needs no description, and no body', async () => {
    const nothing = { label: null, expires_at: null, max_uses: null, approval_required: false }
    for (const body of [undefined, {}, nothing, { approval_required: null }])
      expect(bodyOf(await make(body))).toMatchObject({ registration_url: nothing })
  })

  it('is created once for one Idempotency-Key, and its code is shown again', async () => {
    const headers = { 'idempotency-key': 'one-registration-url' }
    const { token } = admin
    const [first, again] = [
      await guildhall.request('POST', urls, { token, headers, body: { label: 'Once' } }),
      await guildhall.request('POST', urls, { token, headers, body: { label: 'Once' } }),
    ]
    expect(again.body).toStrictEqual(first.body)
    expect((await listed()).urls.filter(({ label }) => label === 'Once')).toHaveLength(1)
  })

  it('has a label of 1 to 120 characters, 1 to 1000000 uses and an instant for its end', async () => {
    const before = (await listed()).urls.length
    for (const label of ['', 'x'.repeat(121)])
      expectFields(await make({ label }), field('label', 'STRING_LENGTH_INVALID'))
    for (const uses of [0, 1_000_001, 1.5, '5'])
      expect(await make({ max_uses: uses })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_FORM_BODY', errors: [{ path: 'max_uses' }] },
      })
    expectFields(await make({ expires_at: 'tomorrow' }), field('expires_at', 'INVALID_ISO_TIMESTAMP'))
    expect((await listed()).urls).toHaveLength(before)
    expect((await make({ label: 'x'.repeat(120), max_uses: 1_000_000 })).status).toBe(200)
  })

  it('admits exactly max_uses of those who come at once, and shows who came last', async () => {
    const { id, code } = await made({ max_uses: 3 })
    const answers = await Promise.all(Array.from({ length: 12 }, () => register(code)))
    const admitted = answers.filter(({ status }) => status === 200).map((answer) => bodyOf(answer)['user_id'])
    expect(admitted).toHaveLength(3)
    for (const answer of answers.filter(({ status }) => status !== 200))
      expectRefusal(answer, 400, 'REGISTRATION_URL_INVALID')
    expect(await listedUrl(id)).toMatchObject({
      use_count: 3,
      last_used_at: expect.any(String),
      last_used_by_user_id: expect.toBeOneOf(admitted),
    })
  })

  it('admits nobody once it has expired', async () => {
    const { code } = await made({ expires_at: '2020-01-01T00:00:00Z' })
    expectRefusal(await register(code), 400, 'REGISTRATION_URL_INVALID')
  })

  it('admits nobody once it is revoked, and revoking an unknown one has no effect', async () => {
    const { id, code } = await made({})
    const revoke = (which: string) => guildhall.request('DELETE', `${urls}/${which}`, { token: admin.token })
    const config = bodyOf(await revoke(id))
    const revoked = registrationIn(config).urls.find((url) => url['id'] === id)
    expect(revoked).toMatchObject({ revoked_at: expect.any(String) })
    expectRefusal(await register(code), 400, 'REGISTRATION_URL_INVALID')
    for (const which of [id, '1']) {
      const answer = await revoke(which)
      expect(answer.status).toBe(200)
      expect(registrationIn(bodyOf(answer)).urls.find((url) => url['id'] === id)).toStrictEqual(revoked)
    }
    expectFields(await revoke('none'), field('registration_url_id', 'INVALID_SNOWFLAKE_FORMAT'))
  })

  it('is not recorded in the admin audit log', async () => {
    const before = (await auditEntries(guildhall)).length
    const { id } = await made({})
    await guildhall.request('DELETE', `${urls}/${id}`, { token: admin.token })
    expect(await auditEntries(guildhall)).toHaveLength(before)
  })
})

describe('an account that waits for approval', () => {
  it('is listed with what an operator needs for the decision, until then', async () => {
    const { id: urlId, code } = await made({ approval_required: true })
    const id = String(bodyOf(await register(code))['user_id'])
    const pending = async () => (await listed()).pending_registrations.find(({ user_id: user }) => user === id)
    expect(await pending()).toStrictEqual({
      user_id: id,
      username: 'ada',
      discriminator: expect.any(Number),
      global_name: null,
      email: `ada${people}@example.com`,
      requested_at: expect.any(String),
      registration_url_id: urlId,
      client_ip: '127.0.0.1',
    })
    const config = bodyOf(await decide(id, 'approved'))
    expect(registrationIn(config).pending_registrations.map(({ user_id: user }) => user)).not.toContain(id)
    const body = { email: `ada${people}@example.com`, password: 'a fine password' }
    expect(bodyOf(await guildhall.request('POST', '/v1/auth/login', { body }))).toHaveProperty('token')
    expect(await entriesOf(id)).toMatchObject([
      { action: 'approve_registration', targetType: 'user', adminId: admin.id, reason: 'because' },
    ])
  })

  it('can be rejected, and approved later, each with an entry of its own', async () => {
    const id = await waiting()
    expect((await decide(id, 'rejected')).status).toBe(200)
    const body = { email: `ada${people}@example.com`, password: 'a fine password' }
    expectRefusal(await guildhall.request('POST', '/v1/auth/login', { body }), 403, 'REGISTRATION_REJECTED')
    expect((await decide(id, 'approved')).status).toBe(200)
    expect((await entriesOf(id)).map(({ action }) => action)).toEqual(['reject_registration', 'approve_registration'])
  })

  it('cannot be rejected once it is approved, must exist, and is decided with one of two words', async () => {
    const id = await waiting()
    for (const status of ['pending', null, undefined])
      expect(await decide(id, status)).toMatchObject({ status: 400, body: { code: 'INVALID_FORM_BODY' } })
    await decide(id, 'approved')
    expectRefusal(await decide(id, 'rejected'), 409, 'CONFLICT')
    expectRefusal(await decide('1', 'approved'), 404, 'UNKNOWN_USER')
    expect(await entriesOf(id)).toHaveLength(1)
    expect(await entriesOf('1')).toHaveLength(0)
  })

  it('is approved once, whoever approves at the same moment', async () => {
    const id = await waiting()
    const answers = await Promise.all(Array.from({ length: 4 }, () => decide(id, 'approved')))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const approvals = []
    for await (const page of guildhall.store.events.readStream(`account-${id}`, -1))
      approvals.push(...page.filter(({ type }) => type === 'RegistrationApproved'))
    expect(approvals).toHaveLength(1)
  })

  it('is either in or out if one administrator approves while another rejects', async () => {
    const id = await waiting()
    const [approval, rejection] = await Promise.all([decide(id, 'approved'), decide(id, 'rejected')])
    expect(approval.status).toBe(200)
    expect(rejection.status).toBeOneOf([200, 409])
    const recorded = (await entriesOf(id)).map(({ action }) => action).toSorted()
    expect(recorded).toEqual(
      rejection.status === 200 ? ['approve_registration', 'reject_registration'] : ['approve_registration'],
    )
  })
})

describe('an instance that is being set up', () => {
  it('shows its configuration to any session, but no waiting accounts and no registration URLs', async () => {
    const fresh = await startTestGuildhall({
      policy: { ...freshPolicy, setup: { configured: false }, registration: { ...registration, mode: 'open' } },
    })
    const [anybody, operator] = [await fresh.register(), await administrator(fresh, '*')]
    const body = { approval_required: true }
    const answer = bodyOf(await fresh.request('POST', urls, { token: operator.token, body }))
    await fresh.request('POST', '/v1/auth/register', {
      body: { email: 'grace@example.com', password: 'a fine password', registration_url_code: answer['code'] },
    })
    const told = registrationIn(await readConfig(fresh, anybody.token))
    expect([told.urls, told.pending_registrations]).toEqual([[], []])
    const shown = registrationIn(await readConfig(fresh, operator.token))
    expect([shown.urls.length, shown.pending_registrations.length]).toEqual([1, 1])
    expectRefusal(await fresh.request('POST', urls, { token: anybody.token, body }), 403, 'MISSING_PERMISSIONS')
    await fresh.close()
  })
})
