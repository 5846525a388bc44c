import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bodyOf } from '../operations/support/answers.ts'
import { administrator } from '../support/administrators.ts'
import { laidDatabase, type TestDatabase } from '../support/test-database.ts'
import { startTestGuildhall, type TestAccount, type TestGuildhall } from '../support/test-guildhall.ts'
import { runHere } from './support/command-here.ts'
import { environmentOf } from './support/instance.ts'
import { entryIn } from './support/user-commands.ts'

const personalDataKey = randomBytes(32)
let database: TestDatabase
let server: TestGuildhall
let root: TestAccount

beforeAll(async () => {
  database = await laidDatabase()
  server = await startTestGuildhall({ connection: database.connection, personalDataKey })
  root = await administrator(server, '*')
})
afterAll(async () => {
  await server.close()
  await database.close()
})

const user = (...words: readonly string[]): Promise<string> => command('user', ...words)

async function command(...words: readonly string[]): Promise<string> {
  const ended = await runHere(words, environmentOf(database.connection, personalDataKey))
  expect(ended).toMatchObject({ code: 0, said: '' })
  return ended.output
}

const own = ({ token }: TestAccount) => server.request('GET', '/v1/users/@me', { token })
const asRoot = (method: 'GET' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  server.request(method, `/v1/admin/${path}`, { token: root.token, ...(body && { body }) })

describe('guildhall user beside a running server', () => {
  it('ends the sessions of who is banned at once, and shows its entry to administrators', async () => {
    const ada = await server.register()
    expect((await own(ada)).status).toBe(200)
    await user('ban', ada.id, '--dry-run')
    expect((await own(ada)).status).toBe(200)
    const entry = entryIn(await user('ban', ada.id, '--reason', 'Spam'))
    expect((await own(ada)).status).toBe(401)
    expect(bodyOf(await asRoot('GET', `audit-logs/${entry}`))).toMatchObject({
      log_id: entry,
      admin_user_id: '0',
      admin_user: null,
      target_id: ada.id,
      action: 'temp_ban',
      audit_log_reason: 'Spam',
    })
  })

  it("undoes an administrator's act too", async () => {
    const ada = await server.register()
    const flags = { add_flags: ['4'], remove_flags: [] }
    expect((await asRoot('PATCH', `users/${ada.id}/flags`, flags)).status).toBe(200)
    const { logs } = bodyOf(await asRoot('GET', `audit-logs?target_id=${ada.id}`))
    const [{ log_id: entry }] = logs as [{ readonly log_id: string }]
    await command('undo', entry)
    const { users } = bodyOf(await asRoot('GET', `users/${ada.id}`))
    expect(users).toMatchObject([{ flags: '0' }])
  })

  it('undoes a change of premium flags', async () => {
    const ada = await server.register()
    const flags = { add_flags: [1], remove_flags: [] }
    expect((await asRoot('PATCH', `users/${ada.id}/premium-flags`, flags)).status).toBe(200)
    const { logs } = bodyOf(await asRoot('GET', `audit-logs?target_id=${ada.id}`))
    const [{ log_id: entry }] = logs as [{ readonly log_id: string }]
    await command('undo', entry)
    expect(bodyOf(await asRoot('GET', `users/${ada.id}`))['users']).toMatchObject([{ premium_flags: 0 }])
  })

  it('schedules a deletion, which administrators see and can cancel', async () => {
    const ada = await server.register()
    await user('delete', ada.id, '--because', 'SPAM', '--reason', 'Known')
    expect((await own(ada)).status).toBe(401)
    const [shown] = bodyOf(await asRoot('GET', `users/${ada.id}`))['users'] as [Readonly<Record<string, unknown>>]
    expect(shown).toMatchObject({
      deletion_scheduled_by: '0',
      deletion_audit_log_reason: 'Known',
      deletion_reason_code: 3,
    })
    const body = { expected_pending_deletion_at: shown['pending_deletion_at'] }
    expect((await asRoot('DELETE', `users/${ada.id}/deletion`, body)).status).toBe(200)
  })
})
