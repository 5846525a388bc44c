import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sessionTokenHash } from '../../../../application/identity/tokens/session-token.ts'
import { Client } from '../../../gateway/support/client.ts'
import { identifyOf } from '../../../gateway/support/facts.ts'
import { adminKeyOf, administrator, auditEntries, giveAcls } from '../../../support/administrators.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectRefusal, listOf } from '../../support/answers.ts'
import { asBot } from '../../support/applications.ts'
import { connections } from '../../support/connected.ts'
import { deletionIsDue, erase } from '../../support/erasure.ts'
import { codeFor, exchange, newClient } from '../../support/oauth2.ts'
import { openServer } from '../../support/scene.ts'
import { expectEnded } from '../../../gateway/support/ended.ts'

const guildhall = await openServer()
const root = await administrator(guildhall, '*')
const { connect, end } = connections()
let ada: TestAccount

beforeEach(async () => {
  ada = await guildhall.register()
})
afterEach(end)

const terminate = (id: string, token = root.token) =>
  guildhall.request('DELETE', `/v1/admin/users/${id}/sessions`, { token })
const me = async (token: string): Promise<number> => (await guildhall.request('GET', '/v1/users/@me', { token })).status

async function login({ email, password }: TestAccount): Promise<TestAccount> {
  const answer = await guildhall.request('POST', '/v1/auth/login', { body: { email, password } })
  return { ...ada, token: String(bodyOf(answer)['token']) }
}

describe('Terminate user sessions', () => {
  it('ends every session of the account, and says how many were live', async () => {
    const [phone, eve] = [await login(ada), await guildhall.register()]
    expect(await terminate(ada.id)).toMatchObject({ status: 200, body: { terminated_count: 2 } })
    for (const { token } of [ada, phone]) expect(await me(token)).toBe(401)
    expect(await me(eve.token)).toBe(200)
  })

  it('tells the clients of all of them, and nobody else', async () => {
    const [phone, eve] = [await login(ada), await guildhall.register()]
    const connected = [await connect(guildhall, ada), await connect(guildhall, phone)]
    const foreign = await connect(guildhall, eve)
    bodyOf(await terminate(ada.id))
    for (const { client } of connected) await expectEnded(client)
    foreign.client.send(1, null)
    await foreign.client.op(11)
  })

  it('lets nobody resume what it has ended, or identify with it', async () => {
    const { client } = await connect(guildhall, ada)
    const { sessionId, sequence } = client
    bodyOf(await terminate(ada.id))
    await expectEnded(client)
    const back = new Client(`${guildhall.url.replace('http', 'ws')}/gateway?v=1`)
    await back.op(10)
    back.send(6, { token: ada.token, session_id: sessionId, seq: sequence })
    expect(await back.op(9)).toStrictEqual({ op: 9, d: false })
    back.send(2, identifyOf({ token: ada.token }))
    expect(await back.closed).toStrictEqual({ code: 4004, reason: 'Invalid token' })
  })

  it('lets the account sign in again', async () => {
    bodyOf(await terminate(ada.id))
    const { token } = await login(ada)
    const listed = listOf(await guildhall.request('GET', '/v1/auth/sessions', { token }))
    expect(listed.map((session) => session['id_hash'])).toStrictEqual([sessionTokenHash(token)])
  })

  it('leaves Admin keys, bot tokens and tokens of applications', async () => {
    await giveAcls(guildhall, ada, ['*'])
    const key = await adminKeyOf(guildhall, ada, '*')
    const own = await newClient(guildhall, ada)
    const foreign = await newClient(guildhall, await guildhall.register())
    const tokens = bodyOf(await exchange(guildhall, foreign, await codeFor(guildhall, ada, foreign)))
    expect(bodyOf(await terminate(ada.id))).toStrictEqual({ terminated_count: 1 })
    expect((await guildhall.request('GET', '/v1/admin/acls', { token: key })).status).toBe(200)
    expect(await me(asBot(own))).toBe(200)
    const bearer = `Bearer ${String(tokens['access_token'])}`
    expect((await guildhall.request('GET', '/v1/oauth2/userinfo', { token: bearer })).status).toBe(200)
  })

  it('ends the session that asks too, and answers it', async () => {
    const self = await administrator(guildhall, '*')
    expect(bodyOf(await terminate(self.id, self.token))).toStrictEqual({ terminated_count: 1 })
    expect(await me(self.token)).toBe(401)
  })

  it('is recorded once without metadata, also where no session was live', async () => {
    bodyOf(await terminate(ada.id))
    expect(bodyOf(await terminate(ada.id))).toStrictEqual({ terminated_count: 0 })
    const entries = (await auditEntries(guildhall)).filter(({ targetId }) => targetId === ada.id)
    const entry = { action: 'terminate_sessions', adminId: root.id, targetType: 'user', metadata: {} }
    expect(entries).toMatchObject([entry, entry])
  })

  it('counts each session once, however many ask at the same moment', async () => {
    for (let sessions = 1; sessions < 5; sessions += 1) await login(ada)
    const answers = await Promise.all(Array.from({ length: 6 }, () => terminate(ada.id)))
    const counts = answers.map((answer) => Number(bodyOf(answer)['terminated_count']))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(5)
  })

  it('refuses an account that does not exist, and one that is erased', async () => {
    expectRefusal(await terminate('1'), 404, 'UNKNOWN_USER')
    await deletionIsDue(guildhall, ada)
    expect(await erase(guildhall, ada)).toBe(true)
    expectRefusal(await terminate(ada.id), 404, 'UNKNOWN_USER')
    expectRefusal(await terminate('ada'), 400, 'INVALID_FORM_BODY')
    // Other files on this server have administrators of their own.
    const own = (await auditEntries(guildhall)).filter(({ adminId }) => adminId === root.id)
    expect(own.filter(({ targetId }) => ['1', ada.id].includes(targetId))).toEqual([])
  })
})
