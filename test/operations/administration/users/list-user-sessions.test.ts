import { beforeEach, describe, expect, it } from 'vitest'
import { sessionTokenHash } from '../../../../application/identity/tokens/session-token.ts'
import { accountId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { adminKeyOf, administrator } from '../../../support/administrators.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectRefusal } from '../../support/answers.ts'
import { deletionIsDue, erase, everyRow } from '../../support/erasure.ts'
import { openServer } from '../../support/scene.ts'
import { entriesAbout, userReadsOf } from './support.ts'

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'
const instant = expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/)

const guildhall = await openServer({})
const root = await administrator(guildhall, '*')
let ada: TestAccount
beforeEach(async () => {
  ada = await guildhall.register()
})

type Session = Readonly<Record<string, unknown>>

async function sessionsOf({ id }: Pick<TestAccount, 'id'>, viewer = root.token): Promise<readonly Session[]> {
  const { sessions } = bodyOf(await userReadsOf(guildhall, { token: viewer }).below({ id }, 'sessions'))
  return sessions as readonly Session[]
}

async function login({ email, password }: TestAccount): Promise<string> {
  const answer = await guildhall.request('POST', '/v1/auth/login', {
    body: { email, password },
    headers: { 'user-agent': phone },
  })
  return String(bodyOf(answer)['token'])
}

const logout = (token: string) => guildhall.request('POST', '/v1/auth/logout', { token })

describe('List user sessions', () => {
  it('says where a session began, with what, and when it was last used, and never its token', async () => {
    const token = await login(ada)
    const sessions = await sessionsOf(ada)
    expect(sessions.find((each) => each['session_id_hash'] === sessionTokenHash(token))).toEqual({
      session_id_hash: sessionTokenHash(token),
      created_at: instant,
      approx_last_used_at: instant,
      client_ip: '127.0.0.1',
      client_ip_reverse: null,
      client_os: 'iOS',
      client_platform: 'iPhone',
      client_location: null,
      deleted_at: null,
    })
    expect(JSON.stringify(sessions)).not.toContain(token)
  })
  it('keeps sessions that ended, after those that live, each group newest first', async () => {
    const [first, second, third] = [await login(ada), await login(ada), await login(ada)]
    await logout(first)
    await logout(third)
    const sessions = await sessionsOf(ada)
    expect(sessions.map((each) => each['session_id_hash'])).toEqual(
      [second, ada.token, third, first].map(sessionTokenHash),
    )
    expect(sessions.map((each) => each['deleted_at'])).toEqual([null, null, instant, instant])
    expectRefusal(await guildhall.request('GET', '/v1/users/@me', { token: third }), 401, 'UNAUTHORIZED')
  })
  it('keeps the last address and time of an account after the end of every session', async () => {
    const token = await login(ada)
    const user = async () => {
      const { users } = bodyOf(await userReadsOf(guildhall, root).user(ada.id))
      return (users as readonly Session[])[0]
    }
    const before = await user()
    expect(before).toMatchObject({ last_active_at: instant, last_active_ip: '127.0.0.1' })
    await logout(ada.token)
    await logout(token)
    const [newest] = await sessionsOf(ada)
    expect(newest).toMatchObject({ session_id_hash: sessionTokenHash(token), deleted_at: instant })
    const { last_active_at: at, last_active_ip: ip } = (await user()) ?? {}
    expect({ at, ip }).toEqual({ at: newest?.['approx_last_used_at'], ip: '127.0.0.1' })
    expect(String(at) >= String(before?.['last_active_at'])).toBe(true)
  })
  it('redacts addresses for who lacks user:view:ip, on the account or on its key, and keeps every member', async () => {
    const [all] = await sessionsOf(ada)
    const narrow = await administrator(guildhall, 'admin:authenticate', 'user:list:sessions')
    const key = await adminKeyOf(guildhall, root, 'admin:authenticate', 'user:list:sessions')
    for (const viewer of [narrow.token, key]) {
      const [redacted] = await sessionsOf(ada, viewer)
      expect(redacted).toEqual({ ...all, client_ip: '[redacted]' })
    }
  })
  it('counts live and ended ones in its entry', async () => {
    await logout(await login(ada))
    await sessionsOf(ada)
    expect(await entriesAbout(guildhall, ada)).toMatchObject([
      { action: 'list_user_sessions', targetType: 'user', metadata: { session_count: '2' } },
    ])
  })
  it('has nothing of an erased account, whose sessions are in no table any more', async () => {
    const token = await login(ada)
    await logout(token)
    await deletionIsDue(guildhall, ada)
    expect(await erase(guildhall, ada)).toBe(true)
    expect(await sessionsOf(ada)).toEqual([])
    const hash = sessionTokenHash(token)
    expect((await guildhall.ports.sessionActivity.lastUsed([hash])).size).toBe(0)
    const rows = (await everyRow(guildhall)).split('\n').filter((row) => row.includes(hash))
    expect(rows.filter((row) => /^(?:accounts|session_activity)\./.test(row))).toEqual([])
    expect(await guildhall.ports.queries.sessions.endedOf(accountId(snowflake(ada.id)))).toEqual([])
  })
  it('refuses an unknown account, and records nothing', async () => {
    expectRefusal(await userReadsOf(guildhall, root).below({ id: '6' }, 'sessions'), 404, 'UNKNOWN_USER')
    expect(await entriesAbout(guildhall, { id: '6' })).toEqual([])
  })
})
