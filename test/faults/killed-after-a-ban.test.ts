import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noteFault } from '../support/fault-table.ts'
import { appendCommands } from '../support/append-commands.ts'
import { call, currentUser, password, register, send, type ApiRequest, type Person } from '../support/load-api.ts'
import { loadSite, type LoadSite } from '../support/load-site.ts'
import { killAfterFirstAppend } from './kill-after-first-append.ts'
import { divergentRows, finishedSteps, wholeHistory, withStore } from './store-checks.ts'
import { patience_ms } from '../support/pace.ts'

let site: LoadSite
let root: Person
let ada: Person
let email: string

beforeAll(async () => {
  site = loadSite()
  const { url } = await site.start()
  const unique = randomUUID().slice(0, 8)
  root = await call(url, register(`root${unique}`))
  ada = await call(url, register(`ada${unique}`))
  email = `ada${unique}@example.com`
  await withStore(site.dataDir, ({ events }) => appendCommands(events, root, [{ type: 'SetAcls', acls: ['*'] }]))
})
afterAll(() => site.remove(), 30_000)

const ban = (): ApiRequest => ({
  method: 'PUT',
  path: `/v1/admin/users/${ada.id}/ban`,
  token: root.token,
  body: { duration_hours: 2 },
  parse: (body) => body,
})
const login = (): ApiRequest => ({
  method: 'POST',
  path: '/v1/auth/login',
  body: { email, password },
  parse: (body) => body,
})

describe('a process that is killed between a ban and its entry in the audit log', () => {
  it('has ended every session after its restart, lets none begin, and records the interrupted act', async () => {
    const { url: before } = site.product
    for (let sessions = 1; sessions < 5; sessions += 1) await call(before, login())
    await killAfterFirstAppend(site, {
      begin: () => send(before, ban()),
      first: 'AccountBanned',
      second: 'AdminActionRecorded',
    })
    const { url, ready_ms } = await site.start()
    const shown = await send(url, currentUser(ada))
    const signedIn = await send(url, login())
    expect(shown.status).toBe(401)
    expect(signedIn).toMatchObject({ status: 403, body: { code: 'ACCOUNT_SUSPENDED_TEMPORARILY' } })
    await withStore(site.dataDir, async (store) => {
      const { left, ms } = await finishedSteps(store, patience_ms)
      const history = await wholeHistory(store)
      const of = (wanted: string): number => history.filter(({ type }) => type === wanted).length
      const live = await store.database.pool.query('select 1 from accounts.sessions where account_id = $1', [ada.id])
      const divergent = await divergentRows(store)
      noteFault('F1d', {
        title: 'One process killed between a ban and its audit entry',
        runs: 1,
        lost: 5 - of('SessionEnded') + 1 - of('AdminActionRecorded'),
        repeated: of('AccountBanned') - 1,
        reordered: 0,
        divergent: divergent.length,
        stuck_s: (ready_ms + ms) / 1000,
        note: 'a process starts in the time',
      })
      expect({ left, live: live.rows, divergent }).toStrictEqual({ left: 0, live: [], divergent: [] })
      expect([of('AccountBanned'), of('SessionEnded'), of('AdminActionRecorded')]).toStrictEqual([1, 5, 1])
    })
  })

  it('is answered again to a repeated ban, which ends no session twice', async () => {
    const { url } = site.product
    expect(await send(url, ban())).toMatchObject({ status: 200, body: { user: { id: ada.id } } })
    await withStore(site.dataDir, async (store) => {
      const ended = (await wholeHistory(store)).filter(({ type }) => type === 'SessionEnded')
      expect(ended).toHaveLength(5)
    })
  })
})
