import { describe, expect, it } from 'vitest'
import { blocklists } from '../../../domain/blocklist-entry/lists.ts'
import { administrator } from '../../support/administrators.ts'
import type { TestGuildhall } from '../../support/test-guildhall.ts'
import { bodyOf } from '../support/answers.ts'
import { openServer } from '../support/scene.ts'

const guildhall = await openServer({})
const admin = await administrator(guildhall, '*')

/** A rule takes effect in every process within a second. */
const path = (list: string, value?: string): string =>
  `/v1/admin/blocklists/${list}/entries${value === undefined ? '' : `/${encodeURIComponent(value)}`}`
const ask = (method: string, where: string, body?: unknown) =>
  guildhall.request(method, where, { token: admin.token, ...(body === undefined ? {} : { body }) })
const codeOf = async (answer: ReturnType<TestGuildhall['request']>) => {
  const { status, body } = await answer
  const { code, errors } = body as {
    readonly code?: string
    readonly errors?: readonly { path: string; code: string }[]
  }
  return [status, code, ...(errors ?? []).map((error) => `${error.path} ${error.code}`)]
}
const add = async (list: string, body: object): Promise<void> => {
  expect((await ask('POST', path(list), body)).status).toBe(204)
}
const isBanned = async (list: string, value: string, query = '') =>
  bodyOf(await ask('GET', path(list, value) + query))['banned']

describe('the blocklists', () => {
  it('are eight', async () => {
    expect((await ask('GET', '/v1/admin/blocklists')).body).toStrictEqual({ lists: blocklists })
    expect((await ask('GET', path('nicknames'))).status).toBe(404)
  })
  it('show an entry with all its data, and who added it', async () => {
    await add('url', {
      url: 'https://shown.example/a',
      notes: 'Seen',
      reason: 'phishing',
      category: 'phishtank',
      severity: 3,
    })
    const { items } = bodyOf(await ask('GET', path('url')))
    expect(items).toStrictEqual([
      {
        list_type: 'url',
        value: 'https://shown.example/a',
        scope: null,
        category: 'phishtank',
        severity: 3,
        source_url: null,
        notes: 'Seen',
        content_type: null,
        match_subdomains: true,
        reason: 'phishing',
        expires_at: null,
        created_at: expect.stringMatching(/Z$/),
        created_by_user_id: admin.id,
      },
    ])
  })
  it('have one entry for each value, in any spelling; a second addition changes it', async () => {
    await add('phrase', { phrase: 'Twice Said' })
    await add('phrase', { phrase: 'twice-said', notes: 'again' })
    const { items } = bodyOf(await ask('GET', path('phrase')))
    expect(items).toMatchObject([{ value: 'Twice Said', notes: 'again' }])
    expect(await isBanned('phrase', 'TWICE said')).toBe(true)
    expect((await ask('DELETE', path('phrase', 'twice said'))).status).toBe(204)
    expect((await ask('DELETE', path('phrase', 'twice said'))).status).toBe(204)
    expect(await isBanned('phrase', 'twice said')).toBe(false)
  })
  it('change the data of an entry, and nothing if there is none', async () => {
    await add('url-domain', { domain: 'changed.example' })
    expect((await ask('PATCH', path('url-domain', 'Changed.example'), { notes: 'Seen', severity: 1 })).status).toBe(204)
    const { items } = bodyOf(await ask('GET', path('url-domain')))
    expect(items).toMatchObject([{ value: 'changed.example', notes: 'Seen', severity: 1, match_subdomains: true }])
    // A value with a warning only is not banned.
    expect(await isBanned('url-domain', 'changed.example')).toBe(false)
    expect(await codeOf(ask('PATCH', path('url-domain', 'other.example'), { notes: 'x' }))).toEqual([404, 'NOT_FOUND'])
  })
  it('are read page by page, the newest first', async () => {
    await add('avatar-hash', { hashes: ['one'] })
    await add('avatar-hash', { hashes: ['two', 'three'] })
    const values: unknown[] = []
    let after = ''
    for (let pages = 0; pages < 3; pages += 1) {
      const page = bodyOf(await ask('GET', `${path('avatar-hash')}?limit=1${after}`))
      values.push(...(page['items'] as readonly { readonly value: string }[]).map(({ value }) => value))
      expect(page['has_more']).toBe(pages < 2)
      after = `&after=${encodeURIComponent(String(page['next_after']))}`
    }
    expect(new Set(values.slice(0, 2))).toEqual(new Set(['two', 'three']))
    expect(values[2]).toBe('one')
    expect(await codeOf(ask('GET', `${path('avatar-hash')}?after=x`))).toEqual([
      400,
      'INVALID_FORM_BODY',
      'after INVALID_FORMAT',
    ])
    const all = { hashes: ['one', 'two', 'three', 'four'] }
    expect((await ask('DELETE', path('avatar-hash'), all)).status).toBe(204)
    expect(bodyOf(await ask('GET', path('avatar-hash')))['items']).toEqual([])
  })
  it('keep a profile-substring separate for each of its scopes', async () => {
    await add('profile-substring', { substrings: ['staff'], scope: 'username' })
    await add('profile-substring', { substrings: ['staff'], scope: 'bio' })
    expect(bodyOf(await ask('GET', `${path('profile-substring')}?scope=bio`))['items']).toMatchObject([
      { scope: 'bio' },
    ])
    expect((await ask('DELETE', `${path('profile-substring', 'staff')}?scope=bio`)).status).toBe(204)
    expect(await isBanned('profile-substring', 'staff', '?scope=bio')).toBe(false)
    expect(await isBanned('profile-substring', 'staff')).toBe(true)
    expect((await ask('DELETE', path('profile-substring'), { substrings: ['staff'] })).status).toBe(204)
    expect(await isBanned('profile-substring', 'staff')).toBe(false)
  })
  it('show an e-mail address only to administrators: it is stored sealed', async () => {
    await add('email', { email: 'Secret.Person@example.org' })
    expect(bodyOf(await ask('GET', path('email')))['items']).toMatchObject([{ value: 'secret.person@example.org' }])
    await ask('PATCH', path('email', 'secret.person@example.org'), { notes: 'x' })
    const { pool } = guildhall.store.database
    for (const table of ['blocklists.entries', 'admin_audit_log.entries']) {
      const { rows } = await pool.query(`select * from ${table}`)
      expect(JSON.stringify(rows)).not.toContain('secret.person')
    }
    for await (const page of guildhall.store.events.readAll(-1n))
      expect(JSON.stringify(page, (_, value: unknown) => (typeof value === 'bigint' ? '' : value))).not.toContain(
        'secret.person',
      )
  })
})

describe('what an entry cannot be', () => {
  it.each([
    ['ip', { ip: 'nowhere' }, 'ip INVALID_FORMAT'],
    ['email', { email: 'x' }, 'email INVALID_EMAIL_FORMAT'],
    ['phrase', { phrase: '?!' }, 'phrase INVALID_FORMAT'],
    ['url', { url: 'evil' }, 'url INVALID_URL_FORMAT'],
    ['url-domain', { domain: 'a/b' }, 'domain INVALID_FORMAT'],
    ['file-sha', { sha256_hex: 'ab' }, 'sha256_hex STRING_LENGTH_INVALID'],
    ['avatar-hash', { hashes: ['/'] }, 'hashes.0 INVALID_FORMAT'],
    ['phrase', { phrase: 'fine', notes: 'a'.repeat(1025) }, 'notes STRING_LENGTH_INVALID'],
  ])('on the list %s: %#', async (list, body, fault) => {
    expect(await codeOf(ask('POST', path(list), body))).toEqual([400, 'INVALID_FORM_BODY', fault])
  })
  it.each(['127.0.0.1', '10.0.0.1', '192.168.1.1', '::1', 'fd00::1'])(
    'is an address that is private, or the acting Admin’s: %s',
    async (ip) => {
      expect(await codeOf(ask('POST', path('ip'), { ip }))).toEqual([400, 'IP_BAN_DECLINED'])
      expect(await isBanned('ip', ip)).toBe(false)
    },
  )
  it('is more than 1000 values, or 10000 hashes of files', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => index.toString(16).padStart(64, '0'))
    expect((await ask('POST', path('avatar-hash'), { hashes: many(1001) })).status).toBe(400)
    expect((await ask('PUT', path('file-sha'), { hashes: many(10_001) })).status).toBe(400)
  })
})

describe('a text on a blocklist', () => {
  const createGuild = (name: string) => guildhall.request('POST', '/v1/guilds', { token: admin.token, body: { name } })
  const statusOf = async (name: string) => (await createGuild(name)).status
  const probed = createGuild('probed').then(bodyOf)
  /** Asks with a change of one guild, as often as it takes: whoever founded guilds instead would soon have too many. */
  const isInForce = async (name: string, status: 200 | 403) => {
    const { id } = (await probed) as { readonly id: string }
    const change = () => guildhall.request('PATCH', `/v1/guilds/${id}`, { token: admin.token, body: { name } })
    await expect.poll(async () => (await change()).status, { interval: 100 }).toBe(status)
  }

  it('is refused before anything is done, for as long as it is listed', async () => {
    await add('phrase', { phrase: 'cheap watches' })
    await isInForce('Ch.e_a p WATCHES here', 403)
    expect(await statusOf('Ch.e_a p WATCHES here')).toBe(403)
    expect(await codeOf(createGuild('cheap watches'))).toEqual([403, 'CONTENT_BLOCKED'])
    // Validation comes first.
    expect((await createGuild('cheap watches'.repeat(10))).status).toBe(400)
    expect(await statusOf('cheap clocks')).toBe(200)
    await ask('DELETE', path('phrase', 'cheap watches'))
    await isInForce('cheap watches', 200)
  })
  it('is refused for the address that it links to', async () => {
    await add('url-domain', { domain: 'trap.example' })
    await isInForce('go to https://Trap.example/x', 403)
    expect(await statusOf('go to https://www.trap.example/x')).toBe(200)
  })
  it('is accepted if the entry only warns', async () => {
    await add('phrase', { phrase: 'warned of', severity: 1 })
    await add('phrase', { phrase: 'blocked too' })
    await isInForce('blocked too', 403)
    expect(await statusOf('warned of')).toBe(200)
  })
  it('is not looked for in secrets, masks and texts of administrators', async () => {
    await add('phrase', { phrase: 'hunter' })
    await isInForce('hunter', 403)
    const login = { email: 'hunter@example.org', password: 'hunter hunter' }
    expect(await codeOf(guildhall.request('POST', '/v1/auth/login', { body: login }))).not.toContain('CONTENT_BLOCKED')
    expect((await ask('POST', path('phrase'), { phrase: 'hunter', notes: 'hunter' })).status).toBe(204)
  })
  it('is refused in the part of a profile that its entry is for', async () => {
    await add('profile-substring', { substrings: ['moderator'], scope: 'bio' })
    const member = await guildhall.register()
    const change = (body: object) => guildhall.request('PATCH', '/v1/users/@me', { token: member.token, body })
    // The caller's address is verified, so that the profile may change.
    await expect.poll(async () => (await change({ bio: 'I am a MODERATOR' })).status).toBe(403)
    expect(await codeOf(change({ bio: 'I am a moderator' }))).toEqual([403, 'CONTENT_BLOCKED'])
    expect((await change({ pronouns: 'moderator' })).status).toBe(200)
    expect((await change({ bio: 'I am a member' })).status).toBe(200)
  })
})

describe('hashes of files', () => {
  it('are listed in the background, and the job reports its progress', async () => {
    const hashes = Array.from({ length: 600 }, (_, index) => index.toString(16).padStart(64, '0'))
    const queued = await ask('PUT', path('file-sha'), { hashes, category: 'ncmec', severity: 3 })
    const { job_id: id } = bodyOf(queued)
    const job = async () => bodyOf(await ask('GET', `/v1/admin/jobs/${String(id)}`))['job']
    await expect.poll(job).toMatchObject({ status: 'succeeded' })
    expect(await job()).toMatchObject({
      task_type: 'ban_file_sha',
      progress_current: 600,
      progress_total: 600,
      requested_by_user_id: admin.id,
      payload: { count: 600, category: 'ncmec', severity: 3 },
      result: { done: 600 },
      attempts: 1,
      max_attempts: 8,
      run_at: null,
    })
    expect(await isBanned('file-sha', hashes[599] ?? '')).toBe(true)
  })
})

describe('background jobs', () => {
  it('that are unknown get an error', async () => {
    for (const [method, where] of [
      ['GET', '/v1/admin/jobs/1'],
      ['PUT', '/v1/admin/jobs/1/cancellation'],
    ] as const) {
      const { status, body } = await ask(method, where)
      expect([status, body]).toEqual([404, { code: 'NOT_FOUND', message: expect.any(String), error: 'job_not_found' }])
    }
  })
  it('are read page by page with a cursor whose members belong together', async () => {
    for (const hash of ['1', '2']) await ask('PUT', path('file-sha'), { hashes: [hash.repeat(64)] })
    const first = bodyOf(await ask('GET', '/v1/admin/jobs?limit=1'))
    const cursor = first['next_cursor'] as Readonly<Record<string, string>>
    const query = Object.entries(cursor).map(([name, value]) => `cursor_${name}=${encodeURIComponent(value)}`)
    const second = bodyOf(await ask('GET', `/v1/admin/jobs?limit=1&${query.join('&')}`))
    const idsOf = ({ jobs }: Readonly<Record<string, unknown>>) =>
      (jobs as readonly { readonly job_id: string }[]).map(({ job_id: id }) => id)
    expect(idsOf(second)).toHaveLength(1)
    expect(BigInt(idsOf(second)[0] ?? 0) < BigInt(idsOf(first)[0] ?? 0)).toBe(true)
    expect((await ask('GET', `/v1/admin/jobs?${query[0]}`)).status).toBe(400)
    expect((await ask('GET', '/v1/admin/jobs?status=waiting')).status).toBe(400)
  })
})
