import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accept, bodyOf, expectRefusal, found, invite, type TestGuild } from '../../operations/support/answers.ts'
import { chance, faultsSeed } from '../../support/load-random.ts'
import { natsIsMissing, natsSuite } from '../../support/nats-server.ts'
import { sharedServers } from '../../support/shared-servers.ts'
import { startTestGuildhall, type TestAccount, type TestGuildhall } from '../../support/test-guildhall.ts'

/**
 * What one API process has answered, another one knows at once: each caches what it reads, and hears of events by a way of its own.
 * READS=10000 plays as many rounds.
 */

/** How many pairs of accounts log out, leave or are deleted. */
const accounts = 8
const rounds = Number(process.env['READS'] ?? 300)
const lanes = 6
const seed = faultsSeed()

interface Lane {
  readonly owner: TestAccount
  readonly member: TestAccount
  readonly guild: TestGuild
}

describe.skipIf(natsIsMissing !== undefined)(natsSuite('what one API has answered'), () => {
  const closings: (() => Promise<unknown>)[] = []
  let apis: readonly [TestGuildhall, TestGuildhall]
  let first: TestGuildhall
  let limited: TestGuildhall
  let isLeading = true

  beforeAll(async () => {
    const shared = await sharedServers(closings)
    const open = async (options: Parameters<typeof startTestGuildhall>[0]): Promise<TestGuildhall> => {
      const opened = await startTestGuildhall({ ...shared, ...options })
      closings.push(async () => {
        if (opened !== first || isLeading) await opened.close()
      })
      return opened
    }
    first = await open({ roles: ['projector'] })
    await open({ roles: ['projector', 'worker', 'gateway'] })
    apis = [await open({ roles: ['api'] }), await open({ roles: ['api'] })]
    limited = await open({ roles: ['api'], rateLimits: true })
  })
  afterAll(async () => {
    for (const close of closings.toReversed()) await close()
  })

  /** For as long as the signal does not abort, the projector now and then has to wait for its rows. */
  async function hold(signal: AbortSignal): Promise<void> {
    const drawn = chance(seed)
    const client = await first.store.database.pool.connect()
    try {
      while (!signal.aborted) {
        await client.query('begin')
        await client.query(`lock table ${drawn.pick(['guilds.guilds', 'accounts.accounts'])} in exclusive mode`)
        await pause(drawn.between(20, 120))
        await client.query('commit')
        await pause(drawn.between(0, 200))
      }
    } finally {
      client.release()
    }
  }

  async function laneOf(): Promise<Lane> {
    const [owner, member] = [await apis[0].register(), await apis[1].register()]
    const guild = await found(apis[0], owner)
    bodyOf(await accept(apis[1], member, await invite(apis[0], owner, guild.channel)))
    return { owner, member, guild }
  }

  /** Writes at one, and reads at the other. */
  async function round({ owner, member, guild }: Lane, number: number): Promise<void> {
    const writer = apis[number % 2 === 0 ? 0 : 1]
    const reader = apis[number % 2 === 0 ? 1 : 0]
    const [path, name] = [`/v1/guilds/${guild.id}`, `Round ${number}`]
    // Both cache what is before.
    await Promise.all([reader, writer].map((each) => each.request('GET', path, { token: member.token })))
    if (number % 3 === 0) {
      const bio = `About ${number}`
      bodyOf(await writer.request('PATCH', '/v1/users/@me', { token: owner.token, body: { bio } }))
      expect(bodyOf(await reader.request('GET', '/v1/users/@me', { token: owner.token }))).toMatchObject({ bio })
      return
    }
    bodyOf(await writer.request('PATCH', path, { token: owner.token, body: { name } }))
    expect(bodyOf(await reader.request('GET', path, { token: member.token }))).toMatchObject({ name })
  }

  it(`is read at another at once, while the projector is slow, hangs, and moves (FAULTS_SEED=${seed})`, async () => {
    const all = await Promise.all(Array.from({ length: lanes }, laneOf))
    const stopping = new AbortController()
    const holding = hold(stopping.signal)
    const moves = Math.floor(rounds / lanes / 2)
    try {
      await Promise.all(
        all.map(async (lane, index) => {
          for (let number = 0; number < rounds / lanes; number += 1) {
            if (index === 0 && number === moves) {
              isLeading = false
              void first.close()
            }
            await round(lane, number)
          }
        }),
      )
    } finally {
      stopping.abort()
      await holding
    }
  })

  it('counts at another at once: who has logged out there, left there or been deleted there', async () => {
    for (let number = 0; number < accounts; number += 1) {
      const { owner, member, guild } = await laneOf()
      const path = `/v1/guilds/${guild.id}`
      for (const each of [member, owner]) bodyOf(await limited.request('GET', path, { token: each.token }))
      expect(
        (await apis[0].request('DELETE', `/v1/users/@me/guilds/${guild.id}`, { token: member.token })).status,
      ).toBe(204)
      expectRefusal(await limited.request('GET', path, { token: member.token }), 403, 'MISSING_PERMISSIONS')
      expect((await apis[1].request('POST', '/v1/auth/logout', { token: owner.token })).status).toBe(204)
      expectRefusal(await limited.request('GET', path, { token: owner.token }), 401, 'UNAUTHORIZED')
    }
  })
})
