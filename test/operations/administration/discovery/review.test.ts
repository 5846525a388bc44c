import { afterEach, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { administrator, auditEntries } from '../../../support/administrators.ts'
import { bodyOf, expectFields, expectRefusal, found } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { applied, chess, directoryOf, eventsOf, featuresOf, isListed, reviewsOf } from '../../support/discovery.ts'
import { nowhere } from '../../support/guilds.ts'
import { foundWith, openServer } from '../../support/scene.ts'

const guildhall = await openServer()
const [ada, brian] = await Promise.all([guildhall.register(), guildhall.register()])
const admin = await administrator(guildhall, 'admin:authenticate', 'discovery:review', 'discovery:remove')
const reviews = reviewsOf(guildhall, admin)
const directory = directoryOf(guildhall)
const { connect, end } = connections()

afterEach(end)

const entries = async () => (await auditEntries(guildhall)).filter(({ adminId }) => adminId === admin.id)
const lastEntry = async () => (await entries()).at(-1)

describe('Review discovery application', () => {
  it('lists the guild, and records the decision with the reason of the header alone', async () => {
    const guild = await applied(guildhall, ada)
    const answer = await reviews.review(guild.id, { status: 'approved', reason: 'A fine place' })
    expect(bodyOf(answer)).toStrictEqual({
      guild_id: guild.id,
      status: 'approved',
      ...chess,
      primary_language: 'en-US',
      custom_tags: [],
      applied_at: expect.any(String),
      reviewed_at: expect.any(String),
      review_reason: 'A fine place',
      removed_at: null,
      removal_reason: null,
    })
    expect(JSON.stringify(answer.body)).not.toContain(admin.id)
    expect(await isListed(guildhall, guild.id)).toStrictEqual([true, true])
    expect(await lastEntry()).toMatchObject({
      action: 'approve_discovery_application',
      targetType: 'guild',
      targetId: guild.id,
      metadata: { status: 'approved' },
      reason: 'weekly round',
    })
  })

  it('keeps in history what was judged', async () => {
    const guild = await applied(guildhall, ada, { ...chess, custom_tags: ['chess'] })
    bodyOf(await reviews.approve(guild.id))
    for await (const page of guildhall.store.events.readStream(`discovery_application-${guild.id}`, -1)) {
      const approval = page.find(({ type }) => type === 'DiscoveryApplicationApproved')
      expect(approval?.data).toMatchObject({
        reviewedBy: admin.id,
        evidence: {
          description: 'A place for chess',
          categoryType: 0,
          primaryLanguage: 'en-US',
          customTags: ['chess'],
          guild: { name: 'Home', icon: null, memberCount: 1 },
        },
      })
    }
  })

  it('rejects with a reason, and leaves the guild as it is', async () => {
    const guild = await applied(guildhall, ada)
    const before = await featuresOf(guildhall, guild.id)
    const rejected = bodyOf(await reviews.review(guild.id, { status: 'rejected', reason: 'too small' }))
    expect(rejected).toMatchObject({ status: 'rejected', review_reason: 'too small', reviewed_at: expect.any(String) })
    expect(await featuresOf(guildhall, guild.id)).toStrictEqual(before)
    expect(await lastEntry()).toMatchObject({
      action: 'reject_discovery_application',
      targetId: guild.id,
      metadata: { status: 'rejected' },
    })
  })

  it.each([
    [{}, 'status', 'INVALID_FORMAT'],
    [{ status: 'pending', reason: 'x' }, 'status', 'INVALID_FORMAT'],
    [{ status: 'removed', reason: 'x' }, 'status', 'INVALID_FORMAT'],
    [{ status: 'rejected' }, 'reason', 'INVALID_FORMAT'],
    [{ status: 'rejected', reason: '' }, 'reason', 'STRING_LENGTH_INVALID'],
    [{ status: 'rejected', reason: null }, 'reason', 'INVALID_FORMAT'],
    [{ status: 'approved', reason: '' }, 'reason', 'STRING_LENGTH_INVALID'],
    [{ status: 'approved', reason: null }, 'reason', 'INVALID_FORMAT'],
    [{ status: 'approved', reason: 'x'.repeat(501) }, 'reason', 'STRING_LENGTH_INVALID'],
  ] as const)('refuses %j', async (body, path, code) => {
    const guild = await applied(guildhall, ada)
    const known = (await entries()).length
    expectFields(await reviews.review(guild.id, body), field(path, code))
    expect(await eventsOf(guildhall, guild.id)).toStrictEqual(['DiscoveryApplied', 'DiscoveryListingSettled'])
    expect(await entries()).toHaveLength(known)
  })

  it('is 404 without an application, and 409 once it is not pending', async () => {
    const none = await found(guildhall, ada)
    for (const id of [nowhere, none.id]) {
      expectRefusal(await reviews.approve(id), 404, 'DISCOVERY_APPLICATION_NOT_FOUND')
      const rejection = await reviews.review(id, { status: 'rejected', reason: 'x' })
      expectRefusal(rejection, 404, 'DISCOVERY_APPLICATION_NOT_FOUND')
    }
    const guild = await applied(guildhall, ada)
    bodyOf(await reviews.approve(guild.id))
    expectRefusal(await reviews.approve(guild.id), 409, 'DISCOVERY_APPLICATION_ALREADY_REVIEWED')
  })

  it('by two at once is one 200, one 409, one entry and one GUILD_UPDATE', async () => {
    const guild = await foundWith(guildhall, ada, brian)
    bodyOf(await directory.apply(ada, guild.id))
    const { client } = await connect(guildhall, brian)
    const other = await administrator(guildhall, 'admin:authenticate', 'discovery:review')
    const [one, two] = await Promise.all([reviews.approve(guild.id), reviewsOf(guildhall, other).approve(guild.id)])
    expect([one.status, two.status].toSorted((low, high) => low - high)).toStrictEqual([200, 409])
    const recorded = (await auditEntries(guildhall)).filter(({ targetId }) => targetId === guild.id)
    expect(recorded).toHaveLength(1)
    const update = await client.dispatch('GUILD_UPDATE')
    expect(update.d).toMatchObject({ id: guild.id, features: expect.arrayContaining(['DISCOVERABLE']) })
    // What is sent after it shows that there is no second one.
    bodyOf(await reviews.remove(guild.id))
    await expect.poll(() => client.dispatches.filter(({ t }) => t === 'GUILD_UPDATE')).toHaveLength(2)
  })

  it('that rejects, moves or edits dispatches nothing; approval and removal one GUILD_UPDATE each', async () => {
    const guild = await foundWith(guildhall, ada, brian)
    const { client } = await connect(guildhall, brian)
    bodyOf(await directory.apply(ada, guild.id))
    bodyOf(await reviews.review(guild.id, { status: 'rejected', reason: 'too small' }))
    bodyOf(await directory.apply(ada, guild.id))
    bodyOf(await reviews.move({ guild_ids: [guild.id], category_type: 3 }))
    bodyOf(await directory.update(ada, guild.id, { description: 'A place for go' }))
    bodyOf(await reviews.approve(guild.id))
    bodyOf(await reviews.edit(guild.id, { description: 'A place for chess and go' }))
    bodyOf(await reviews.remove(guild.id))
    const told = () => client.dispatches.filter(({ t }) => t === 'GUILD_UPDATE').map(({ d }) => d['features'])
    await expect.poll(told).toHaveLength(2)
    const [listed, removed] = told()
    expect(listed).toContain('DISCOVERABLE')
    expect(removed).not.toContain('DISCOVERABLE')
    expect(client.dispatches.filter(({ t = '' }) => t.startsWith('GUILD_AUDIT_LOG'))).toStrictEqual([])
  })

  it('lists a guild that changes its features at the same moment without losing either', async () => {
    const guild = await applied(guildhall, ada)
    const toggle = guildhall.request('PATCH', `/v1/guilds/${guild.id}`, {
      token: ada.token,
      body: { features: ['INVITES_DISABLED'] },
    })
    const [approved, toggled] = await Promise.all([reviews.approve(guild.id), toggle])
    expect([approved.status, toggled.status]).toStrictEqual([200, 200])
    const features = await featuresOf(guildhall, guild.id)
    expect(features).toStrictEqual(expect.arrayContaining(['INVITES_DISABLED', 'DISCOVERABLE']))
  })
})

describe('Remove discovery listing', () => {
  it('takes the guild out, keeps the review, and records neither reason nor metadata', async () => {
    const guild = await applied(guildhall, ada)
    bodyOf(await reviews.review(guild.id, { status: 'approved', reason: 'A fine place' }))
    expect(bodyOf(await reviews.remove(guild.id, { reason: 'spam since' }))).toMatchObject({
      status: 'removed',
      review_reason: 'A fine place',
      removed_at: expect.any(String),
      removal_reason: 'spam since',
    })
    expect(await isListed(guildhall, guild.id)).toStrictEqual([false, false])
    expect(await lastEntry()).toMatchObject({
      action: 'remove_discovery_listing',
      targetType: 'guild',
      targetId: guild.id,
      metadata: {},
      reason: null,
    })
  })

  it('needs a body with a reason', async () => {
    const guild = await applied(guildhall, ada)
    bodyOf(await reviews.approve(guild.id))
    expectRefusal(await reviews.remove(guild.id, null), 400, 'INVALID_FORM_BODY')
    expectFields(await reviews.remove(guild.id, {}), field('reason', 'INVALID_FORMAT'))
    expectFields(await reviews.remove(guild.id, { reason: '' }), field('reason', 'STRING_LENGTH_INVALID'))
    expectFields(await reviews.remove(guild.id, { reason: 'x'.repeat(501) }), field('reason', 'STRING_LENGTH_INVALID'))
    expect(await isListed(guildhall, guild.id)).toStrictEqual([true, true])
  })

  it('is 404 without an application, and then 400 unless it is approved', async () => {
    expectRefusal(await reviews.remove(nowhere), 404, 'DISCOVERY_APPLICATION_NOT_FOUND')
    const pending = await applied(guildhall, ada)
    expectRefusal(await reviews.remove(pending.id), 400, 'DISCOVERY_NOT_DISCOVERABLE')
    bodyOf(await reviews.approve(pending.id))
    bodyOf(await reviews.remove(pending.id))
    expectRefusal(await reviews.remove(pending.id), 400, 'DISCOVERY_NOT_DISCOVERABLE')
  })

  it('has an ACL of its own, in both directions', async () => {
    const reviewer = reviewsOf(guildhall, await administrator(guildhall, 'admin:authenticate', 'discovery:review'))
    const remover = reviewsOf(guildhall, await administrator(guildhall, 'admin:authenticate', 'discovery:remove'))
    const guild = await applied(guildhall, ada)
    expectRefusal(await remover.approve(guild.id), 403, 'MISSING_ACL')
    bodyOf(await reviewer.approve(guild.id))
    expectRefusal(await reviewer.remove(guild.id), 403, 'MISSING_ACL')
    expect((await remover.remove(guild.id)).status).toBe(200)
  })
})
