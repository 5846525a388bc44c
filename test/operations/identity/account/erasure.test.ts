import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { eraseAccount } from '../../../../application/processes/erase-account.ts'
import { verifyEmailTicket } from '../../../../application/identity/recovery/mailed-tokens.ts'
import { startProcessManagers } from '../../../../process/process-managers.ts'
import { accountId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { streamName } from '../../../../domain/streams.ts'
import { timestamp } from '../../../../domain/kernel/timestamp.ts'
import { adminKeyOf, giveAcls } from '../../../support/administrators.ts'
import { divergentRows } from '../../../faults/store-checks.ts'
import { Client } from '../../../gateway/support/client.ts'
import { testContext } from '../../../support/test-context.ts'
import { laidDatabase } from '../../../support/test-database.ts'
import { noBackgroundWork } from '../../../support/background-work.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { accept, bodyOf, expectFields, expectRefusal, found, invite } from '../../support/answers.ts'
import {
  asBearer,
  codeFor,
  exchange,
  expectProtocolError,
  newClient,
  refresh,
  tokensFor,
} from '../../support/oauth2.ts'
import { deletionIsDue, erase, everyEvent, everyRow } from '../../support/erasure.ts'
import { foundWith, openServer } from '../../support/scene.ts'

const kept = await laidDatabase()
afterAll(() => kept.close())
const guildhall = await openServer({ connection: kept.connection })
let ada: TestAccount
let grace: TestAccount

beforeEach(async () => {
  ada = await guildhall.register()
  grace = await guildhall.register()
})

const idOf = ({ id }: TestAccount) => accountId(snowflake(id))
const get = (path: string, { token }: TestAccount = grace) => guildhall.request('GET', path, { token })
const user = async ({ id }: TestAccount) => bodyOf(await get(`/v1/users/${id}`))
const login = ({ email, password }: TestAccount) =>
  guildhall.request('POST', '/v1/auth/login', { body: { email, password } })
const statusOf = async (account: TestAccount) =>
  (await guildhall.ports.aggregates.account.load(idOf(account))).state.status
const deleted = {
  username: 'DeletedUser',
  discriminator: '0000',
  global_name: 'Deleted User',
  avatar: null,
  avatar_color: null,
  flags: 0,
}

/** Gives the account one of everything personal; returns the texts that identify it. */
async function plant(account: TestAccount): Promise<readonly string[]> {
  const { ports, store } = guildhall
  const mark = randomBytes(6).toString('hex').toUpperCase()
  const [ip, agent, secret, code, bio] = ['203.0.113.77', `${mark}agent`, `${mark}secret`, `${mark}code`, `${mark}bio`]
  const context = testContext({ kind: 'account', id: idOf(account) })
  const { now } = context
  const { account: accounts } = ports.aggregates
  const session = { tokenHash: randomBytes(32).toString('base64url'), ip, userAgent: agent, now }
  await accounts.execute(idOf(account), { type: 'StartSession', ...session }, context)
  await accounts.execute(idOf(account), { type: 'EnableTotp', secret, step: 1, now, backupCodes: [code] }, context)
  await guildhall.request('PATCH', '/v1/users/@me', { token: account.token, body: { bio } })
  const custom_status = { text: `${mark}status` }
  await guildhall.request('PATCH', '/v1/users/@me/settings', { token: account.token, body: { custom_status } })
  const passkey = { credentialId: `key-${account.id}`, publicKey: 'cose', counter: 0, transports: [], now }
  const register = { type: 'RegisterWebAuthnCredential', ...passkey, name: `${mark}phone` } as const
  await accounts.execute(idOf(account), register, context)
  const addressHash = ports.addressHash(account.email)
  await ports.tickets.issue(verifyEmailTicket, { accountId: idOf(account), addressHash }, 3600, account.id)
  await guildhall.request('POST', '/v1/users/@me/email-change/start', { token: account.token })
  const loaded = await accounts.load(idOf(account))
  await store.snapshots.save(streamName('account', account.id), 1, loaded)
  const { state } = loaded
  if (state.status !== 'registered') throw new Error('Nobody to plant anything on')
  return [account.email, state.passwordHash ?? '', '1990-12-10', mark, ip].filter((text) => text !== '')
}

/** Which of these texts are found, where `of` is their account. */
async function traces(texts: readonly string[], { id }: TestAccount): Promise<readonly string[]> {
  const everything = [...(await everyRow(guildhall)).split('\n'), ...(await everyEvent(guildhall)).split('\n')]
  const about = everything.filter((line) => line.includes(id))
  return texts.filter((text) => (text === '1990-12-10' ? about : everything).some((line) => line.includes(text)))
}

describe('an account whose deletion is due', () => {
  it('is erased: nobody signs in to it, and it looks like a deleted one', async () => {
    const { username, discriminator } = await user(ada)
    const tag = `/v1/users/check-tag?username=${String(username)}&discriminator=${String(discriminator)}`
    expect(bodyOf(await get(tag))).toStrictEqual({ taken: true })
    await deletionIsDue(guildhall, ada)
    expect(await erase(guildhall, ada)).toBe(true)
    const wrong = 'INVALID_EMAIL_OR_PASSWORD'
    expectFields(await login(ada), field('email', wrong), field('password', wrong))
    expectRefusal(await get('/v1/users/@me', ada), 401, 'UNAUTHORIZED')
    expect(await user(ada)).toStrictEqual({ id: ada.id, ...deleted })
    expectRefusal(await get(`/v1/users/${ada.id}/profile`), 404, 'UNKNOWN_USER')
    expect(bodyOf(await get(tag))).toStrictEqual({ taken: false })
    const again = { email: ada.email, username: String(username), password: 'a password' }
    expect((await guildhall.request('POST', '/v1/auth/register', { body: again })).status).toBe(200)
  })

  it('leaves no trace of its holder in any table, event or snapshot, and history can be projected anew', async () => {
    const planted = await plant(ada)
    // The search can find everything while it is there.
    expect(await traces(planted, ada)).toEqual(planted)
    await deletionIsDue(guildhall, ada)
    await erase(guildhall, ada)
    expect(await traces(planted, ada)).toEqual([])
    const { database, keys } = guildhall.store
    expect((await keys.existingKeys([idOf(ada)])).size).toBe(0)
    const tombstone = 'select destroyed_at from personal_data.keys where account_id = $1 and wrapped_key is null'
    expect((await database.pool.query(tombstone, [ada.id])).rows).toHaveLength(1)
    for (const left of [
      `select 1 from tickets.tickets where subject = '${ada.id}'`,
      `select 1 from mail.outbox where account_id = ${ada.id} and state <> 'done'`,
      `select 1 from event_store.snapshots where stream = 'account-${ada.id}'`,
      `select 1 from unfinished.steps where process <> 'authored_messages'`,
    ])
      expect((await database.pool.query(left)).rows).toEqual([])
    expect(await divergentRows(guildhall.store)).toEqual([])
  })

  it('allows no application and no Admin key to act for it, and neither is kept', async () => {
    const engine = await newClient(guildhall, grace)
    const tokens = await tokensFor(guildhall, ada, engine, 'identify email')
    const code = await codeFor(guildhall, ada, engine)
    await giveAcls(guildhall, ada, ['*'])
    const key = await adminKeyOf(guildhall, ada, 'admin:authenticate')
    await adminKeyOf(guildhall, ada, '*')
    const asApplication = () => get('/v1/oauth2/userinfo', { ...ada, token: asBearer(tokens) })
    const asAdmin = () => get('/v1/admin/users/@me', { ...ada, token: key })
    expect([(await asApplication()).status, (await asAdmin()).status]).toEqual([200, 200])
    const tables = ['oauth2.tokens', 'oauth2.authorizations', 'admin_keys.keys']
    const rows = async () => {
      const counts = tables.map((table) => `(select count(*)::int from ${table} where account_id = $1) as "${table}"`)
      const { pool } = guildhall.store.database
      return (await pool.query(`select ${counts.join(', ')}`, [ada.id])).rows
    }
    expect(await rows()).toEqual([{ 'oauth2.tokens': 2, 'oauth2.authorizations': 1, 'admin_keys.keys': 2 }])
    await deletionIsDue(guildhall, ada)
    await erase(guildhall, ada)
    expectRefusal(await asApplication(), 401, 'UNAUTHORIZED')
    expectRefusal(await asAdmin(), 401, 'UNAUTHORIZED')
    expectProtocolError(await refresh(guildhall, engine, tokens.refresh), 'invalid_grant')
    expectProtocolError(await exchange(guildhall, engine, code), 'invalid_grant')
    expect(await rows()).toEqual([{ 'oauth2.tokens': 0, 'oauth2.authorizations': 0, 'admin_keys.keys': 0 }])
    expect(await divergentRows(guildhall.store)).toEqual([])
  })

  it('leaves its guilds, which hear of it', async () => {
    const guild = await foundWith(guildhall, grace, ada)
    const client = new Client(`${guildhall.url.replace('http', 'ws')}/gateway?v=1`)
    await client.op(10)
    client.send(2, { token: grace.token, properties: { os: 'linux', browser: 'test', device: 'test' } })
    await client.dispatch('READY')
    await deletionIsDue(guildhall, ada)
    await erase(guildhall, ada)
    const { d } = await client.dispatch('GUILD_MEMBER_REMOVE')
    expect(d).toMatchObject({ guild_id: guild.id, user: { id: ada.id } })
    client.socket.terminate()
    const { member_count } = bodyOf(await get(`/v1/guilds/${guild.id}`))
    expect(member_count).toBe(1)
  })

  it('is kept, and stays scheduled, while it owns a guild', async () => {
    const { id } = await found(guildhall, ada)
    await deletionIsDue(guildhall, ada)
    const { erasures } = guildhall.ports.queries
    const now = timestamp(Date.now())
    expect(await erase(guildhall, ada)).toBe(false)
    expect(await statusOf(ada)).toBe('registered')
    expect(await erasures.due(now, 10)).not.toContain(ada.id)
    expect(await erasures.overdueOwners(now)).toBe(1)
    const body = { password: ada.password }
    const { token } = bodyOf(await login(ada))
    await guildhall.request('POST', `/v1/guilds/${id}/delete`, { token: String(token), body })
    await deletionIsDue(guildhall, ada)
    expect(await erasures.due(timestamp(Date.now()), 10)).toContain(ada.id)
    expect(await erase(guildhall, ada)).toBe(true)
    expect(await erasures.overdueOwners(now)).toBe(0)
  })

  it('is never left with a guild that it gets at the same instant', async () => {
    const { id, channel } = await found(guildhall, ada)
    await accept(guildhall, grace, await invite(guildhall, ada, channel))
    await deletionIsDue(guildhall, grace)
    const { ports } = guildhall
    const body = { new_owner_id: grace.id, password: ada.password }
    const transfer = () => guildhall.request('POST', `/v1/guilds/${id}/transfer-ownership`, { token: ada.token, body })
    const { holding } = ports.locks
    let waits: () => void = () => undefined
    const isWaiting = new Promise<void>((resolve) => (waits = resolve))
    const locks = vi.spyOn(ports.locks, 'holding').mockImplementation((key, act) => {
      if (key === `ownership of account ${grace.id}`) waits()
      return holding(key, act)
    })
    let transferred: ReturnType<typeof transfer> | undefined
    const account = { ...ports.aggregates.account }
    // The guild comes after the check that the account owns none, and before the erasure.
    account.execute = async (...given) => {
      if (given[1].type === 'StartErasure') await Promise.race([(transferred = transfer()), isWaiting])
      return ports.aggregates.account.execute(...given)
    }
    const at = { ...ports, locks: { holding }, aggregates: { ...ports.aggregates, account } }
    expect(await eraseAccount(at)(idOf(grace), timestamp(Date.now()))).toBe(true)
    expectRefusal(await (transferred ?? transfer()), 404, 'UNKNOWN_MEMBER')
    locks.mockRestore()
    expect(bodyOf(await get(`/v1/guilds/${id}`, ada))).toMatchObject({ owner_id: ada.id, member_count: 1 })
  })

  it('is not erased if its holder has come back, or before the deadline', async () => {
    await deletionIsDue(guildhall, ada)
    expect((await login(ada)).status).toBe(200)
    expect(await erase(guildhall, ada)).toBe(false)
    const body = { password: grace.password }
    expect((await guildhall.request('POST', '/v1/users/@me/delete', { token: grace.token, body })).status).toBe(204)
    expect(await erase(guildhall, grace)).toBe(false)
    expect(await guildhall.ports.queries.erasures.due(timestamp(Date.now()), 10)).not.toContain(grace.id)
    expect((await login(grace)).status).toBe(200)
  })

  it('is either erased or signed in to if the holder comes back at the same instant', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => guildhall.register()))
    for (const person of people) await deletionIsDue(guildhall, person)
    const outcomes = await Promise.all(
      people.map(async (person, index) => {
        // Password checks take long: the erasure begins before, during and after one.
        const erasing = async () => {
          await new Promise((resolve) => setTimeout(resolve, index * 25))
          return erase(guildhall, person)
        }
        const [{ status }, erased] = await Promise.all([login(person), erasing()])
        return { status, erased, now: await statusOf(person) }
      }),
    )
    for (const outcome of outcomes)
      expect([
        { status: 200, erased: false, now: 'registered' },
        { status: 400, erased: true, now: 'erased' },
        // The server itself looks for due deletions each minute, and may come first.
        { status: 400, erased: false, now: 'erased' },
      ]).toContainEqual(outcome)
  })

  it('is found by the worker, once it is due', async () => {
    const logged: string[] = []
    const managers = await startProcessManagers({
      ports: guildhall.ports,
      connection: kept.connection,
      logger: pino({}, { write: (line: string) => void logged.push(line) }),
      finishesFirst: false,
      background: noBackgroundWork,
      timing: { start_ms: 0, scan_ms: 200, poll_ms: 200, erasures_ms: 200 },
    })
    await deletionIsDue(guildhall, ada)
    await expect.poll(() => statusOf(ada)).toBe('erased')
    await expect.poll(() => managers.jobCounts()).toEqual([])
    await managers.stop()
    expect(logged.join('')).not.toContain(ada.email)
  })
})
