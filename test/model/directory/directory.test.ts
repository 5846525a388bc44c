import fc from 'fast-check'
import { expect, it } from 'vitest'
import { administrator } from '../../support/administrators.js'
import type { TestAccount, TestAnswer } from '../../support/test-guildhall.js'
import { bodyOf, found, accept, invite, listOf } from '../../operations/support/answers.js'
import { featuresOf } from '../../operations/support/discovery.js'
import { nowhere, setFeatures } from '../../operations/support/guilds.js'
import { openServer } from '../../operations/support/scene.js'
import {
  guildNames,
  judge,
  managers,
  reviewers,
  type Answer,
  type Application,
  type Command,
  type Directory,
  type GuildName,
  type ListingBody,
  type Manager,
  type Outcome,
  type Reviewer,
} from './directory-model.js'

/** Random requests of managers and administrators, one by one and two at once, each answered as a plain model says. */

const guildhall = await openServer()
const runs = Number(process.env['MODEL_RUNS'] ?? 12)
const given = process.env['MODEL_SEED'] ?? '17379900'
const seed = given === 'random' ? Date.now() % 2 ** 31 : Number(given)
const commands_max = 30

const [owner, manager, member, stranger] = await Promise.all(managers.map(() => guildhall.register()))
const acls = ['admin:authenticate', 'discovery:review'] as const
const people: Readonly<Record<string, TestAccount | undefined>> = {
  owner,
  manager,
  member,
  stranger,
  first: await administrator(guildhall, ...acls, 'discovery:remove'),
  second: await administrator(guildhall, ...acls, 'discovery:remove'),
  reviewer: await administrator(guildhall, ...acls),
}

type Places = Readonly<Record<GuildName, string>>

async function foundPlaces(): Promise<Places> {
  if (!owner || !manager || !member) throw new Error('Nobody is there')
  const [plain, verified] = await Promise.all(
    ['Plain', 'Verified'].map(async (name) => {
      const guild = await found(guildhall, owner, name)
      const code = await invite(guildhall, owner, guild.channel)
      for (const each of [manager, member]) bodyOf(await accept(guildhall, each, code))
      const role = { name: 'Manager', permissions: '32' }
      const path = `/v1/guilds/${guild.id}`
      const { id } = bodyOf(await guildhall.request('POST', `${path}/roles`, { token: owner.token, body: role }))
      const giving = `${path}/members/${manager.id}/roles/${String(id)}`
      expect((await guildhall.request('PUT', giving, { token: owner.token })).status).toBe(204)
      return guild.id
    }),
  )
  if (plain === undefined || verified === undefined) throw new Error('A guild is missing')
  await setFeatures(guildhall, verified, 'VERIFIED')
  return { plain, verified, nowhere }
}

const guild = fc.constantFrom<GuildName[]>('plain', 'plain', 'plain', 'verified', 'verified', 'nowhere')
const someManager = fc.constantFrom<Manager[]>('owner', 'owner', 'manager', 'manager', 'member', 'stranger')
const someReviewer = fc.constantFrom<Reviewer[]>(...reviewers)
const body: fc.Arbitrary<ListingBody> = fc.record(
  {
    description: fc.constantFrom('A place for chess', 'A place for go', 'x'.repeat(300), 'short', 'x'.repeat(301)),
    category_type: fc.constantFrom(0, 1, 8, 8, 9, -1),
    primary_language: fc.constantFrom('ja', 'pt-BR', 'pt-BR', 'pt-br'),
    custom_tags: fc.constantFrom(
      [],
      ['chess'],
      ['Chess ', ' board   games', 'chess'],
      ['x'],
      ['+go'],
      Array.from({ length: 11 }, (_, index) => `tag ${index}`),
    ),
  },
  { requiredKeys: [], noNullPrototype: true },
)
const fullBody = fc.record({ description: fc.constant('A place for chess'), category_type: fc.constantFrom(0, 8) })
const reason = fc.constantFrom('spam', 'spam', 'too small', 'too small', '', 'x'.repeat(501))
const reviews = fc.record(
  { status: fc.constantFrom('approved', 'approved', 'approved', 'rejected', 'rejected', 'pending', 'removed'), reason },
  { requiredKeys: ['status'], noNullPrototype: true },
)
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constant('apply' as const),
      by: someManager,
      guild,
      body: fc.oneof({ weight: 3, arbitrary: fullBody }, { weight: 1, arbitrary: body }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('update' as const), by: someManager, guild, body }) },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constantFrom<('withdraw' | 'status')[]>('withdraw', 'status'),
      by: someManager,
      guild,
    }),
  },
  { weight: 6, arbitrary: fc.record({ op: fc.constant('review' as const), by: someReviewer, guild, body: reviews }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('edit' as const), by: someReviewer, guild, body }) },
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant('remove' as const),
      by: someReviewer,
      guild,
      body: fc.record({ reason }, { requiredKeys: [], noNullPrototype: true }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('move' as const),
      by: someReviewer,
      guilds: fc.array(guild, { maxLength: 4 }),
      category_type: fc.constantFrom(0, 3, 9),
    }),
  },
)

/** One request, or two that are sent at once. */
const steps = fc.array(
  fc.oneof({ weight: 2, arbitrary: fc.tuple(command) }, { weight: 1, arbitrary: fc.tuple(command, command) }),
  { maxLength: commands_max, size: 'max' },
)

function requestOf(places: Places, wish: Command): readonly [string, string, unknown?] {
  const admin = '/v1/admin/discovery'
  switch (wish.op) {
    case 'apply':
      return ['POST', `/v1/guilds/${places[wish.guild]}/discovery`, wish.body]
    case 'update':
      return ['PATCH', `/v1/guilds/${places[wish.guild]}/discovery`, wish.body]
    case 'withdraw':
      return ['DELETE', `/v1/guilds/${places[wish.guild]}/discovery`]
    case 'status':
      return ['GET', `/v1/guilds/${places[wish.guild]}/discovery`]
    case 'review':
      return ['PATCH', `${admin}/applications/${places[wish.guild]}`, wish.body]
    case 'edit':
      return ['PATCH', `${admin}/listings/${places[wish.guild]}`, wish.body]
    case 'remove':
      return ['DELETE', `${admin}/listings/${places[wish.guild]}`, wish.body]
    case 'move': {
      const guild_ids = wish.guilds.map((each) => places[each])
      return ['PATCH', `${admin}/listings`, { guild_ids, category_type: wish.category_type }]
    }
  }
}

async function sent(places: Places, wish: Command): Promise<Answer> {
  const [method, path, content] = requestOf(places, wish)
  const { token = '' } = people[wish.by] ?? {}
  const more = content === undefined ? {} : { body: content }
  return answerOf(places, wish, await guildhall.request(method, path, { token, ...more }))
}

function answerOf(places: Places, { op }: Command, { status, body: content }: TestAnswer): Answer {
  if (status === 204) return { status }
  const members = content as Readonly<Record<string, unknown>>
  if (status !== 200) return { status, code: String(members['code']) }
  if (op === 'status') return { status, application: members['application'] ? shown(members['application']) : null }
  if (op !== 'move') return { status, application: shown(content) }
  const ids = members['failed_guild_ids'] as readonly string[]
  const failed = ids.map((id) => guildNames.find((name) => places[name] === id) ?? 'nowhere')
  return { status, moved: { updated: Number(members['updated']), failed } }
}

/** An application without its id and its times, which are there exactly where its status says so. */
function shown(content: unknown): Application {
  const {
    guild_id: _,
    applied_at: __,
    reviewed_at: reviewed,
    removed_at: removed,
    ...rest
  } = content as Readonly<Record<string, unknown>>
  expect(reviewed === null).toBe(rest['status'] === 'pending')
  expect(removed === null).toBe(rest['status'] !== 'removed')
  return rest as unknown as Application
}

/** What both requests can be answered, in either order. */
function ordersOf(directory: Directory, [one, other]: readonly [Command, Command]): readonly (readonly Outcome[])[] {
  const first = judge(directory, one)
  const second = judge(first.after, other)
  const otherFirst = judge(directory, other)
  const oneSecond = judge(otherFirst.after, one)
  return [
    [first, second],
    [{ ...oneSecond }, { ...otherFirst, after: oneSecond.after }],
  ]
}

async function directoryNow(places: Places): Promise<Directory> {
  const entries = await Promise.all(
    (['plain', 'verified'] as const).map(async (name) => {
      const { application } = await sent(places, { op: 'status', by: 'owner', guild: name })
      return application ? [[name, application] as const] : []
    }),
  )
  return Object.fromEntries(entries.flat())
}

async function agrees(places: Places, directory: Directory): Promise<void> {
  const { token = '' } = people['first'] ?? {}
  const listed = async (path: string): Promise<readonly unknown[]> =>
    listOf(await guildhall.request('GET', `/v1/admin/discovery/${path}`, { token })).map(({ guild_id: id }) => id)
  const [pending, approved] = [await listed('applications'), await listed('listings')]
  for (const name of ['plain', 'verified'] as const) {
    const status = directory[name]?.status
    expect((await featuresOf(guildhall, places[name])).includes('DISCOVERABLE')).toBe(status === 'approved')
    expect([pending.includes(places[name]), approved.includes(places[name])]).toStrictEqual([
      status === 'pending',
      status === 'approved',
    ])
  }
}

async function played(places: Places, directory: Directory, wishes: readonly Command[]): Promise<Directory> {
  const answers = await Promise.all(wishes.map((wish) => sent(places, wish)))
  const [one, other] = wishes
  const now = await directoryNow(places)
  const possible = one && other ? ordersOf(directory, [one, other]) : one ? [[judge(directory, one)]] : []
  const results = possible.map((outcomes) => ({
    answers: outcomes.map(({ answer }) => answer),
    now: outcomes.at(-1)?.after,
  }))
  const found = { answers, now }
  if (results.some((result) => JSON.stringify(sorted(result)) === JSON.stringify(sorted(found)))) return now
  expect(found).toStrictEqual(results.length === 1 ? results[0] : results)
  return now
}

/** The same value with its members in the order of their names. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  )
}

it('the guild directory answers as the model says, to one request and to two at once', async () => {
  const places = await foundPlaces()
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      for (const each of ['plain', 'verified'] as const)
        await sent(places, { op: 'withdraw', by: 'owner', guild: each })
      let directory: Directory = {}
      for (const wishes of list) {
        directory = await played(places, directory, wishes)
        for (const own of Object.values(directory)) seen.add(own.status)
        await agrees(places, directory)
      }
    }),
    { numRuns: runs, seed, endOnFailure: false },
  )
  expect([...seen].toSorted()).toStrictEqual(['approved', 'pending', 'rejected', 'removed'])
}, 3_600_000)
