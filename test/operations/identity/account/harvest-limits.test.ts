import { beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../../support/answers.ts'
import { harvestsOf } from '../../support/archives.ts'
import { deletionIsDue, erase } from '../../support/erasure.ts'
import { openServer } from '../../support/scene.ts'

const guildhall = await openServer()
let ada: TestAccount

beforeEach(async () => {
  ada = await guildhall.register()
})

let ids = 1

/** A record that no worker takes, with these columns. */
async function planted(columns: Readonly<Record<string, string>> = {}): Promise<string> {
  const id = String(ids++)
  const own = { archive_id: id, subject_type: `'user'`, subject_id: ada.id, requested_by: ada.id, origin: `'holder'` }
  const all: Readonly<Record<string, string>> = {
    ...own,
    includes_attachments: 'true',
    requested_at: 'now()',
    run_at: `now() + interval '1 day'`,
    ...columns,
  }
  const text = `insert into archives.archives (${Object.keys(all).join()}) values (${Object.values(all).join()})`
  await guildhall.store.database.pool.query(text)
  return id
}

const completed = { completed_at: 'now()', size_bytes: '1', parts_count: '1', percent: '100', step: `'Completed'` }

describe('a link to an archive', () => {
  it('is refused for one that does not exist, has failed, is not ready or has expired, in this order', async () => {
    const { link } = harvestsOf(guildhall, ada)
    expectRefusal(await link('4'), 404, 'UNKNOWN_HARVEST')
    const failed = await planted({ failed_at: 'now()' })
    expectRefusal(await link(failed), 400, 'HARVEST_FAILED')
    expectRefusal(await link(await planted()), 400, 'HARVEST_NOT_READY')
    const expired = await planted({ ...completed, expires_at: `now() - interval '1 second'` })
    expectRefusal(await link(expired), 400, 'HARVEST_EXPIRED')
    expectFields(await link('none'), field('harvest_id', 'INVALID_SNOWFLAKE_FORMAT'))
  })
  it('ends with the archive', async () => {
    const { ask, get, link } = harvestsOf(guildhall, ada)
    const id = String(bodyOf(await ask())['harvest_id'])
    await expect.poll(async () => bodyOf(await get(id))['status']).toBe('completed')
    const { download_url: url, expires_at: end } = bodyOf(await link(id))
    expect(end).toBe(bodyOf(await get(id))['expires_at'])
    const { pool } = guildhall.store.database
    await pool.query(`update archives.archives set expires_at = now() where archive_id = ${id}`)
    const answer = await fetch(String(url))
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'HARVEST_EXPIRED' }])
    expectRefusal(await link(id), 400, 'HARVEST_EXPIRED')
  })
})

describe('requests of archives', () => {
  it('show each step', async () => {
    const { get } = harvestsOf(guildhall, ada)
    const statusOf = async (columns: Readonly<Record<string, string>>) =>
      bodyOf(await get(await planted(columns)))['status']
    expect(await statusOf({})).toBe('pending')
    expect(await statusOf({ started_at: 'now()' })).toBe('processing')
    expect(await statusOf({ started_at: 'now()', failed_at: 'now()' })).toBe('failed')
    expect(await statusOf({ started_at: 'now()', ...completed })).toBe('completed')
  })
  it('check their filter, and begin nothing', async () => {
    const { askFiltered, latest } = harvestsOf(guildhall, ada)
    const many = Array.from({ length: 501 }, (_, id) => String(id))
    expectFields(await askFiltered({ scope: 'all' }), field('scope', 'INVALID_FORMAT'))
    expectFields(await askFiltered({ excluded_guild_ids: many }), field('excluded_guild_ids', 'INVALID_FORMAT'))
    expectFields(await askFiltered({ start_date: 'today' }), field('start_date', 'INVALID_ISO_TIMESTAMP'))
    expect((await latest()).body).toBeNull()
  })
  it('are five in half an hour, with a filter or without', async () => {
    const limited = await openServer('limited')
    const { ask, askFiltered, latest } = harvestsOf(limited, await limited.register())
    for (let time = 0; time < 4; time += 1) bodyOf(await ask())
    const fifth = bodyOf(await askFiltered({}))
    expectRefusal(await ask(), 429, 'RATE_LIMITED')
    expectRefusal(await askFiltered({}), 429, 'RATE_LIMITED')
    expect(bodyOf(await latest())['harvest_id']).toBe(fifth['harvest_id'])
  })
})

describe('the erasure of an account', () => {
  it('takes its archives and what was built of them', async () => {
    const { ask, get, link } = harvestsOf(guildhall, ada)
    const id = String(bodyOf(await ask())['harvest_id'])
    await expect.poll(async () => bodyOf(await get(id))['status']).toBe('completed')
    const url = String(bodyOf(await link(id))['download_url'])
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200)
    await deletionIsDue(guildhall, ada)
    await erase(guildhall, ada)
    const answer = await fetch(url)
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'UNKNOWN_HARVEST' }])
    const { rows } = await guildhall.store.database.pool.query(
      `select from archives.archives where subject_type = 'user' and subject_id = ${ada.id}`,
    )
    expect(rows).toEqual([])
  })
})
