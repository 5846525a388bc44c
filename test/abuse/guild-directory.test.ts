import { afterAll, describe, expect, it } from 'vitest'
import { field } from '../../domain/kernel/refusal.ts'
import { bodyOf, expectFields, expectRefusal, found, listOf } from '../operations/support/answers.ts'
import { asBot, newApplication } from '../operations/support/applications.ts'
import {
  applied,
  chess,
  directoryOf,
  eventsOf,
  featuresOf,
  publicDirectoryOf,
  reviewsOf,
} from '../operations/support/discovery.ts'
import { nowhere } from '../operations/support/guilds.ts'
import { placeOf } from '../operations/support/members.ts'
import { openServer } from '../operations/support/scene.ts'
import { administrator } from '../support/administrators.ts'
import { countStatements } from '../support/statements.ts'

/** The guild directory and those who mean it ill. test/abuse/directory-admission.test.ts has those who come in by it. */

const guildhall = await openServer()
const [ada, carol] = await Promise.all([guildhall.register(), guildhall.register()])
const admin = await administrator(guildhall, 'admin:authenticate', 'discovery:review', 'discovery:remove')
const directory = directoryOf(guildhall)
const everyone = publicDirectoryOf(guildhall)
const reviews = reviewsOf(guildhall, admin)
const statements = countStatements()
afterAll(() => statements.stop())

async function listed(): Promise<string> {
  const { id } = await applied(guildhall, ada)
  bodyOf(await reviews.approve(id))
  return id
}

describe('the application of a guild', () => {
  it('is not shown or changed for a stranger, or one who has left: neither is told whether there is one', async () => {
    const place = await placeOf(guildhall, ada)
    const gone = await place.member()
    expect((await guildhall.request('DELETE', `/v1/users/@me/guilds/${place.id}`, { token: gone.token })).status).toBe(
      204,
    )
    const answers = async () =>
      Promise.all(
        [carol, gone].flatMap((each) => [
          directory.status(each, place.id),
          directory.apply(each, place.id),
          directory.update(each, place.id, {}),
          directory.withdraw(each, place.id),
        ]),
      )
    const codes = async () => (await answers()).map(({ status, body }) => [status, Object(body).code as unknown])
    const before = await codes()
    expect(new Set(before.map(String))).toStrictEqual(new Set(['403,MISSING_PERMISSIONS']))
    bodyOf(await directory.apply(ada, place.id))
    const events = await eventsOf(guildhall, place.id)
    expect(await codes()).toStrictEqual(before)
    expect(await eventsOf(guildhall, place.id)).toStrictEqual(events)
  })
})

describe('the wrong credential', () => {
  it('reviews nothing: a user without ACLs, a bot, and an administrator with other ACLs', async () => {
    const { id } = await applied(guildhall, ada)
    const other = await administrator(guildhall, 'admin:authenticate', 'user:lookup')
    const robot = { token: asBot(await newApplication(guildhall, ada)) }
    for (const [by, refusal] of [
      [ada, 'MISSING_PERMISSIONS'],
      [robot, 'UNAUTHORIZED'],
      [other, 'MISSING_ACL'],
    ] as const) {
      const { approve, remove, edit, move, pending, listings, categories, category, queue, claim, release } = reviewsOf(
        guildhall,
        by,
      )
      const tried = [
        approve(id),
        remove(id),
        edit(id, { category_type: 1 }),
        move({ guild_ids: [id], category_type: 1 }),
        pending(),
        listings(),
        categories(),
        category(0),
        queue(),
        claim(id),
        release(id),
      ]
      for (const answer of await Promise.all(tried)) expect(answer.body).toMatchObject({ code: refusal })
    }
    expect(await eventsOf(guildhall, id)).toStrictEqual(['DiscoveryApplied', 'DiscoveryListingSettled'])
  })

  it('joins nothing: a bot searches, and is let in by nobody', async () => {
    const id = await listed()
    const robot = { token: asBot(await newApplication(guildhall, carol)) }
    expect((await everyone.search(robot, { limit: '1' })).status).toBe(200)
    expect((await everyone.categories(robot)).status).toBe(200)
    expectRefusal(await everyone.join(robot, id), 403, 'ACCESS_DENIED')
  })
})

describe('whether a guild that is not listed exists', () => {
  it('is not shown by what a join asks of Postgres, for a guild that never was, that never applied, or is not listed any more', async () => {
    const [plain, pending] = [await found(guildhall, ada), await applied(guildhall, ada)]
    const rejected = await applied(guildhall, ada)
    bodyOf(await reviews.review(rejected.id, { status: 'rejected', reason: 'too small' }))
    const [removed, withdrawn] = [await listed(), await listed()]
    bodyOf(await reviews.remove(removed))
    expect((await directory.withdraw(ada, withdrawn)).status).toBe(204)
    const asked: (readonly string[])[] = []
    const dan = await guildhall.register()
    // The first request of an account looks up what the next ones know.
    await everyone.join(dan, nowhere)
    for (const id of [nowhere, plain.id, pending.id, rejected.id, removed, withdrawn, nowhere]) {
      expectRefusal(await everyone.join(dan, id), 400, 'DISCOVERY_NOT_DISCOVERABLE')
      asked.push(statements.newest().statements)
    }
    // The caller's account, and one stream. Of the guild, or of any read model, nothing is asked.
    for (const each of asked) {
      expect(each).toHaveLength(2)
      for (const statement of each) expect(statement).toMatch(/from event_store\.events where stream = \$\d/)
    }
  })
})

describe('members that nobody may send', () => {
  it('are in no application: its status, its times, its guild and its features come from elsewhere', async () => {
    const [{ id }, other] = [await found(guildhall, ada), await found(guildhall, ada)]
    const wanted = `"status":"approved","guild_id":"${other.id}","reviewed_at":"2020-01-01T00:00:00.000Z",
      "applied_at":"2020-01-01T00:00:00.000Z","review_reason":"fine","features":["VERIFIED","DISCOVERABLE"],
      "member_count":1000,"approvedAtOnce":true,"atOnce":true,"__proto__":{"status":"approved"}`
    const body = `{"description":"A place for chess","category_type":0,${wanted}}`
    const application = bodyOf(await directory.apply(ada, id, body))
    expect(application).toMatchObject({ guild_id: id, status: 'pending', reviewed_at: null, review_reason: null })
    expect(Date.parse(String(application['applied_at']))).toBeGreaterThan(Date.UTC(2021, 0))
    expect(bodyOf(await directory.update(ada, id, `{${wanted}}`))).toStrictEqual(application)
    expect(bodyOf(await reviews.edit(id, `{${wanted}}`))).toStrictEqual(application)
    expect(await eventsOf(guildhall, id)).toStrictEqual(['DiscoveryApplied', 'DiscoveryListingSettled'])
    expect(await eventsOf(guildhall, other.id)).toStrictEqual([])
    expect(await featuresOf(guildhall, id)).not.toContain('DISCOVERABLE')
  })

  it('do not list a guild: DISCOVERABLE is no feature that its managers toggle', async () => {
    const { id } = await applied(guildhall, ada)
    const change = { token: ada.token, body: { features: ['DISCOVERABLE', 'VERIFIED', 'INVITES_DISABLED'] } }
    await guildhall.request('PATCH', `/v1/guilds/${id}`, change)
    expect(await featuresOf(guildhall, id)).not.toEqual(expect.arrayContaining(['DISCOVERABLE']))
    expect(await featuresOf(guildhall, id)).not.toEqual(expect.arrayContaining(['VERIFIED']))
    expectRefusal(await everyone.join(carol, id), 400, 'DISCOVERY_NOT_DISCOVERABLE')
  })
})

describe('the queries of the directory', () => {
  const search = (query: string) => guildhall.request('GET', `/v1/discovery/guilds?${query}`, { token: carol.token })
  const inCategory = (query: string) => reviews.category(0, `?${query}`)
  const outOfRange = (member: string) => field(member, 'VALUE_MUST_BE_INTEGER_IN_RANGE')

  it.each(['limit', 'offset'])('have a %s in base 10, once', async (member) => {
    for (const value of ['1e1', '0x10', '5.0', '', '-1', '1 0', '١', '9'.repeat(400)])
      for (const ask of [search, inCategory])
        expectFields(await ask(`${member}=${encodeURIComponent(value)}`), outOfRange(member))
    for (const ask of [search, inCategory]) {
      expectFields(await ask(`${member}=1&${member}=1`), outOfRange(member))
      for (const other of ['050', '%2B5', '%205%20'])
        expect([200, 400]).toContain((await ask(`${member}=${other}`)).status)
      expect((await ask(`${member}=007&${member}[]=x`)).status).toBe(200)
    }
  })

  it.each(['category=1&category=2', 'category=%2B1', 'category=01', 'category=1.0', 'category=٣', 'category='])(
    'name one category in one spelling: %s',
    async (query) => {
      expectFields(await search(query), field('category', 'INVALID_FORMAT'))
    },
  )

  it('are text: neither a pattern nor SQL', async () => {
    for (const query of ["' or 1=1 --", '%', '\\', '_%_%', '{chess}', "chess' & 'go", '"', ':*', '<->'])
      for (const member of ['query', 'tag'])
        expect((await search(`${member}=${encodeURIComponent(query)}`)).status).toBe(200)
    expectFields(await search('query=a%00b'), field('query', 'INVALID_FORMAT'))
  })
})

describe('ids in the body of a move', () => {
  it.each(['"-1"', '"007"', '"+1"', '"1e3"', '"1.5"', '"0x10"', '"١٢٣"', '""', '1.5', '-1', 'null', '{}'])(
    'are refused if they are spelt %s, and the others are not moved',
    async (spelling) => {
      const { id } = await applied(guildhall, ada)
      const answer = await reviews.move(`{"guild_ids":["${id}",${spelling}],"category_type":5}`)
      expectRefusal(answer, 400, 'INVALID_FORM_BODY')
      expect((answer.body as { readonly errors: readonly object[] }).errors).toMatchObject([{ path: 'guild_ids.1' }])
      expect(await eventsOf(guildhall, id)).not.toContain('DiscoveryListingMoved')
    },
  )

  it('are never rounded', async () => {
    const body = '{"guild_ids":[9007199254740993,"9223372036854775807"],"category_type":5}'
    const failed = ['9007199254740993', '9223372036854775807']
    expect(bodyOf(await reviews.move(body))).toStrictEqual({ updated: 0, failed_guild_ids: failed })
    for (const id of ['"9223372036854775808"', '18446744073709551616'])
      expectFields(
        await reviews.move(`{"guild_ids":[${id}],"category_type":5}`),
        field('guild_ids.0', 'SNOWFLAKE_OUT_OF_RANGE'),
      )
  })
})

describe('texts that only look alike', () => {
  it('are one tag where they are the same letters, and no tag where something in them is invisible', async () => {
    const { id } = await found(guildhall, ada)
    const custom_tags = ['Cafe\u0301', 'caf\u00e9', ' CAF\u00c9 ', 'chess', 'сhess']
    const kept = bodyOf(await directory.apply(ada, id, { ...chess, custom_tags }))['custom_tags']
    // The last has a Cyrillic first letter: another tag, as another word.
    expect(kept).toStrictEqual(['caf\u00e9', 'chess', 'сhess'])
    bodyOf(await reviews.approve(id))
    const found_by = async (tag: string) =>
      (bodyOf(await everyone.search(carol, { tag, limit: '48' }))['guilds'] as readonly { readonly id: string }[]).map(
        (guild) => guild.id,
      )
    expect(await found_by('CAFE\u0301')).toContain(id)
    for (const tag of ['chess\u200b', 'chess\u3164', 'che\u034fss', '\u202echess', 'chess\ufe0f', '\u3164\u3164'])
      expectRefusal(await directory.update(ada, id, { custom_tags: [tag] }), 400, 'INVALID_FORM_BODY')
  })

  it('do not stand for each other in names: who looks for one finds nobody who imitates it', async () => {
    const [real, imitation] = [await found(guildhall, ada, 'Kasparovia'), await found(guildhall, ada, 'Каsраrоviа')]
    for (const { id } of [real, imitation]) {
      bodyOf(await directory.apply(ada, id))
      bodyOf(await reviews.approve(id))
    }
    const [one, ...others] = bodyOf(await everyone.search(carol, { query: 'ｋasparovia' }))[
      'guilds'
    ] as readonly object[]
    expect([one, others]).toMatchObject([{ id: real.id }, []])
    // A reviewer sees each as it is.
    const names = listOf(await reviews.listings()).map(({ guild_name: name }) => name)
    expect(names).toStrictEqual(expect.arrayContaining(['Kasparovia', 'Каsраrоviа']))
  })
})
