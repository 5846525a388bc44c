import { describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { administrator } from '../../../support/administrators.ts'
import { bodyOf, expectFields, expectRefusal, found } from '../../support/answers.ts'
import { applied, chess, directoryOf, reviewsOf } from '../../support/discovery.ts'
import { openServer } from '../../support/scene.ts'

const guildhall = await openServer({})
const ada = await guildhall.register()
const [admin, colleague] = await Promise.all([
  administrator(guildhall, 'admin:authenticate', 'discovery:review', 'discovery:remove'),
  administrator(guildhall, 'admin:authenticate', 'discovery:review'),
])
const directory = directoryOf(guildhall)
const [reviews, others] = [reviewsOf(guildhall, admin), reviewsOf(guildhall, colleague)]

interface Queued {
  readonly guild_id: string
}

const queue = async (query = '', by = reviews) => {
  const { applications, next_cursor: next } = bodyOf(await by.queue(query))
  return { applications: applications as readonly Queued[], next }
}
const queued = async (id: string, by = reviews) =>
  (await queue('?limit=100', by)).applications.find(({ guild_id: each }) => each === id)

describe('the queue of reviewers', () => {
  it('has the longest waiting first, in pages', async () => {
    const guilds = []
    for (let count = 0; count < 3; count += 1) guilds.push((await applied(guildhall, ada)).id)
    const ids: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = await queue(`?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`)
      ids.push(...page.applications.map(({ guild_id: id }) => id))
      cursor = page.next as string | null
    }
    expect(ids).toStrictEqual(guilds)
    expect((await queue()).applications).toMatchObject(guilds.map((id) => ({ guild_id: id, claim: null })))
    for (const id of guilds) bodyOf(await reviews.approve(id))
    expect((await queue()).applications).toStrictEqual([])
  })

  it('says how long each waits, what was decided earlier and why, and what changed since the last approval', async () => {
    const guild = await applied(guildhall, ada)
    expect(await queued(guild.id)).toMatchObject({
      ...chess,
      guild_name: 'Home',
      waiting_seconds: expect.any(Number),
      earlier_decisions: [],
      changed_since_approval: null,
    })
    bodyOf(await reviews.approve(guild.id))
    bodyOf(await reviews.remove(guild.id, { reason: 'spam' }))
    bodyOf(await directory.apply(ada, guild.id, { ...chess, description: 'Only chess now', custom_tags: ['chess'] }))
    const entry = await queued(guild.id)
    expect(entry).toMatchObject({
      earlier_decisions: [
        { kind: 'approved', reason: null },
        { kind: 'removed', reason: 'spam' },
      ],
      changed_since_approval: [
        { field: 'description', before: 'A place for chess', after: 'Only chess now' },
        { field: 'custom_tags', before: [], after: ['chess'] },
      ],
    })
    expect(JSON.stringify(entry)).not.toContain(admin.id)
  })

  it.each([
    ['limit', '0', 'VALUE_MUST_BE_INTEGER_IN_RANGE'],
    ['limit', '101', 'VALUE_MUST_BE_INTEGER_IN_RANGE'],
    ['cursor', 'yesterday', 'INVALID_FORMAT'],
    ['cursor', '2026-99-23T00:00:00.000Z_1', 'INVALID_FORMAT'],
  ] as const)('refuses a wrong %s: %s', async (member, value, code) => {
    expectFields(await reviews.queue(`?${member}=${value}`), field(member, code))
  })
})

describe('a claim', () => {
  it('is told to others for 15 minutes, and ends by a word of its owner alone', async () => {
    const { id } = await applied(guildhall, ada)
    const claim = bodyOf(await reviews.claim(id))
    expect(claim).toMatchObject({ guild_id: id, claimed_by: admin.id, is_own: true })
    const left_ms = Date.parse(String(claim['claimed_until'])) - Date.now()
    expect(left_ms).toBeGreaterThan(14 * 60_000)
    expect(left_ms).toBeLessThanOrEqual(15 * 60_000 + 1000)
    expect(await queued(id, others)).toMatchObject({ claim: { claimed_by: admin.id, is_own: false } })
    expect(bodyOf(await others.claim(id))).toStrictEqual({ ...claim, is_own: false })
    expect((await others.release(id)).status).toBe(204)
    expect(await queued(id)).toMatchObject({ claim: { is_own: true } })
    expect((await reviews.release(id)).status).toBe(204)
    expect(await queued(id)).toMatchObject({ claim: null })
    expect(bodyOf(await others.claim(id))).toMatchObject({ claimed_by: colleague.id, is_own: true })
  })

  it('is taken by one of two at once', async () => {
    const { id } = await applied(guildhall, ada)
    const claims = (await Promise.all([reviews.claim(id), others.claim(id)])).map(bodyOf)
    expect(claims.filter(({ is_own: isOwn }) => isOwn === true)).toHaveLength(1)
    expect(claims[0]?.['claimed_by']).toBe(claims[1]?.['claimed_by'])
  })

  it('locks nothing: a review without one counts', async () => {
    const { id } = await applied(guildhall, ada)
    bodyOf(await reviews.claim(id))
    expect(bodyOf(await others.approve(id))).toMatchObject({ status: 'approved' })
  })

  it('ends by itself, and is then anyone’s', async () => {
    const { id } = await applied(guildhall, ada)
    bodyOf(await reviews.claim(id))
    const ended = `update discovery_claims.claims set claimed_until = now() - interval '1 second' where guild_id = $1`
    await guildhall.store.database.pool.query(ended, [id])
    expect(await queued(id)).toMatchObject({ claim: null })
    expect(bodyOf(await others.claim(id))).toMatchObject({ claimed_by: colleague.id, is_own: true })
  })

  it('is on a pending application', async () => {
    const none = await found(guildhall, ada)
    expectRefusal(await reviews.claim(none.id), 404, 'DISCOVERY_APPLICATION_NOT_FOUND')
    const { id } = await applied(guildhall, ada)
    bodyOf(await reviews.approve(id))
    expectRefusal(await reviews.claim(id), 409, 'DISCOVERY_APPLICATION_ALREADY_REVIEWED')
  })
})
