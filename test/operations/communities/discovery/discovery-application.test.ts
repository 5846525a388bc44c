import { describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { administrator } from '../../../support/administrators.ts'
import { bodyOf, expectFields, expectRefusal, found } from '../../support/answers.ts'
import { applied, chess, directoryOf, eventsOf, featuresOf, isListed, reviewsOf } from '../../support/discovery.ts'
import { commandGuild, guildsOf, nowhere, setFeatures } from '../../support/guilds.ts'
import { foundWith, openServer } from '../../support/scene.ts'

const guildhall = await openServer()
const [ada, brian, carol] = await Promise.all([guildhall.register(), guildhall.register(), guildhall.register()])
const admin = await administrator(guildhall, 'admin:authenticate', 'discovery:review', 'discovery:remove')
const directory = directoryOf(guildhall)
const reviews = reviewsOf(guildhall, admin)

describe('Apply for discovery', () => {
  it('makes a pending application, with the language en-US and no tags where none are sent', async () => {
    const guild = await found(guildhall, ada)
    const application = bodyOf(await directory.apply(ada, guild.id))
    expect(application).toStrictEqual({
      guild_id: guild.id,
      status: 'pending',
      description: 'A place for chess',
      category_type: 0,
      primary_language: 'en-US',
      custom_tags: [],
      applied_at: expect.stringMatching(/Z$/),
      reviewed_at: null,
      review_reason: null,
      removed_at: null,
      removal_reason: null,
    })
    expect(bodyOf(await directory.status(ada, guild.id))).toStrictEqual({
      application,
      eligible: true,
      min_member_count: 1,
    })
    expect(await featuresOf(guildhall, guild.id)).not.toContain('DISCOVERABLE')
  })

  it('keeps tags normalised, and equal ones once', async () => {
    const guild = await found(guildhall, ada)
    const custom_tags = ['  Board   Games', 'board games', 'C++', 'Шахматы']
    const body = { ...chess, primary_language: 'de', custom_tags }
    expect(bodyOf(await directory.apply(ada, guild.id, body))).toMatchObject({
      primary_language: 'de',
      custom_tags: ['board games', 'c++', 'шахматы'],
    })
  })

  it.each([
    ['description', undefined, 'INVALID_FORMAT'],
    ['description', 'x'.repeat(9), 'STRING_LENGTH_INVALID'],
    ['description', 'x'.repeat(301), 'STRING_LENGTH_INVALID'],
    ['category_type', undefined, 'INVALID_FORMAT'],
    ['category_type', -1, 'INVALID_FORMAT'],
    ['category_type', 9, 'INVALID_FORMAT'],
    ['category_type', '0', 'INVALID_FORMAT'],
    ['primary_language', 'en-us', 'INVALID_FORMAT'],
    ['primary_language', 'en-GB', 'INVALID_FORMAT'],
    ['primary_language', null, 'INVALID_FORMAT'],
    ['custom_tags', Array.from({ length: 11 }, (_, index) => `tag ${index}`), 'INVALID_FORMAT'],
    ['custom_tags', null, 'INVALID_FORMAT'],
  ] as const)('refuses a wrong %s: %j', async (member, value, code) => {
    const guild = await found(guildhall, ada)
    expectFields(await directory.apply(ada, guild.id, { ...chess, [member]: value }), field(member, code))
    expect(await eventsOf(guildhall, guild.id)).toStrictEqual([])
  })

  it('tells a wrong tag at its own index', async () => {
    const guild = await found(guildhall, ada)
    const custom_tags = ['chess', 'x', 'x'.repeat(31), `${' '.repeat(29)}go`, ' x ', '+go', 'a.b']
    const answer = await directory.apply(ada, guild.id, { ...chess, custom_tags })
    expectFields(
      answer,
      field('custom_tags.1', 'STRING_LENGTH_INVALID'),
      field('custom_tags.2', 'STRING_LENGTH_INVALID'),
      field('custom_tags.3', 'STRING_LENGTH_INVALID'),
      field('custom_tags.4', 'STRING_LENGTH_INVALID'),
      field('custom_tags.5', 'INVALID_FORMAT'),
      field('custom_tags.6', 'INVALID_FORMAT'),
    )
  })

  it('is for members with MANAGE_GUILD', async () => {
    const guild = await foundWith(guildhall, ada, brian)
    expectRefusal(await directory.apply(ada, nowhere), 404, 'UNKNOWN_GUILD')
    expectRefusal(await directory.apply(carol, guild.id), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await directory.apply(brian, guild.id), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await directory.status(brian, guild.id), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await directory.update(brian, guild.id, {}), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await directory.withdraw(brian, guild.id), 403, 'MISSING_PERMISSIONS')
    await setFeatures(guildhall, guild.id, 'UNAVAILABLE_FOR_EVERYONE')
    expectRefusal(await directory.apply(ada, guild.id), 403, 'MISSING_ACCESS')
    expect(await eventsOf(guildhall, guild.id)).toStrictEqual([])
  })

  it('takes an authenticator of a manager where the guild demands MFA', async () => {
    const guild = await foundWith(guildhall, ada, brian)
    const role = { name: 'Manager', permissions: '32' }
    const made = bodyOf(
      await guildhall.request('POST', `/v1/guilds/${guild.id}/roles`, { token: ada.token, body: role }),
    )
    const member = `/v1/guilds/${guild.id}/members/${brian.id}/roles/${String(made['id'])}`
    expect((await guildhall.request('PUT', member, { token: ada.token })).status).toBe(204)
    expect((await directory.status(brian, guild.id)).status).toBe(200)
    await commandGuild(guildhall, guild.id, { type: 'ChangeSettings', settings: { mfaLevel: 1 } })
    expectRefusal(await directory.apply(brian, guild.id), 400, 'TWO_FACTOR_REQUIRED')
    expectRefusal(await directory.status(brian, guild.id), 400, 'TWO_FACTOR_REQUIRED')
    expect((await directory.apply(ada, guild.id)).status).toBe(200)
  })

  it('is DISCOVERY_ALREADY_APPLIED while one is pending or approved, for nineteen of twenty who apply at once', async () => {
    const guild = await found(guildhall, ada)
    const answers = await Promise.all(Array.from({ length: 20 }, () => directory.apply(ada, guild.id)))
    const statuses = answers.map(({ status }) => status).toSorted((low, high) => low - high)
    expect(statuses).toStrictEqual([200, ...Array.from({ length: 19 }, () => 409)])
    expect(await eventsOf(guildhall, guild.id)).toStrictEqual(['DiscoveryApplied', 'DiscoveryListingSettled'])
    bodyOf(await reviews.approve(guild.id))
    expectRefusal(await directory.apply(ada, guild.id), 409, 'DISCOVERY_ALREADY_APPLIED')
  })

  it.each(['VERIFIED', 'PARTNERED'] as const)('lists a guild with %s at once', async (feature) => {
    const guild = await found(guildhall, ada)
    await setFeatures(guildhall, guild.id, feature)
    const application = bodyOf(await directory.apply(ada, guild.id))
    expect(application).toMatchObject({
      status: 'approved',
      reviewed_at: application['applied_at'],
      review_reason: null,
    })
    expect(await featuresOf(guildhall, guild.id)).toStrictEqual([feature, 'DISCOVERABLE'])
    expect(bodyOf(await guildsOf(guildhall).get(ada, guild.id))['features']).toContain('DISCOVERABLE')
    const pending = (await reviews.pending()).body as readonly { readonly guild_id: string }[]
    expect(pending.map(({ guild_id: id }) => id)).not.toContain(guild.id)
  })

  it('begins anew after a rejection and a removal', async () => {
    const guild = await applied(guildhall, ada)
    bodyOf(await reviews.review(guild.id, { status: 'rejected', reason: 'too small' }))
    expect(bodyOf(await directory.apply(ada, guild.id, { ...chess, category_type: 8 }))).toMatchObject({
      status: 'pending',
      category_type: 8,
      reviewed_at: null,
      review_reason: null,
    })
    bodyOf(await reviews.approve(guild.id))
    bodyOf(await reviews.remove(guild.id))
    expect(bodyOf(await directory.apply(ada, guild.id))).toMatchObject({
      status: 'pending',
      removed_at: null,
      removal_reason: null,
    })
  })
})

describe('Update discovery application', () => {
  it('changes what is sent, while pending and approved, and leaves the status', async () => {
    const guild = await applied(guildhall, ada)
    const changed = bodyOf(await directory.update(ada, guild.id, { custom_tags: ['Go'], primary_language: 'ja' }))
    expect(changed).toMatchObject({ status: 'pending', ...chess, custom_tags: ['go'], primary_language: 'ja' })
    bodyOf(await reviews.approve(guild.id))
    const after = bodyOf(await directory.update(ada, guild.id, { description: 'A place for go', custom_tags: [] }))
    expect(after).toMatchObject({ status: 'approved', description: 'A place for go', custom_tags: [] })
    expect(bodyOf(await directory.update(ada, guild.id, {}))).toStrictEqual(after)
    expect(bodyOf(await directory.status(ada, guild.id))['application']).toStrictEqual(after)
    expect(await isListed(guildhall, guild.id)).toStrictEqual([true, true])
  })

  it('is refused without an application, and once rejected or removed', async () => {
    const none = await found(guildhall, ada)
    expectRefusal(await directory.update(ada, none.id, {}), 404, 'DISCOVERY_APPLICATION_NOT_FOUND')
    const rejected = await applied(guildhall, ada)
    bodyOf(await reviews.review(rejected.id, { status: 'rejected', reason: 'too small' }))
    expectRefusal(await directory.update(ada, rejected.id, {}), 409, 'DISCOVERY_APPLICATION_ALREADY_REVIEWED')
    const removed = await applied(guildhall, ada)
    bodyOf(await reviews.approve(removed.id))
    bodyOf(await reviews.remove(removed.id))
    expectRefusal(await directory.update(ada, removed.id, {}), 409, 'DISCOVERY_APPLICATION_ALREADY_REVIEWED')
  })

  it('has the bounds of Apply', async () => {
    const guild = await applied(guildhall, ada)
    const body = { description: 'short', category_type: 9, primary_language: 'xx', custom_tags: ['x'] }
    expectFields(
      await directory.update(ada, guild.id, body),
      field('description', 'STRING_LENGTH_INVALID'),
      field('category_type', 'INVALID_FORMAT'),
      field('primary_language', 'INVALID_FORMAT'),
      field('custom_tags.0', 'STRING_LENGTH_INVALID'),
    )
  })
})

describe('Withdraw discovery application', () => {
  it('ends the application in any status, and the listing with it', async () => {
    const guild = await applied(guildhall, ada)
    bodyOf(await reviews.approve(guild.id))
    expect(await isListed(guildhall, guild.id)).toStrictEqual([true, true])
    expect((await directory.withdraw(ada, guild.id)).status).toBe(204)
    expect(await isListed(guildhall, guild.id)).toStrictEqual([false, false])
    expect(bodyOf(await directory.status(ada, guild.id))).toMatchObject({ application: null, eligible: true })
    expectRefusal(await directory.withdraw(ada, guild.id), 404, 'DISCOVERY_APPLICATION_NOT_FOUND')
    const rejected = await applied(guildhall, ada)
    bodyOf(await reviews.review(rejected.id, { status: 'rejected', reason: 'too small' }))
    expect((await directory.withdraw(ada, rejected.id)).status).toBe(204)
    expect((await directory.apply(ada, rejected.id)).status).toBe(200)
  })
})

describe('the end of a guild', () => {
  it('takes its application along', async () => {
    const guild = await applied(guildhall, ada)
    bodyOf(await reviews.approve(guild.id))
    expect((await guildsOf(guildhall).remove(ada, guild.id)).status).toBe(204)
    await expect.poll(() => eventsOf(guildhall, guild.id)).toContain('DiscoveryApplicationDropped')
    await expect
      .poll(async () => (await reviews.listings()).body)
      .not.toStrictEqual(expect.arrayContaining([expect.objectContaining({ guild_id: guild.id })]))
    expectRefusal(await reviews.remove(guild.id), 404, 'DISCOVERY_APPLICATION_NOT_FOUND')
  })
})
