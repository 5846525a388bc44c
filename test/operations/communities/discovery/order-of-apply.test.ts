import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { administrator } from '../../../support/administrators.ts'
import { testContext } from '../../../support/test-context.ts'
import type { TestAnswer } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../../support/answers.ts'
import { chess, directoryOf, eventsOf, publicDirectoryOf, reviewsOf } from '../../support/discovery.ts'
import { commandGuild, nowhere, setFeatures } from '../../support/guilds.ts'
import { placeOf } from '../../support/members.ts'
import { openServer } from '../../support/scene.ts'
import { patience_ms } from '../../../support/pace.ts'

/** The checks of Apply in their order, and what the switch of the instance stops (rules/directory#apply). */

const guildhall = await openServer({})
const root = await administrator(guildhall, '*')
const ada = await guildhall.register()
const directory = directoryOf(guildhall)
const everyone = publicDirectoryOf(guildhall)
const reviews = reviewsOf(guildhall, root)

const phrase = 'come for the zugzwang'
const blocked = { ...chess, description: `All of you ${phrase}` }
const entries = '/v1/admin/blocklists/phrase/entries'
const set = (discovery: { readonly enabled?: boolean; readonly minMemberCount?: number }) =>
  guildhall.ports.instancePolicies.change({ discovery }, testContext())

beforeAll(async () => {
  expect((await guildhall.request('POST', entries, { token: root.token, body: { phrase } })).status).toBe(204)
  const edit = () => reviews.edit(nowhere, { description: blocked.description })
  await vi.waitFor(async () => expect((await edit()).status).toBe(403), { timeout: patience_ms })
})
afterEach(() => set({ enabled: true, minMemberCount: 1 }))

/** A guild with a member who may not list it, and one who may but has no second factor. */
async function stage() {
  const place = await placeOf(guildhall, ada)
  return { place, member: await place.member(), manager: await place.holder('MANAGE_GUILD') }
}

describe('Apply for discovery checks', () => {
  it('the body before the blocklists', async () => {
    const { place } = await stage()
    const answer = await directory.apply(ada, place.id, { ...blocked, category_type: 9 })
    expectFields(answer, field('category_type', 'INVALID_FORMAT'))
  })

  it('the blocklists before the switch of the instance', async () => {
    const { place, member } = await stage()
    await set({ enabled: false })
    for (const by of [ada, member]) expectRefusal(await directory.apply(by, place.id, blocked), 403, 'CONTENT_BLOCKED')
    expectRefusal(await directory.apply(ada, nowhere, blocked), 403, 'CONTENT_BLOCKED')
  })

  it('the switch of the instance before the guild', async () => {
    const { place, member } = await stage()
    await set({ enabled: false })
    const answers: TestAnswer[] = [await directory.apply(ada, nowhere), await directory.apply(member, place.id)]
    for (const answer of answers) expectRefusal(answer, 400, 'DISCOVERY_DISABLED')
  })

  it('the guild, then whether it is available, then the permission, then its second factor', async () => {
    const { place, member, manager } = await stage()
    await commandGuild(guildhall, place.id, { type: 'ChangeSettings', settings: { mfaLevel: 1 } })
    await setFeatures(guildhall, place.id, 'UNAVAILABLE_FOR_EVERYONE')
    expectRefusal(await directory.apply(member, nowhere), 404, 'UNKNOWN_GUILD')
    expectRefusal(await directory.apply(member, place.id), 403, 'MISSING_ACCESS')
    await setFeatures(guildhall, place.id)
    expectRefusal(await directory.apply(member, place.id), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await directory.apply(manager, place.id), 400, 'TWO_FACTOR_REQUIRED')
  })

  it('the permission and its second factor before the number of members', async () => {
    const { place, member, manager } = await stage()
    await set({ minMemberCount: 4 })
    await commandGuild(guildhall, place.id, { type: 'ChangeSettings', settings: { mfaLevel: 1 } })
    expectRefusal(await directory.apply(member, place.id), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await directory.apply(manager, place.id), 400, 'TWO_FACTOR_REQUIRED')
    expectRefusal(await directory.apply(ada, place.id), 400, 'DISCOVERY_INSUFFICIENT_MEMBERS')
    expect(bodyOf(await directory.status(ada, place.id))).toStrictEqual({
      application: null,
      eligible: false,
      min_member_count: 4,
    })
    await set({ minMemberCount: 3 })
    expect(bodyOf(await directory.status(ada, place.id))).toMatchObject({ eligible: true, min_member_count: 3 })
    expect((await directory.apply(ada, place.id)).status).toBe(200)
  })

  it('the number of members before the application that stands', async () => {
    const { place } = await stage()
    bodyOf(await directory.apply(ada, place.id))
    expectRefusal(await directory.apply(ada, place.id), 409, 'DISCOVERY_ALREADY_APPLIED')
    await set({ minMemberCount: 4 })
    expectRefusal(await directory.apply(ada, place.id), 400, 'DISCOVERY_INSUFFICIENT_MEMBERS')
    expect(await eventsOf(guildhall, place.id)).toStrictEqual(['DiscoveryApplied', 'DiscoveryListingSettled'])
  })
})

describe('the switch of the instance', () => {
  it('stops Apply, Search and Join, and nothing else', async () => {
    const { place, manager } = await stage()
    bodyOf(await directory.apply(ada, place.id))
    bodyOf(await reviews.approve(place.id))
    const dan = await guildhall.register()
    await set({ enabled: false })
    expectRefusal(await directory.apply(manager, place.id), 400, 'DISCOVERY_DISABLED')
    expectRefusal(await everyone.search(dan), 400, 'DISCOVERY_DISABLED')
    expectRefusal(await everyone.join(dan, place.id), 400, 'DISCOVERY_DISABLED')
    expect((await everyone.categories(dan)).status).toBe(200)
    expect(bodyOf(await directory.status(manager, place.id))).toMatchObject({
      application: { status: 'approved' },
      eligible: false,
    })
    expect(bodyOf(await directory.update(manager, place.id, { category_type: 2 }))).toMatchObject({ category_type: 2 })
    expect(bodyOf(await reviews.edit(place.id, { category_type: 3 }))).toMatchObject({ category_type: 3 })
    expect(bodyOf(await reviews.remove(place.id))).toMatchObject({ status: 'removed' })
    expect((await directory.withdraw(manager, place.id)).status).toBe(204)
    // A wrong query is told before the switch, as a wrong body is.
    expectFields(await everyone.search(dan, { limit: '0' }), field('limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE'))
  })
})

describe('bodies that change a listing', () => {
  const wrong = [
    ['description', 'x'.repeat(9), 'STRING_LENGTH_INVALID'],
    ['description', 'x'.repeat(301), 'STRING_LENGTH_INVALID'],
    ['description', '\u200b'.repeat(20), 'STRING_LENGTH_INVALID'],
    ['description', null, 'INVALID_FORMAT'],
    ['category_type', -1, 'INVALID_FORMAT'],
    ['category_type', 9, 'INVALID_FORMAT'],
    ['category_type', 1.5, 'INVALID_FORMAT'],
    ['primary_language', 'en-us', 'INVALID_FORMAT'],
    ['primary_language', 'EN-US', 'INVALID_FORMAT'],
    ['primary_language', 'xx', 'INVALID_FORMAT'],
    ['custom_tags', Array.from({ length: 11 }, (_, index) => `tag ${index}`), 'INVALID_FORMAT'],
    ['custom_tags', Array.from({ length: 11 }, () => 'chess'), 'INVALID_FORMAT'],
    ['custom_tags.1', ['go', 'x'], 'STRING_LENGTH_INVALID'],
    ['custom_tags.1', ['go', 'x'.repeat(31)], 'STRING_LENGTH_INVALID'],
    ['custom_tags.1', ['go', '  x  '], 'STRING_LENGTH_INVALID'],
    ['custom_tags.1', ['go', `${' '.repeat(29)}go`], 'STRING_LENGTH_INVALID'],
    ['custom_tags.1', ['go', 7], 'INVALID_FORMAT'],
  ] as const

  it('are refused alike by the guild’s side and the administrators’, and leave no event', async () => {
    const { place } = await stage()
    bodyOf(await directory.apply(ada, place.id))
    const before = await eventsOf(guildhall, place.id)
    for (const [path, value, code] of wrong) {
      const body = { [path.split('.')[0] ?? path]: value }
      expectFields(await directory.update(ada, place.id, body), field(path, code))
      expectFields(await reviews.edit(place.id, body), field(path, code))
    }
    const ids = Array.from({ length: 101 }, (_, index) => String(index + 1))
    for (const guild_ids of [[], ids])
      expectFields(await reviews.move({ guild_ids, category_type: 5 }), field('guild_ids', 'INVALID_FORMAT'))
    const moving = { guild_ids: [place.id], category_type: -1 }
    expectFields(await reviews.move(moving), field('category_type', 'INVALID_FORMAT'))
    expect(await eventsOf(guildhall, place.id)).toStrictEqual(before)
    // The bounds themselves are in.
    const bounds = { description: 'x'.repeat(10), custom_tags: ['xy', 'z'.repeat(30)] }
    expect(bodyOf(await directory.update(ada, place.id, bounds))).toMatchObject(bounds)
    expect(bodyOf(await reviews.edit(place.id, { description: '𝕏'.repeat(300) }))).toMatchObject({ status: 'pending' })
    expect(bodyOf(await reviews.move({ guild_ids: ids.slice(0, 100), category_type: 5 }))).toMatchObject({ updated: 0 })
  })
})
