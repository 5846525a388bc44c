import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { openLogger } from '../../adapters/telemetry/open-logger.ts'
import { bodyOf, expectRefusal } from '../operations/support/answers.ts'
import { everyEvent, everyRow } from '../operations/support/erasure.ts'
import { openServer } from '../operations/support/scene.ts'
import { administrator } from '../support/administrators.ts'
import type { TestAccount } from '../support/test-guildhall.ts'
import { patience_ms } from '../support/pace.ts'

/**
 * The links and codes that administrators make, and the personal values that they search by. secrets.test.ts has
 * the secrets of an account and Admin keys.
 */

const logged: string[] = []
const destination = new Writable({
  write: (chunk, _encoding, done) => {
    logged.push(String(chunk))
    done()
  },
})
const guildhall = await openServer({
  logger: openLogger('trace', destination),
  policy: { accountIdentity: { signIn: 'username', tagStyle: 'none' } },
})
const root = await administrator(guildhall, '*')
const { token } = root
const unique = randomBytes(6).toString('hex')

/** Made by the server, each good for one thing. */
const made = { reset: '', archive: '', gift: '' }
/** Sent by an administrator. */
const sent = {
  reason: `canary reason ${unique}`,
  address: `canary-${unique}@example.com`,
  part: `canarypart${unique}`,
  network: '203.0.113.199',
}
let download = ''
const refusals: string[] = []

async function ask(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
  const answer = await guildhall.request(method, path, { token, headers, ...(body === undefined ? {} : { body }) })
  if (answer.status >= 400) refusals.push(JSON.stringify(answer.body))
  return answer
}

async function archiveTokenOf({ id }: TestAccount): Promise<string> {
  const path = `/v1/admin/archives/user/${id}`
  const { archive_id: archive } = bodyOf(await ask('POST', `/v1/admin/users/${id}/archives`, {}))
  const progress = async () => bodyOf(await ask('GET', `${path}/${String(archive)}`))['archive']
  await vi.waitFor(async () => expect(await progress()).toMatchObject({ progress_percent: 100 }), {
    timeout: patience_ms,
  })
  const { downloadUrl } = bodyOf(await ask('GET', `${path}/${String(archive)}/download`))
  download = String(downloadUrl)
  expect((await fetch(download)).status).toBe(200)
  for (const more of ['x', 'xx', 'xxx', '=', '%20'])
    expect((await fetch(`${download}${more}`)).status).toBeGreaterThanOrEqual(400)
  return new URL(download).searchParams.get('token') ?? ''
}

beforeAll(async () => {
  const ada = await guildhall.register()
  const headers = { 'x-audit-log-reason': sent.reason }
  const link = bodyOf(await ask('POST', `/v1/admin/users/${ada.id}/password-reset-link`, undefined, headers))
  made.reset = new URL(String(link['url'])).hash.replace('#token=', '')
  made.archive = await archiveTokenOf(ada)
  const gifts = { count: 1, duration_type: 'months', duration_quantity: 1 }
  const { codes } = bodyOf(await ask('POST', '/v1/admin/gift-codes', gifts, headers))
  made.gift = String((codes as readonly unknown[])[0])
  await ask('GET', `/v1/auth/reset/${made.reset}`)
  await ask('POST', '/v1/auth/reset', { token: made.reset, password: '' })
  await ask('GET', `/v1/gifts/${made.gift}`)
  await ask('GET', `/v1/gifts/${made.gift}x`)
  const { reason, address, part, network } = sent
  for (const query of [
    `email=${address}`,
    `resolve=${address}`,
    `last_active_ip=${network}`,
    `q=${part}`,
    `q=${address}`,
  ])
    await ask('GET', `/v1/admin/users?${query}&limit=1`)
  for (const query of [`q=${part}`, `q=${address}`]) {
    await ask('GET', `/v1/admin/audit-logs?${query}`)
    await ask('GET', `/v1/admin/users?${query}&limit=0`)
  }
  await ask('PATCH', `/v1/admin/users/${ada.id}/email`, { email: address })
  await ask('PUT', `/v1/admin/users/1/traits`, { traits: [part] }, headers)
  await ask('PUT', `/v1/admin/users/1/ban`, { duration_hours: -1, reason }, headers)
})

const found = (text: string, secrets: object) =>
  Object.entries(secrets).flatMap(([name, secret]) => (text.includes(String(secret)) ? [name] : []))

describe('what administrators make and send', () => {
  it('is planted', () => {
    for (const secret of Object.values(made)) expect(secret.length).toBeGreaterThan(8)
    expect(refusals.length).toBeGreaterThan(5)
    expect(logged.length).toBeGreaterThan(10)
  })
  it('is in no line of the log, also not as part of a path or a query', () => {
    expect(found(logged.join(''), { ...made, ...sent, encoded: encodeURIComponent(sent.address) })).toEqual([])
  })
  it('is in no refusal', () => {
    expect(found(refusals.join(''), { ...made, ...sent })).toEqual([])
  })
  it('is in no event and no row, as far as it is a link or a search', async () => {
    const { reset, archive } = made
    const kept = (await everyEvent(guildhall)) + (await everyRow(guildhall))
    expect(kept).toContain(sent.reason)
    expect(found(kept, { reset, archive, part: sent.part, address: sent.address, network: sent.network })).toEqual([])
  })
})

describe('links and codes that administrators make', () => {
  it.each(Object.keys(made))(
    'are good for one thing: %s is no session, key, bot token or bearer token',
    async (name) => {
      const secret = made[name as keyof typeof made]
      for (const credential of [secret, `Bearer ${secret}`, `Bot ${secret}`, `Admin ${secret}`])
        for (const path of ['/v1/users/@me', '/v1/admin/users/@me'])
          expectRefusal(await guildhall.request('GET', path, { token: credential }), 401, 'UNAUTHORIZED')
    },
  )
  it('do not serve in place of each other', async () => {
    expect((await ask('GET', `/v1/auth/reset/${encodeURIComponent(made.archive)}`)).status).toBe(400)
    const other = new URL(download)
    other.searchParams.set('token', made.reset)
    expect((await fetch(other)).status).toBeGreaterThanOrEqual(400)
    expect((await ask('GET', `/v1/gifts/${made.reset}`)).status).toBe(400)
  })
})
