import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { RecordedEvent } from '../../../application/ports/event-store.ts'
import type { Store } from '../../../process/store.ts'
import { noteFault } from '../../support/fault-table.ts'
import { appendCommands } from '../../support/append-commands.ts'
import { call, currentUser, password, register, send, type ApiRequest, type Person } from '../../support/load-api.ts'
import type { LoadSite } from '../../support/load-site.ts'
import { killAfterFirstAppend } from './kill-after-first-append.ts'
import { divergentRows, finishedSteps, wholeHistory, withStore } from '../store-checks.ts'
import { patience_ms } from '../../support/pace.ts'

export function killedAfterABan(site: LoadSite): void {
  describe('a ban', () => {
    let root: Person
    let ada: Person
    let email: string
    /** A position: what the chapter counts comes after it. */
    let before: bigint

    beforeAll(async () => {
      const { url } = site.product
      const unique = randomUUID().slice(0, 8)
      root = await call(url, register(`root${unique}`))
      ada = await call(url, register(`ada${unique}`))
      email = `ada${unique}@example.com`
      await withStore(site.dataDir, async ({ events }) => {
        await appendCommands(events, root, [{ type: 'SetAcls', acls: ['*'] }])
        before = await events.end()
      })
    })

    const historySince = async (store: Store): Promise<readonly RecordedEvent[]> =>
      (await wholeHistory(store)).filter(({ position }) => position > before)

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
        const { url: first } = site.product
        for (let sessions = 1; sessions < 5; sessions += 1) await call(first, login())
        await killAfterFirstAppend(site, {
          begin: () => send(first, ban()),
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
          const history = await historySince(store)
          const of = (wanted: string): number => history.filter(({ type }) => type === wanted).length
          const live = await store.database.pool.query('select 1 from accounts.sessions where account_id = $1', [
            ada.id,
          ])
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
          const ended = (await historySince(store)).filter(({ type }) => type === 'SessionEnded')
          expect(ended).toHaveLength(5)
        })
      })
    })
  })
}
