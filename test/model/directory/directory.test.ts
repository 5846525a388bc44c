import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { administrator } from '../../support/administrators.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { bodyOf, found, accept, invite, listOf } from '../../operations/support/answers.ts'
import { featuresOf } from '../../operations/support/discovery.ts'
import { nowhere, setFeatures } from '../../operations/support/guilds.ts'
import { openServer } from '../../operations/support/scene.ts'
import { steps } from './directory-draws.ts'
import { judge, managers, type Command } from './directory-model.ts'
import { sent, type Stage } from './directory-requests.ts'
import { places, type Directory, type GuildName } from './directory-world.ts'

/** Random requests of managers, administrators and a visitor, one by one and up to four at once, each answered as a plain model says. */

const guildhall = await openServer()
const runs = Number(process.env['MODEL_RUNS'] ?? 12)
const given = process.env['MODEL_SEED'] ?? '17379900'
const seed = given === 'random' ? Date.now() % 2 ** 31 : Number(given)
const commands_max = 30

const [owner, manager, member, stranger, visitor] = await Promise.all(
  [...managers, 'visitor'].map(() => guildhall.register()),
)
const acls = ['admin:authenticate', 'discovery:review'] as const
const people: Readonly<Record<string, TestAccount | undefined>> = {
  owner,
  manager,
  member,
  stranger,
  visitor,
  first: await administrator(guildhall, ...acls, 'discovery:remove'),
  second: await administrator(guildhall, ...acls, 'discovery:remove'),
  reviewer: await administrator(guildhall, ...acls),
}

async function foundStage(): Promise<Stage> {
  if (!owner || !manager || !member) throw new Error('Nobody is there')
  const word = `d${randomBytes(6).toString('hex')}`
  const [plain, verified] = await Promise.all(
    ['Plain', 'Verified'].map(async (name) => {
      const guild = await found(guildhall, owner, `${name} ${word}`)
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
  return { guildhall, people, ids: { plain, verified, nowhere }, word }
}

/** What the requests can be answered together, in any order, with what is there afterwards. */
function outcomesOf(directory: Directory, wishes: readonly Command[]): readonly Played[] {
  return ordersOf(wishes.map((_, index) => index)).map((order) => {
    const answers: Played['answers'][number][] = []
    let now = directory
    for (const index of order) {
      const wish = wishes[index]
      if (!wish) throw new Error('There is no such request')
      const { answer, after } = judge(now, wish)
      answers[index] = answer
      now = after
    }
    return { answers, now }
  })
}

interface Played {
  readonly answers: readonly Awaited<ReturnType<typeof sent>>[]
  readonly now: Directory
}

function ordersOf(indices: readonly number[]): readonly (readonly number[])[] {
  if (indices.length <= 1) return [indices]
  return indices.flatMap((first) => ordersOf(indices.filter((each) => each !== first)).map((rest) => [first, ...rest]))
}

async function directoryNow(stage: Stage): Promise<Directory> {
  const applications: Partial<Record<GuildName, NonNullable<Directory['applications'][GuildName]>>> = {}
  for (const guild of places) {
    const { application } = await sent(stage, { op: 'status', by: 'owner', guild })
    if (application) applications[guild] = application
  }
  const token = visitor?.token ?? ''
  const own = listOf(await guildhall.request('GET', '/v1/users/@me/guilds', { token })).map(({ id }) => id)
  const of = async (guild: 'plain' | 'verified') =>
    (await featuresOf(guildhall, stage.ids[guild]))
      .filter((feature) => feature === 'VERIFIED' || feature === 'INVITES_DISABLED')
      .toSorted()
  return {
    applications,
    features: { plain: await of('plain'), verified: await of('verified') },
    visited: places.filter((place) => own.includes(stage.ids[place])),
  }
}

/** DISCOVERABLE is there exactly where the application is approved, and every list has exactly its own. */
async function agrees(stage: Stage, directory: Directory): Promise<void> {
  for (const place of places) {
    const isApproved = directory.applications[place]?.status === 'approved'
    expect((await featuresOf(guildhall, stage.ids[place])).includes('DISCOVERABLE')).toBe(isApproved)
  }
  for (const wish of [
    { op: 'applications', by: 'first' },
    { op: 'listings', by: 'first' },
    { op: 'search', by: 'owner' },
  ] as const)
    expect(await sent(stage, wish)).toStrictEqual(judge(directory, wish).answer)
}

async function played(stage: Stage, directory: Directory, wishes: readonly Command[]): Promise<Directory> {
  const answers = await Promise.all(wishes.map((wish) => sent(stage, wish)))
  const now = await directoryNow(stage)
  const possible = outcomesOf(directory, wishes)
  const found = { answers, now }
  if (possible.some((each) => JSON.stringify(sorted(each)) === JSON.stringify(sorted(found)))) return now
  expect({ wishes, ...found }).toStrictEqual({ wishes, ...(possible.length === 1 ? possible[0] : { possible }) })
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

/** Whatever is drawn, each status and these refusals are met. */
const tour: readonly (readonly Command[])[] = (
  [
    { op: 'apply', by: 'manager', guild: 'plain', body: { description: 'A place for chess', category_type: 0 } },
    { op: 'review', by: 'first', guild: 'plain', body: { status: 'rejected', reason: 'too small' } },
    { op: 'apply', by: 'owner', guild: 'plain', body: { description: 'A place for chess', category_type: 8 } },
    { op: 'review', by: 'reviewer', guild: 'plain', body: { status: 'approved' } },
    { op: 'apply', by: 'owner', guild: 'plain', body: { description: 'A place for chess', category_type: 8 } },
    { op: 'toggle', by: 'manager', guild: 'plain', closes: true },
    { op: 'join', by: 'visitor', guild: 'plain' },
    { op: 'remove', by: 'second', guild: 'plain', body: { reason: 'spam' } },
    { op: 'join', by: 'visitor', guild: 'plain' },
  ] as const satisfies readonly Command[]
).map((command) => [command])

it('the guild directory answers as the model says, to one request, to two at once, and to four changes at once', async () => {
  const stage = await foundStage()
  const seen = new Set<string>()
  const refused = new Set<string>()
  await fc.assert(
    fc.asyncProperty(steps(commands_max), async (list) => {
      for (const guild of places) {
        await sent(stage, { op: 'withdraw', by: 'owner', guild })
        await sent(stage, { op: 'leave', by: 'visitor', guild })
        await sent(stage, { op: 'toggle', by: 'owner', guild, closes: false })
      }
      await setFeatures(guildhall, stage.ids.plain)
      await setFeatures(guildhall, stage.ids.verified, 'VERIFIED')
      let directory: Directory = { applications: {}, features: { plain: [], verified: ['VERIFIED'] }, visited: [] }
      for (const wishes of list) {
        const before = directory
        directory = await played(stage, directory, wishes)
        for (const own of Object.values(directory.applications)) seen.add(own.status)
        if (wishes.length === 1) for (const wish of wishes) refused.add(judge(before, wish).answer.code ?? '')
        await agrees(stage, directory)
      }
    }),
    { numRuns: runs, seed, endOnFailure: false, examples: [[tour]] },
  )
  expect([...seen].toSorted()).toStrictEqual(['approved', 'pending', 'rejected', 'removed'])
  for (const code of ['DISCOVERY_NOT_DISCOVERABLE', 'INVITES_DISABLED', 'DISCOVERY_ALREADY_APPLIED'])
    expect([...refused]).toContain(code)
}, 3_600_000)
