import { beforeEach, describe, expect, it, vi } from 'vitest'
import { field } from '../../../domain/kernel/refusal.ts'
import { administrator, auditEntries } from '../../support/administrators.ts'
import type { TestAccount, TestAnswer } from '../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../support/answers.ts'
import { deletionIsDue, erase, everyEvent, everyRow } from '../support/erasure.ts'
import { sent } from '../support/messages.ts'
import { reportIn, reportsOn } from '../support/reports.ts'
import { foundWith, openServer } from '../support/scene.ts'

/** The queue of reports for administrators (decision 89). */

const guildhall = await openServer({})
const { reportMessage, reportUser, reportGuild, list, get, resolve, claim, release } = reportsOn(guildhall)
const root = await administrator(guildhall, '*')
let ada: TestAccount
let brian: TestAccount
beforeEach(async () => {
  ;[ada, brian] = await Promise.all([guildhall.register(), guildhall.register()])
})

interface Listed {
  readonly reports: readonly Readonly<Record<string, unknown>>[]
  readonly total: number
}
const listed = async (query: string) => bodyOf(await list(root, query)) as unknown as Listed
const idsIn = async (query: string) => (await listed(query)).reports.map(({ report_id: id }) => id)
const entriesOf = async (id: string) =>
  (await auditEntries(guildhall)).filter(({ adminId, targetId }) => adminId === root.id && targetId === id)
const codesOf = (answers: readonly TestAnswer[]) =>
  answers.map(({ status, body }) => (status < 300 ? 'done' : (body as { readonly code: string }).code)).toSorted()

describe('List reports', () => {
  it('gives pending reports unless something else is asked for, newest first', async () => {
    const [first, second] = [reportIn(await reportUser(ada, brian)), reportIn(await reportUser(ada, brian))]
    bodyOf(await resolve(root, first))
    expect((await listed('')).reports.every(({ status }) => status === 0)).toBe(true)
    expect(await idsIn(`?reporter_id=${ada.id}`)).toEqual([second, first])
    expect(await idsIn(`?reporter_id=${ada.id}&sort_order=asc`)).toEqual([first, second])
    expect(await idsIn(`?reporter_id=${ada.id}&sort_by=resolved_at`)).toEqual([first, second])
    expect(await idsIn(`?reporter_id=${ada.id}&status=pending`)).toEqual([second])
    expect(await idsIn(`?reporter_id=${ada.id}&status=resolved`)).toEqual([first])
    const page = bodyOf(await list(root, `?reporter_id=${ada.id}&limit=1&offset=1`))
    expect(page).toMatchObject({ reports: [{ report_id: first }], total: 2, limit: 1, offset: 1 })
  })

  it('filters by what was reported, and by who works on it', async () => {
    const home = await foundWith(guildhall, brian, ada)
    const message = await sent(guildhall, brian, home.channel, 'Cheap watches')
    const ofMessage = reportIn(await reportMessage(ada, home.channel, message))
    const ofUser = reportIn(await reportUser(ada, brian, { guild_id: home.id, category: 'underage_user' }))
    const ofGuild = reportIn(await reportGuild(ada, home))
    bodyOf(await claim(root, ofUser))
    const found = (query: string) => idsIn(`?sort_order=asc&reporter_id=${ada.id}&${query}`)
    expect(await found(`reported_user_id=${brian.id}`)).toEqual([ofMessage, ofUser])
    expect(await found(`reported_guild_id=${home.id}`)).toEqual([ofMessage, ofGuild])
    expect(await found(`guild_context_id=${home.id}`)).toEqual([ofMessage, ofUser])
    expect(await found(`reported_channel_id=${home.channel}`)).toEqual([ofMessage])
    expect(await found('category=underage_user')).toEqual([ofUser])
    expect(await found(`claimed_by_admin_id=${root.id}`)).toEqual([ofUser])
    expect(await found('report_type=2')).toEqual([ofGuild])
    expect(await found('report_type=message')).toEqual([ofMessage])
    bodyOf(await resolve(root, ofGuild))
    expect(await found(`resolved_by_admin_id=${root.id}`)).toEqual([ofGuild])
  })

  it('finds parts of ids, categories, words and names in any case, and no wildcards', async () => {
    const id = reportIn(await reportUser(ada, brian, { additional_info: 'Sells 100% GOLD' }))
    bodyOf(await resolve(root, id, { public_comment: 'Thank you, Ada' }))
    const found = (text: string) => idsIn(`?reporter_id=${ada.id}&q=${encodeURIComponent(text)}`)
    for (const text of [id, 'arassmen', '100% gold', 'thank you']) expect(await found(text)).toEqual([id])
    for (const text of ['100%%gold', 'silver']) expect(await found(text)).toEqual([])
  })

  it('refuses bad parameters at their place', async () => {
    const bad = {
      limit: ['201', 'VALUE_MUST_BE_INTEGER_IN_RANGE'],
      offset: ['10001', 'VALUE_MUST_BE_INTEGER_IN_RANGE'],
      status: ['open', 'INVALID_FORMAT'],
      report_type: ['3', 'INVALID_FORMAT'],
      category: ['boring', 'INVALID_FORMAT'],
    } as const
    for (const [name, [value, code]] of Object.entries(bad))
      expectFields(await list(root, `?${name}=${value}`), field(name, code))
  })

  it('is recorded with its filters, and without the text', async () => {
    bodyOf(await list(root, `?q=secret&reporter_id=${ada.id}`))
    const searches = (await auditEntries(guildhall)).filter(
      ({ action, adminId }) => action === 'search_reports' && adminId === root.id,
    )
    expect(searches.at(-1)).toMatchObject({
      targetType: 'report',
      targetId: '0',
      metadata: { reporter_id: ada.id, has_query: 'true', limit: '50', offset: '0', result_count: '0', total: '0' },
    })
    expect(JSON.stringify(searches)).not.toContain('secret')
  })
})

describe('a report', () => {
  it('shows the address of its reporter only with report:view:reporter_pii', async () => {
    const id = reportIn(await reportUser(ada, brian))
    const viewer = await administrator(guildhall, 'admin:authenticate', 'report:view')
    const wide = await administrator(guildhall, 'admin:authenticate', 'report:view', 'report:view:reporter_pii')
    expect(bodyOf(await get(viewer, id))).toMatchObject({ reporter_id: ada.id, reporter_email: null })
    expect(bodyOf(await get(wide, id))).toMatchObject({ reporter_email: ada.email })
    expectRefusal(await resolve(viewer, id), 403, 'MISSING_ACL')
    expectRefusal(await claim(viewer, id), 403, 'MISSING_ACL')
    expectRefusal(await get(ada, id), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await get(root, '1'), 404, 'UNKNOWN_REPORT')
  })

  it('is claimed by one administrator at a time', async () => {
    const id = reportIn(await reportUser(ada, brian))
    const other = await administrator(guildhall, '*')
    expect(bodyOf(await claim(root, id))).toMatchObject({
      claimed_by_admin_id: root.id,
      claimed_at: expect.any(String),
    })
    bodyOf(await claim(root, id))
    expectRefusal(await claim(other, id), 409, 'CONFLICT')
    expect(bodyOf(await release(other, id))).toMatchObject({ claimed_by_admin_id: null, claimed_at: null })
    expect(bodyOf(await claim(other, id))).toMatchObject({ claimed_by_admin_id: other.id })
    bodyOf(await resolve(root, id))
    for (const act of [claim, release]) expectRefusal(await act(root, id), 400, 'REPORT_ALREADY_RESOLVED')
    for (const act of [claim, release]) expectRefusal(await act(root, '1'), 404, 'UNKNOWN_REPORT')
    expect((await entriesOf(id)).map(({ action }) => action)).toEqual([
      'claim_report',
      'claim_report',
      'resolve_report',
    ])
  })

  it('is resolved once, and its reporter is mailed the comment', async () => {
    const id = reportIn(await reportUser(ada, brian))
    const answer = bodyOf(await resolve(root, id, { public_comment: 'We have warned him.' }))
    expect(answer).toStrictEqual({
      report_id: id,
      status: 1,
      resolved_at: expect.any(String),
      public_comment: 'We have warned him.',
    })
    expect((await guildhall.mailTo(ada.email)).text).toContain('We have warned him.')
    expect(bodyOf(await get(root, id))).toMatchObject({
      status: 1,
      resolved_at: answer['resolved_at'],
      resolved_by_admin_id: root.id,
      public_comment: 'We have warned him.',
    })
    expectRefusal(await resolve(root, id), 400, 'REPORT_ALREADY_RESOLVED')
    expectRefusal(await resolve(root, '1'), 404, 'UNKNOWN_REPORT')
    const [entry, ...more] = (await entriesOf(id)).filter(({ action }) => action === 'resolve_report')
    expect(entry).toMatchObject({
      targetType: 'report',
      metadata: { notify_reporter: 'true', notification_sent: 'false', has_public_comment: 'true' },
    })
    expect(more).toEqual([])
  })

  it('is resolved without a mail if that is wished, or if mails fail', async () => {
    const [quiet, failed] = [reportIn(await reportUser(ada, brian)), reportIn(await reportUser(ada, brian))]
    const deliver = vi.spyOn(guildhall.ports.mail, 'deliver')
    bodyOf(await resolve(root, quiet, { notify_reporter: false }))
    expect(deliver).not.toHaveBeenCalled()
    deliver.mockRejectedValueOnce(new Error('No mails today'))
    expect(bodyOf(await resolve(root, failed))).toMatchObject({ status: 1, public_comment: null })
    deliver.mockRestore()
    for (const id of [quiet, failed])
      expect((await entriesOf(id))[0]?.metadata).toMatchObject({ notification_sent: 'false' })
  })

  it('becomes nothing but resolved', async () => {
    const id = reportIn(await reportUser(ada, brian))
    expectFields(await resolve(root, id, { status: 'pending' }), field('status', 'INVALID_FORMAT'))
    const long = await resolve(root, id, { public_comment: 'a'.repeat(513) })
    expectFields(long, field('public_comment', 'STRING_LENGTH_INVALID'))
    expect(bodyOf(await get(root, id))).toMatchObject({ status: 0 })
  })
})

describe('two administrators at once', () => {
  it('resolve a report once, and mail its reporter once', async () => {
    const other = await administrator(guildhall, '*')
    for (let round = 0; round < 5; round += 1) {
      const reporter = await guildhall.register()
      const id = reportIn(await reportUser(reporter, brian))
      const deliver = vi.spyOn(guildhall.ports.mail, 'deliver')
      const answers = await Promise.all([resolve(root, id), resolve(other, id), resolve(root, id)])
      expect(codesOf(answers)).toEqual(['REPORT_ALREADY_RESOLVED', 'REPORT_ALREADY_RESOLVED', 'done'])
      expect(deliver.mock.calls.filter(([{ to }]) => to === reporter.email)).toHaveLength(1)
      deliver.mockRestore()
    }
  })

  it('claim a report, and one of them has it', async () => {
    const other = await administrator(guildhall, '*')
    for (let round = 0; round < 5; round += 1) {
      const id = reportIn(await reportUser(ada, brian))
      const answers = await Promise.all([claim(root, id), claim(other, id)])
      expect(codesOf(answers)).toEqual(['CONFLICT', 'done'])
      const holder = answers[0].status === 200 ? root : other
      expect(bodyOf(await get(root, id))).toMatchObject({ claimed_by_admin_id: holder.id })
    }
  })
})

describe('erasing an account', () => {
  it('takes the words of a reporter, and leaves the evidence', async () => {
    const [word, comment] = [`word-${ada.id}`, `comment-${ada.id}`]
    const home = await foundWith(guildhall, brian, ada)
    const message = await sent(guildhall, brian, home.channel, 'Cheap watches')
    const id = reportIn(await reportMessage(ada, home.channel, message, { additional_info: word }))
    bodyOf(await resolve(root, id, { public_comment: comment, notify_reporter: false }))
    for (const text of [word, comment]) expect(await everyEvent(guildhall)).toContain(text)
    await deletionIsDue(guildhall, ada)
    expect(await erase(guildhall, ada)).toBe(true)
    expect(bodyOf(await get(root, id))).toMatchObject({
      reporter_id: ada.id,
      reporter_username: null,
      reporter_email: null,
      additional_info: null,
      public_comment: null,
      message_context: expect.arrayContaining([expect.objectContaining({ id: message, content: 'Cheap watches' })]),
    })
    const kept = (await everyEvent(guildhall)) + (await everyRow(guildhall))
    for (const text of [word, comment]) expect(kept).not.toContain(text)
  })

  it('keeps of a forward what it shows', async () => {
    const home = await foundWith(guildhall, ada, brian)
    const source = await sent(guildhall, brian, home.channel, { content: 'Cheap watches', embeds: [{ title: 'Buy' }] })
    const message_reference = { type: 1, channel_id: home.channel, message_id: source }
    const message = await sent(guildhall, brian, home.channel, { message_reference })
    const report = bodyOf(await get(root, reportIn(await reportMessage(ada, home.channel, message))))
    const shown = { id: message, content: 'Cheap watches', embeds: [expect.objectContaining({ title: 'Buy' })] }
    expect(report).toMatchObject({ reported_message_now: { ...shown, reply_to_id: null } })
    expect(report['message_context']).toContainEqual(expect.objectContaining(shown))
  })

  it('takes the evidence against the reported account, and leaves the words of the reporter', async () => {
    const [bio, content, title] = [`bio-${brian.id}`, `content-${brian.id}`, `title-${brian.id}`]
    bodyOf(await guildhall.request('PATCH', '/v1/users/@me', { token: brian.token, body: { bio } }))
    const home = await foundWith(guildhall, ada, brian)
    const message = await sent(guildhall, brian, home.channel, { content, embeds: [{ title }] })
    const id = reportIn(await reportMessage(ada, home.channel, message, { additional_info: 'Look' }))
    const embeds = [expect.objectContaining({ title })]
    expect(bodyOf(await get(root, id))['reported_message_now']).toMatchObject({ content, embeds })
    const path = `/v1/channels/${home.channel}/messages/${message}`
    expect((await guildhall.request('DELETE', path, { token: brian.token })).status).toBe(204)
    // The report keeps its evidence although the message is gone.
    expect(bodyOf(await get(root, id))).toMatchObject({
      reported_user_bio: bio,
      message_context: expect.arrayContaining([expect.objectContaining({ id: message, content, embeds })]),
    })
    expect(await everyEvent(guildhall)).toContain(content)
    await deletionIsDue(guildhall, brian)
    expect(await erase(guildhall, brian)).toBe(true)
    const report = bodyOf(await get(root, id))
    expect(report).toMatchObject({
      reported_user_id: brian.id,
      reported_user_username: null,
      reported_user_bio: null,
      additional_info: 'Look',
    })
    expect(JSON.stringify(report)).not.toContain(content)
    expect((await everyEvent(guildhall)) + (await everyRow(guildhall))).not.toContain(title)
    const kept = (await everyEvent(guildhall)) + (await everyRow(guildhall))
    for (const text of [bio, content]) expect(kept).not.toContain(text)
  })
})
