import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import type { Caller } from '../../application/caller.ts'
import { alphanumeric } from '../../application/commands/random-text.ts'
import { createChannelInvite } from '../../application/communities/invites/create-channel-invite.ts'
import { beforeAll } from '../../domain/kernel/position.ts'
import { channelId, guildId, inviteCode, type InviteCode } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { found, type TestGuild } from '../operations/support/answers.ts'
import { customCodesOn, setFeatures } from '../operations/support/custom-codes.ts'
import { callerOf } from '../support/caller-of.ts'
import { chance, faultsSeed, type Chance } from '../support/load-random.ts'
import { natsIsMissing, natsSuite } from '../support/nats-server.ts'
import { sharedServers } from '../support/shared-servers.ts'
import { testContext } from '../support/test-context.ts'
import {
  startTestGuildhall,
  type TestAccount,
  type TestGuildhall,
  type TestOptions,
} from '../support/test-guildhall.ts'

/**
 * A random code that a guild claims at the same time: never do both stand, though who draws it asks a cache. RACES=1000 runs as
 * many.
 */

const races = Number(process.env['RACES'] ?? 32)
const lanes = 4
const forgotten_ms = 60
const seed = faultsSeed()
const wishes = { maxUses: 0, maxAge: 0, unique: true, temporary: false }

/** An owner with a guild for invites and one for custom codes. */
interface Lane {
  readonly owner: TestAccount
  readonly place: TestGuild
  readonly claimer: TestGuild
}

interface Codes {
  readonly drawn: InviteCode
  readonly custom: InviteCode
}

/** Two codes that differ by case alone. */
function nextCodes(drawing: Chance): Codes {
  const custom = `r${randomBytes(4).toString('hex').slice(1)}`
  const mixed = Array.from(custom.slice(1), (one) => (drawing.next() < 0.5 ? one : one.toUpperCase())).join('')
  return { drawn: inviteCode(`R${mixed}`), custom: inviteCode(custom) }
}

/** The account's caller, who draws this code first. */
async function drawerOf(guildhall: TestGuildhall, owner: TestAccount, code: InviteCode): Promise<Caller> {
  const caller = await callerOf(guildhall, owner)
  let isFirst = true
  const draw = (count: number): Uint8Array => {
    if (!isFirst) return randomBytes(count)
    isFirst = false
    return Uint8Array.from(code, (one) => alphanumeric.indexOf(one))
  }
  return { ...caller, context: Object.assign(caller.context, { randomBytes: draw }) }
}

async function invited(guildhall: TestGuildhall, { owner, place }: Lane, code: InviteCode): Promise<string> {
  const caller = await drawerOf(guildhall, owner, code)
  const made = await createChannelInvite(guildhall.ports)(caller, channelId(snowflake(place.channel)), wishes)
  return made.code
}

/** The claim of a process that dies before its guild names the code. */
async function claimed({ ports }: TestGuildhall, { claimer }: Lane, code: InviteCode): Promise<void> {
  const claiming = { type: 'ClaimCustomCode', code, guildId: guildId(snowflake(claimer.id)) } as const
  await ports.aggregates.invite.execute(code, claiming, testContext())
}

async function chosen(guildhall: TestGuildhall, { owner, claimer }: Lane, code: InviteCode): Promise<void> {
  const { status } = await customCodesOn(() => guildhall).choose(owner, claimer.id, code)
  expect([200, 400]).toContain(status)
}

/** By their streams, an invite and a claim never both stand: either may have seen the other, and then it gave way. */
async function expectOne({ ports }: TestGuildhall, { drawn, custom }: Codes): Promise<void> {
  const { invite } = ports.aggregates
  const [made, held] = [(await invite.load(drawn)).state, (await invite.load(custom)).state]
  if (held.status !== 'custom') throw new Error(`${custom} was not claimed`)
  if (held.guildId !== null) expect(made).toStrictEqual({ status: 'deleted' })
}

async function race(drawing: TestGuildhall, claiming: TestGuildhall, lane: Lane, chosenBy: Chance): Promise<void> {
  const codes = nextCodes(chosenBy)
  const { drawn, custom } = codes
  const claim = chosenBy.next() < 0.3 ? claimed : chosen
  const how = chosenBy.pick(['claim first', 'invite first', 'at once', 'at once'])
  if (how === 'claim first') {
    await claim(claiming, lane, custom)
    expect(await invited(drawing, lane, drawn)).not.toBe(drawn)
  } else if (how === 'invite first') {
    expect(await invited(drawing, lane, drawn)).toBe(drawn)
    await chosen(claiming, lane, custom)
  } else {
    const late = async (ms: number, act: () => Promise<unknown>): Promise<unknown> => pause(ms).then(act)
    await Promise.all([
      late(chosenBy.between(0, 6), () => invited(drawing, lane, drawn)),
      late(chosenBy.between(0, 6), () => chosen(claiming, lane, custom)),
    ])
  }
  await expectOne(drawing, codes)
}

/** As long as the signal does not abort, caches are lost now and then, and the projector has to wait for its rows. */
async function disturb({ store }: TestGuildhall, signal: AbortSignal): Promise<void> {
  const drawn = chance(seed)
  const client = await store.database.pool.connect()
  try {
    while (!signal.aborted) {
      await client.query(
        `begin; lock table ${drawn.pick(['invites.custom_urls', 'unfinished.steps'])} in exclusive mode`,
      )
      await pause(drawn.between(0, 30))
      await client.query("select pg_notify('guildhall_read_models', 'swapped'); commit")
      await pause(drawn.between(0, forgotten_ms))
    }
  } finally {
    client.release()
  }
}

async function laneOn(guildhall: TestGuildhall): Promise<Lane> {
  const owner = await guildhall.register()
  const [place, claimer] = [await found(guildhall, owner), await found(guildhall, owner)]
  await setFeatures(guildhall, claimer.id, 'VANITY_URL')
  return { owner, place, claimer }
}

/** Runs races on all lanes. The two processes may be one. */
async function raceOn(one: TestGuildhall, other: TestGuildhall): Promise<void> {
  const all = await Promise.all(Array.from({ length: lanes }, () => laneOn(one)))
  const ended = await Promise.allSettled(
    all.map(async (lane, index) => {
      const chosenBy = chance(seed).fork(index)
      for (let count = 0; count < races / lanes; count += 1)
        await (count % 2 === 0 ? race(one, other, lane, chosenBy) : race(other, one, lane, chosenBy))
    }),
  )
  for (const lane of ended) if (lane.status === 'rejected') throw lane.reason
}

async function expectCached(guildhall: TestGuildhall): Promise<void> {
  const { drawn, custom } = nextCodes(chance(seed))
  const lane = await laneOn(guildhall)
  await invited(guildhall, lane, drawn)
  const { invites } = guildhall.ports.queries
  expect(await invites.mayBeCustom(custom, beforeAll)).toBe(false)
}

const closings: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closings.toReversed()) await close()
})

async function start(options: TestOptions): Promise<TestGuildhall> {
  const guildhall = await startTestGuildhall(options)
  closings.push(() => guildhall.close())
  return guildhall
}

async function raceDisturbed(one: TestGuildhall, other: TestGuildhall): Promise<void> {
  const stopping = new AbortController()
  const disturbing = disturb(one, stopping.signal)
  try {
    await raceOn(one, other)
  } finally {
    stopping.abort()
    await disturbing
  }
}

describe('of a random code and a claim that differ by case alone, one gives way', () => {
  it(`in a process that does everything (FAULTS_SEED=${seed})`, async () => {
    const guildhall = await start({})
    await expectCached(guildhall)
    await raceOn(guildhall, guildhall)
    await raceDisturbed(guildhall, guildhall)
    await expectCached(guildhall)
  })
  describe.skipIf(natsIsMissing !== undefined)(natsSuite('over roles'), () => {
    it(`drawn at one API and claimed at another (FAULTS_SEED=${seed})`, async () => {
      const shared = await sharedServers(closings)
      await start({ ...shared, roles: ['projector', 'worker', 'gateway'] })
      const [one, other] = [await start({ ...shared, roles: ['api'] }), await start({ ...shared, roles: ['api'] })]
      for (const api of [one, other]) await expectCached(api)
      await raceOn(one, other)
      await raceDisturbed(one, other)
      for (const api of [one, other]) await expectCached(api)
    })
  })
})
