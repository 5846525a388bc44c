import { describe, expect, it } from 'vitest'
import { administrator } from '../../../support/administrators.ts'
import { bodyOf } from '../../support/answers.ts'
import { reportIn, reportsOn } from '../../support/reports.ts'
import { openServer } from '../../support/scene.ts'
import { undoer } from './support.ts'

const guildhall = await openServer({})
const admin = await administrator(guildhall, '*')
const other = undoer(guildhall, await administrator(guildhall, '*'))
const { acts, does, newest, undo, undoes } = undoer(guildhall, admin)
const { reportUser } = reportsOn(guildhall)

async function newReport(): Promise<string> {
  const [ada, brian] = [await guildhall.register(), await guildhall.register()]
  return `/v1/admin/reports/${reportIn(await reportUser(ada, brian))}`
}
const read = async (report: string) => bodyOf(await does('GET', report))

describe('to undo a claim of a report', () => {
  it('releases it, and claims a released one again for who had it', async () => {
    const report = await newReport()
    const free = await read(report)
    const claimed = await acts('PUT', `${report}/claim`)
    await undoes(claimed.entryId)
    expect(await read(report)).toEqual(free)
    await undoes((await newest()).entryId)
    const held = await read(report)
    expect(held).toMatchObject({ claimed_by_admin_id: admin.id })
    const released = await other.acts('DELETE', `${report}/claim`)
    expect(await other.undo(released.entryId)).toMatchObject({
      status: 409,
      body: { reason: 'no_opposite', why: expect.stringContaining('who had claimed') as string },
    })
    await undoes(released.entryId)
    expect(await read(report)).toMatchObject({ claimed_by_admin_id: admin.id })
  })

  it('is refused once it is resolved, which nothing takes back', async () => {
    const report = await newReport()
    const claimed = await acts('PUT', `${report}/claim`)
    const resolved = await acts('PATCH', report, { status: 'resolved', notify_reporter: false })
    expect(await undo(claimed.entryId)).toMatchObject({
      status: 409,
      body: { reason: 'changed_since', changed_by: { audit_log_id: resolved.entryId } },
    })
    expect(await undo(resolved.entryId)).toMatchObject({ status: 409, body: { reason: 'no_opposite' } })
  })

  it('says of a second claim that it changed nothing', async () => {
    const report = await newReport()
    await does('PUT', `${report}/claim`)
    const again = await acts('PUT', `${report}/claim`)
    expect(await undo(again.entryId)).toMatchObject({ status: 409, body: { reason: 'nothing_to_undo' } })
  })
})
