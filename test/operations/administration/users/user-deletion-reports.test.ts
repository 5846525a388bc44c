import { beforeEach, describe, expect, it, vi } from 'vitest'
import { administrator } from '../../../support/administrators.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf } from '../../support/answers.ts'
import { sent } from '../../support/messages.ts'
import { reportIn, reportsOn } from '../../support/reports.ts'
import { foundWith, openServer } from '../../support/scene.ts'
import { deletionsBy, entriesAbout } from './support.ts'

/** What becomes of the reports against an account whose deletion is scheduled. */

const guildhall = await openServer()
const root = await administrator(guildhall, '*')
const { schedule } = deletionsBy(guildhall, root)
const { reportMessage, reportUser, reportGuild, get, resolve } = reportsOn(guildhall)

const [other, spam] = [2, 3]
let ada: TestAccount
let brian: TestAccount
beforeEach(async () => {
  ;[ada, brian] = await Promise.all([guildhall.register(), guildhall.register()])
})

const statusOf = async (id: string) => bodyOf(await get(root, id))['status']
const outcomes = async (account: TestAccount) =>
  (await entriesAbout(guildhall, account))
    .filter(({ action }) => action === 'auto_resolve_reports_on_deletion')
    .map(({ metadata }) => metadata)
const counts = (found: number, resolved: number, failed: number, notified: number, outcome = 'completed') => ({
  outcome,
  found_count: String(found),
  resolved_count: String(resolved),
  failed_count: String(failed),
  notified_count: String(notified),
})

describe('scheduling the deletion of an account', () => {
  it('resolves the pending reports against it, and tells each reporter so without a comment', async () => {
    const home = await foundWith(guildhall, brian, ada)
    const message = await sent(guildhall, brian, home.channel, 'Cheap watches')
    const ofMessage = reportIn(await reportMessage(ada, home.channel, message))
    const ofUser = reportIn(await reportUser(ada, brian))
    const ofGuild = reportIn(await reportGuild(ada, home))
    const ofAda = reportIn(await reportUser(brian, ada))
    const earlier = reportIn(await reportUser(ada, brian))
    bodyOf(await resolve(root, earlier, { notify_reporter: false, public_comment: 'Seen' }))
    const send = vi.spyOn(guildhall.ports.mail, 'send')
    bodyOf(await schedule(brian, { reason_code: spam, public_reason: 'Spam' }))
    const told = send.mock.calls.map(([letter]) => letter).filter(({ to }) => to === ada.email)
    send.mockRestore()
    expect(told.map(({ template, values }) => [template, values])).toEqual(
      Array.from({ length: 2 }, () => ['report_resolved', expect.objectContaining({ publicComment: null })]),
    )
    for (const id of [ofMessage, ofUser])
      expect(bodyOf(await get(root, id))).toMatchObject({
        status: 1,
        resolved_by_admin_id: root.id,
        public_comment: null,
      })
    for (const id of [ofGuild, ofAda]) expect(await statusOf(id)).toBe(0)
    expect(bodyOf(await get(root, earlier))).toMatchObject({ public_comment: 'Seen' })
    expect(await outcomes(brian)).toStrictEqual([counts(2, 2, 0, 2)])
  })

  it('leaves reports of protected categories pending, and all of them for other reasons', async () => {
    const home = await foundWith(guildhall, brian, ada)
    const message = await sent(guildhall, brian, home.channel, 'Hello')
    const kept = [
      reportIn(await reportMessage(ada, home.channel, message, { category: 'child_safety' })),
      reportIn(await reportMessage(ada, home.channel, message, { category: 'self_harm' })),
      reportIn(await reportUser(ada, brian, { category: 'underage_user' })),
    ]
    const taken = reportIn(await reportUser(ada, brian))
    bodyOf(await schedule(brian, { reason_code: other }))
    expect(await statusOf(taken)).toBe(0)
    const carol = await guildhall.register()
    const ofCarol = reportIn(await reportUser(ada, carol))
    bodyOf(await schedule(carol, { reason_code: spam }))
    expect([await statusOf(taken), await statusOf(ofCarol)]).toEqual([0, 1])
    expect([await outcomes(brian), await outcomes(carol)]).toStrictEqual([[], [counts(1, 1, 0, 1)]])
    for (const id of kept) expect(await statusOf(id)).toBe(0)
  })

  it('counts protected reports as not found', async () => {
    reportIn(await reportUser(ada, brian, { category: 'underage_user' }))
    bodyOf(await schedule(brian, { reason_code: spam }))
    expect(await outcomes(brian)).toStrictEqual([counts(0, 0, 0, 0)])
  })

  it('resolves more than are read at once', async () => {
    const reporters = await Promise.all(Array.from({ length: 25 }, () => guildhall.register()))
    const ids = await Promise.all(reporters.map(async (reporter) => reportIn(await reportUser(reporter, brian))))
    bodyOf(await schedule(brian, { reason_code: spam }))
    expect(await outcomes(brian)).toStrictEqual([counts(25, 25, 0, 25)])
    expect(new Set(await Promise.all(ids.map(statusOf)))).toEqual(new Set([1]))
  })

  it('is kept if mails to reporters fail, and if the reports cannot be read', async () => {
    const id = reportIn(await reportUser(ada, brian))
    const send = vi.spyOn(guildhall.ports.mail, 'send').mockRejectedValue(new Error('No mails today'))
    bodyOf(await schedule(brian, { reason_code: spam }))
    send.mockRestore()
    expect([await statusOf(id), await outcomes(brian)]).toEqual([1, [counts(1, 1, 0, 0)]])
    const carol = await guildhall.register()
    const ofCarol = reportIn(await reportUser(ada, carol))
    const { reports } = guildhall.ports.queries
    const read = vi.spyOn(reports, 'pendingAgainst').mockRejectedValueOnce(new Error('Postgres is away'))
    bodyOf(await schedule(carol, { reason_code: spam }))
    read.mockRestore()
    expect([await statusOf(ofCarol), await outcomes(carol)]).toEqual([0, [counts(0, 0, 0, 0, 'enumeration_failed')]])
  })

  it('counts a report that an administrator resolves meanwhile as failed', async () => {
    const id = reportIn(await reportUser(ada, brian))
    const { reports } = guildhall.ports.queries
    const pendingAgainst = reports.pendingAgainst.bind(reports)
    const read = vi.spyOn(reports, 'pendingAgainst').mockImplementationOnce(async (...asked) => {
      const found = await pendingAgainst(...asked)
      bodyOf(await resolve(root, id, { public_comment: 'Faster' }))
      return found
    })
    bodyOf(await schedule(brian, { reason_code: spam }))
    read.mockRestore()
    expect(await outcomes(brian)).toStrictEqual([counts(1, 0, 1, 0)])
    expect(bodyOf(await get(root, id))).toMatchObject({ public_comment: 'Faster' })
  })
})
