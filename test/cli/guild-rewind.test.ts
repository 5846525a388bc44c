import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { bodyOf, found, type TestGuild } from '../operations/support/answers.ts'
import { laidDatabase, type TestDatabase } from '../support/test-database.ts'
import { startTestGuildhall, type TestAccount, type TestGuildhall } from '../support/test-guildhall.ts'
import { runHere } from './support/command-here.ts'
import { environmentOf } from './support/instance.ts'

const personalDataKey = randomBytes(32)
let database: TestDatabase
let api: TestGuildhall
let ada: TestAccount
let home: TestGuild
let to: string

beforeAll(async () => {
  database = await laidDatabase()
  api = await startTestGuildhall({ connection: database.connection, personalDataKey })
  ada = await api.register()
  home = await found(api, ada)
  to = new Date(Date.now() + 1).toISOString()
  await vi.waitUntil(() => new Date().toISOString() > to, { interval: 1 })
  await api.request('PATCH', `/v1/guilds/${home.id}`, { token: ada.token, body: { name: 'Raided' } })
  await api.request('DELETE', `/v1/channels/${home.channel}`, { token: ada.token })
})
afterAll(async () => {
  await api.close()
  await database.close()
})

const rewind = (...words: readonly string[]) =>
  runHere(['guild', 'rewind', ...words], environmentOf(database.connection, personalDataKey))
const nameNow = async () => bodyOf(await api.request('GET', `/v1/guilds/${home.id}`, { token: ada.token }))['name']

describe('guildhall guild rewind', () => {
  it('prints what it would do and what does not come back, and does nothing in a dry run', async () => {
    const { output, code } = await rewind(home.id, '--to', to, '--dry-run')
    expect(code).toBe(0)
    expect(output).toContain('the guild was renamed from "Raided" to "Home"\n')
    expect(output).toContain('channel general was created\n')
    expect(output).toContain(
      'Does not come back:\n  the messages of channel general (messages_gone)\nNothing was done.\n',
    )
    expect(await nameNow()).toBe('Raided')
  })

  it('has the worker of the server bring the guild back', async () => {
    const { output, code } = await rewind(home.id, '--to', to)
    expect(code).toBe(0)
    const [, job] = /^Job (\d+) does it/m.exec(output) ?? []
    // The worker would find it within a minute.
    await database.database.pool.query(`update background_jobs.jobs set run_at = now() where job_id = $1`, [job])
    await expect.poll(nameNow).toBe('Home')
    await expect
      .poll(async () => (await api.request('GET', `/v1/channels/${home.channel}`, { token: ada.token })).status)
      .toBe(200)
  })

  it('is refused for an unknown guild, a time before it, and what is no instant', async () => {
    expect(await rewind('7', '--to', to)).toMatchObject({ code: 1, said: expect.stringContaining('no guild 7') })
    const early = await rewind(home.id, '--to', '2000-01-01T00:00:00Z')
    expect(early).toMatchObject({ code: 1, said: expect.stringContaining('TIME_BEFORE_FIRST_EVENT') })
    expect(await rewind(home.id, '--to', 'yesterday')).toMatchObject({ code: 1 })
  })
})
