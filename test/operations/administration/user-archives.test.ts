import { beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../domain/kernel/refusal.ts'
import { administrator, auditEntries } from '../../support/administrators.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../support/answers.ts'
import { adminArchivesOf, downloaded, harvestsOf, messagesIn } from '../support/archives.ts'
import { deletionIsDue, erase } from '../support/erasure.ts'
import { sent } from '../support/messages.ts'
import { openScene } from '../support/scene.ts'

const { guildhall, brian, carol, home } = await openScene('brisk')
const root = await administrator(guildhall, '*')
const { trigger, read, pathOf, built, listed } = adminArchivesOf(guildhall, 'users', root)
const instant = expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/)
let ada: TestAccount

beforeEach(async () => {
  ada = await guildhall.register()
})

const entriesOfRoot = async () => (await auditEntries(guildhall)).filter(({ adminId }) => adminId === root.id)

describe('Trigger user archive', () => {
  it('answers before anything is collected, and records what was asked', async () => {
    const asked = bodyOf(await trigger(ada.id, { include_attachments: true }))
    expect(asked).toEqual({
      archive_id: expect.any(String),
      subject_type: 'user',
      subject_id: ada.id,
      requested_by: root.id,
      requested_at: instant,
      started_at: null,
      completed_at: null,
      failed_at: null,
      file_size: null,
      progress_percent: 0,
      progress_step: 'Queued',
      error_message: null,
      download_url_expires_at: null,
      expires_at: instant,
    })
    const days = (Date.parse(String(asked['expires_at'])) - Date.parse(String(asked['requested_at']))) / 86_400_000
    expect(days).toBe(365)
    expect((await entriesOfRoot()).at(-1)).toMatchObject({
      action: 'trigger_user_archive',
      targetType: 'user',
      targetId: ada.id,
      metadata: { archive_id: asked['archive_id'], include_attachments: 'true' },
    })
  })
  it('refuses an account that does not exist or is erased, and begins nothing', async () => {
    expectRefusal(await trigger('1'), 404, 'UNKNOWN_USER')
    await deletionIsDue(guildhall, ada)
    await erase(guildhall, ada)
    expectRefusal(await trigger(ada.id), 404, 'UNKNOWN_USER')
    expect(await listed(`?subject_type=user&subject_id=${ada.id}&include_expired=true`)).toEqual([])
  })
  it('checks its body and its path', async () => {
    expectFields(await trigger(ada.id, { include_attachments: 'yes' }), field('include_attachments', 'INVALID_FORMAT'))
    expectFields(await trigger('none'), field('user_id', 'INVALID_SNOWFLAKE_FORMAT'))
  })
  it('needs archive:trigger:user', async () => {
    const reader = await administrator(guildhall, 'admin:authenticate', 'archive:view_all')
    expectRefusal(await trigger(ada.id, {}, reader), 403, 'MISSING_ACL')
  })
})

describe('the archives resource', () => {
  it('gives a link to the ZIP, in camel case, that lives for seven days', async () => {
    await sent(guildhall, brian, home.channel, 'by Brian')
    await sent(guildhall, carol, String(carol.id), 'a note of Carol')
    const archive = await built(brian.id)
    expect(archive).toMatchObject({ progress_step: 'Completed', failed_at: null, download_url_expires_at: instant })
    const link = bodyOf(await read(`${pathOf(archive)}/download`))
    expect(link).toEqual({ downloadUrl: expect.any(String), expiresAt: instant })
    const days = (Date.parse(String(link['expiresAt'])) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(6.9)
    expect(days).toBeLessThanOrEqual(7)
    const files = await downloaded(String(link['downloadUrl']))
    expect(messagesIn(files)[home.channel]).toContain('by Brian')
    expect((await entriesOfRoot()).at(-1)).toMatchObject({
      action: 'get_archive_download_url',
      targetType: 'archive',
      targetId: archive['archive_id'],
    })
  })
  it('lists archives of administrators by account and by who asked, newest first', async () => {
    const other = await administrator(guildhall, '*')
    const first = bodyOf(await trigger(ada.id))['archive_id']
    const second = bodyOf(await trigger(ada.id, {}, other))['archive_id']
    await harvestsOf(guildhall, ada).ask()
    const of = `?subject_type=user&subject_id=${ada.id}`
    expect(await listed(of)).toEqual([second, first])
    expect(await listed(`${of}&limit=1`)).toEqual([second])
    expect(await listed(`${of}&requested_by=${root.id}`)).toEqual([first])
    expect(await listed(`?requested_by=${other.id}`)).toEqual([second])
    expect(await listed(`?subject_type=guild&subject_id=${ada.id}`)).toEqual([])
    expect((await entriesOfRoot()).at(-1)).toMatchObject({
      action: 'list_archives',
      targetType: 'archive',
      targetId: '0',
      metadata: { subject_type: 'guild', archive_count: '0' },
    })
  })
  it('checks its query', async () => {
    expectFields(await read(`?subject_id=${ada.id}`), field('subject_type', 'INVALID_FORMAT'))
    expectFields(await read('?limit=201'), field('limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE'))
  })
  it('is read with archive:view_all, or with the trigger of the subject', async () => {
    const archive = await built(ada.id)
    const { archive_id: id } = archive
    const viewer = await administrator(guildhall, 'admin:authenticate', 'archive:view_all')
    const ofUsers = await administrator(guildhall, 'admin:authenticate', 'archive:trigger:user')
    const ofGuilds = await administrator(guildhall, 'admin:authenticate', 'archive:trigger:guild')
    const query = `?subject_type=user&subject_id=${ada.id}`
    expect(await listed(query, viewer)).toEqual([id])
    expect(await listed(query, ofUsers)).toEqual([id])
    expect(await listed('', ofUsers)).toContain(id)
    expect(await listed('', ofGuilds)).not.toContain(id)
    expectRefusal(await read(query, ofGuilds), 403, 'MISSING_ACL')
    expectRefusal(await read(pathOf(archive), ofGuilds), 403, 'MISSING_ACL')
    expectRefusal(await read(`${pathOf(archive)}/download`, ofGuilds), 403, 'MISSING_ACL')
    expectRefusal(await read('?subject_type=guild', ofUsers), 403, 'MISSING_ACL')
  })
  it('has no archive under another account or subject, and none that a holder asked for', async () => {
    const { archive_id: id } = await built(ada.id)
    const own = bodyOf(await harvestsOf(guildhall, ada).ask())['harvest_id']
    for (const path of [
      `/user/${brian.id}/${String(id)}`,
      `/guild/${ada.id}/${String(id)}`,
      `/user/${ada.id}/${String(own)}`,
    ]) {
      expect(await read(path)).toMatchObject({ status: 200, body: { archive: null } })
      expectRefusal(await read(`${path}/download`), 404, 'UNKNOWN_HARVEST')
    }
  })
})
