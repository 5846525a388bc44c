import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { sessionTokenHash } from '../../../../application/identity/tokens/session-token.ts'
import { appendCommands } from '../../../support/append-commands.ts'
import { testContext } from '../../../support/test-context.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, listOf } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { deletionIsDue, erase } from '../../support/erasure.ts'
import { openServer } from '../../support/scene.ts'
import { correctionsOn, entriesAbout, idOf } from './support.ts'
import { expectEnded } from '../../../gateway/support/ended.ts'

const guildhall = await openServer()
const { ask } = await correctionsOn(guildhall)
const { connect, end } = connections()
afterAll(end)

const newToken = (): string => `gld_${randomBytes(18).toString('hex')}`
const me = async (token: string) => (await guildhall.request('GET', '/v1/users/@me', { token })).status

/** An account with more sessions than an append takes events. */
async function crowded(): Promise<{ readonly ada: TestAccount; readonly tokens: readonly string[] }> {
  const ada = await guildhall.register()
  const tokens = Array.from({ length: 1100 }, newToken)
  const { now } = testContext()
  const sessions = tokens.map((token) => {
    const tokenHash = sessionTokenHash(token)
    return { type: 'StartSession', tokenHash, ip: '127.0.0.1', userAgent: null, now } as const
  })
  await appendCommands(guildhall.store.events, ada, sessions)
  await guildhall.readModels.reached(await guildhall.store.events.end())
  return { ada, tokens: [ada.token, ...tokens] }
}

const live = async (account: TestAccount) => guildhall.ports.queries.sessions.ofAccount(idOf(account))

describe('an account with a thousand sessions', () => {
  it('loses all of them by a ban, with every client', async () => {
    const { ada, tokens } = await crowded()
    const sample = [tokens[0], tokens[500], tokens.at(-1)].map((token) => token ?? '')
    const clients = await Promise.all(sample.map((token) => connect(guildhall, { token })))
    for (const token of sample) expect(await me(token)).toBe(200)
    bodyOf(await ask('PUT', ada.id, 'ban', { duration_hours: 1 }))
    for (const { client } of clients) await expectEnded(client)
    for (const token of sample) expect(await me(token)).toBe(401)
    expect(await live(ada)).toStrictEqual([])
  })

  it('loses all of them by Terminate user sessions, which counts each once', async () => {
    const { ada, tokens } = await crowded()
    const client = (await connect(guildhall, { token: tokens.at(-1) ?? '' })).client
    const answers = await Promise.all([ask('DELETE', ada.id, 'sessions'), ask('DELETE', ada.id, 'sessions')])
    const counts = answers.map((answer) => Number(bodyOf(answer)['terminated_count']))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1101)
    await expectEnded(client)
    expect(await live(ada)).toStrictEqual([])
    expect(await entriesAbout(guildhall, ada)).toHaveLength(2)
    const { email, password } = ada
    const again = bodyOf(await guildhall.request('POST', '/v1/auth/login', { body: { email, password } }))
    const token = String(again['token'])
    expect(listOf(await guildhall.request('GET', '/v1/auth/sessions', { token }))).toHaveLength(1)
  })

  it('can be erased', async () => {
    const { ada } = await crowded()
    await deletionIsDue(guildhall, ada)
    expect(await erase(guildhall, ada)).toBe(true)
    expect(await live(ada)).toStrictEqual([])
  })
})
