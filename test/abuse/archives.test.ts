import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { sessionTokenHash } from '../../application/identity/tokens/session-token.ts'
import { createRecoveryKit } from '../../application/identity/recovery/recovery-kit.ts'
import { idOf } from '../operations/administration/users/support.ts'
import { bodyOf } from '../operations/support/answers.ts'
import { downloaded, ownArchive, type ArchivedFiles } from '../operations/support/archives.ts'
import { newApplication } from '../operations/support/applications.ts'
import { newClient, tokensFor } from '../operations/support/oauth2.ts'
import { tokenIn } from '../operations/support/recovery.ts'
import { reportsOn } from '../operations/support/reports.ts'
import { foundWith, openServer } from '../operations/support/scene.ts'
import { administrator, adminKeyOf, giveAcls } from '../support/administrators.ts'
import { protect, sudoProofOf, type ProtectedAccount } from '../support/authenticator.ts'
import { testContext } from '../support/test-context.ts'
import type { TestAccount } from '../support/test-guildhall.ts'
import { patience_ms } from '../support/pace.ts'

/**
 * No archive of an account, whoever asks for it, holds a secret of anybody, or what others said of the account and did
 * not send to it. test/operations/identity/account/harvest-contents.test.ts has hashes, keys and messages.
 */

const guildhall = await openServer('brisk')
const { request, ports } = guildhall
const root = await administrator(guildhall, '*')
const mark = (): string => `canary${randomBytes(8).toString('hex')}`

let ada: ProtectedAccount
let brian: TestAccount
/** By what they are. */
const secrets = new Map<string, string>()
const saidOfAda = { reason: mark(), ban: mark(), report: mark(), bio: mark() }
/** Ada wrote this herself. */
const own = mark()
/** Administrators gave it, and each answer about her own account tells her. */
const trait = mark()

const post = async (path: string, body: unknown, token?: string) =>
  request('POST', path, { body, ...(token === undefined ? {} : { token }) })

beforeAll(async () => {
  ada = await protect(guildhall, await guildhall.register())
  brian = await guildhall.register()
  await secretsOfFactors()
  await secretsOfApplications()
  const { email, password } = ada
  expect((await post('/v1/auth/forgot', { email })).status).toBe(204)
  const { ticket } = bodyOf(await post('/v1/auth/login', { email, password }))
  // The request is answered before its mail is written.
  const mailed = await vi.waitFor(() => guildhall.mailTo(email, 2), { timeout: patience_ms })
  secrets.set('mailed token', tokenIn(mailed)).set('MFA ticket', String(ticket))
  secrets
    .set('password', password)
    .set('token', ada.token)
    .set('other token', brian.token)
    .set('root token', root.token)
  await sayThings()
})

async function secretsOfFactors(): Promise<void> {
  secrets.set('TOTP secret', ada.app.secret)
  for (const [index, code] of ada.backupCodes.entries()) secrets.set(`backup code ${index}`, code)
  const path = '/v1/users/@me/mfa/backup-codes'
  const body = { mfa_method: 'totp', mfa_code: ada.backupCodes[0], regenerate: false }
  secrets.set('sudo proof', sudoProofOf(await post(path, body, ada.token)) ?? '')
  const account = await ports.queries.accounts.find(idOf(ada))
  if (!account) throw new Error('Ada is not there')
  const credential = { kind: 'session', tokenHash: sessionTokenHash(ada.token) } as const
  const { recovery_key: key } = await createRecoveryKit(ports)({ account, credential, context: testContext() })
  secrets.set('recovery key', key).set('recovery key in one', key.replaceAll('-', ''))
}

async function secretsOfApplications(): Promise<void> {
  const { clientSecret, botToken } = await newApplication(guildhall, brian)
  const { access, refresh } = await tokensFor(guildhall, ada, await newClient(guildhall, brian))
  secrets.set('client secret', clientSecret).set('bot token', botToken)
  secrets.set('access token', access).set('refresh token', refresh)
  const administering = await administrator(guildhall, '*')
  secrets.set('Admin key', await adminKeyOf(guildhall, administering, '*'))
}

/** What others say of Ada. */
async function sayThings(): Promise<void> {
  const { reason, ban, report, bio } = saidOfAda
  const { token } = root
  const headers = { 'x-audit-log-reason': reason }
  bodyOf(await request('PUT', `/v1/admin/users/${ada.id}/traits`, { token, headers, body: { traits: [trait] } }))
  bodyOf(await request('PATCH', '/v1/users/@me', { token: ada.token, body: { bio: own } }))
  bodyOf(await request('PATCH', '/v1/users/@me', { token: brian.token, body: { bio } }))
  bodyOf(await reportsOn(guildhall).reportUser(brian, ada, { additional_info: report }))
  const home = await foundWith(guildhall, brian, ada)
  const path = `/v1/guilds/${home.id}/bans/${ada.id}`
  expect((await request('PUT', path, { token: brian.token, body: { reason: ban } })).status).toBe(204)
}

const textOf = (files: ArchivedFiles): string =>
  [...files].map(([path, bytes]) => `${path} ${Buffer.from(bytes).toString()}`).join('\n')

/** The archive that an administrator triggers. */
async function administratorsArchive({ id }: TestAccount): Promise<ArchivedFiles> {
  const { token } = root
  const { archive_id: archive } = bodyOf(await request('POST', `/v1/admin/users/${id}/archives`, { token, body: {} }))
  const path = `/v1/admin/archives/user/${id}/${String(archive)}`
  const progress = async () => bodyOf(await request('GET', path, { token }))['archive']
  await expect.poll(progress).toMatchObject({ progress_percent: 100 })
  return downloaded(String(bodyOf(await request('GET', `${path}/download`, { token }))['downloadUrl']))
}

describe('an archive', () => {
  it.each([
    ['of the holder', () => ownArchive(guildhall, ada)],
    ['of an administrator', () => administratorsArchive(ada)],
  ])('%s holds no secret of anybody, and nothing that others said of the account', async (_, archive) => {
    expect([...secrets].filter(([, secret]) => secret.length < 8 || secret === 'undefined')).toEqual([])
    const text = textOf(await archive())
    for (const written of [own, trait, ada.email]) expect(text).toContain(written)
    expect([...secrets].flatMap(([name, secret]) => (text.includes(secret) ? [name] : []))).toEqual([])
    expect(Object.entries(saidOfAda).filter(([, said]) => text.includes(said))).toEqual([])
  })

  it('of an administrator’s own account holds none of its Admin keys, and not what it said of others', async () => {
    const administering = await guildhall.register()
    await giveAcls(guildhall, administering, ['*'])
    const key = await adminKeyOf(guildhall, administering, '*')
    const reason = mark()
    const change = { token: administering.token, headers: { 'x-audit-log-reason': reason }, body: { traits: [] } }
    bodyOf(await request('PUT', `/v1/admin/users/${ada.id}/traits`, change))
    const text = textOf(await ownArchive(guildhall, administering))
    expect(text).toContain(administering.email)
    for (const secret of [key.replace('Admin ', ''), reason, ada.email]) expect(text).not.toContain(secret)
  })
})
