import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '../../process/roles/role.ts'
import { natsIsMissing, natsSuite, startNatsServer } from '../support/nats-server.ts'
import { countStatements, hearStatements, type Asked } from '../support/statements.ts'
import { testDatabase } from '../support/test-database.ts'
import {
  startTestGuildhall,
  type TestAccount,
  type TestGuildhall,
  type TestOptions,
} from '../support/test-guildhall.ts'
import { accept, bodyOf, found, invite, type TestGuild } from './support/answers.ts'

/** The cost of a request: statements, and the commits among them. */
interface Cost {
  readonly statements: number
  readonly commits: number
}

const table = new URL('../../docs/request-costs.md', import.meta.url)
const row =
  /^\| (?<name>[A-Z][^|]*?) +\| +(?<alone>\d+) +\| +(?<aloneCommits>\d+) +\| +(?<roles>\d+) +\| +(?<rolesCommits>\d+) +\|/gm

/** The numbers in docs/request-costs.md for each operation, in one layout. */
async function written(layout: 'alone' | 'roles'): Promise<ReadonlyMap<string, Cost>> {
  const text = await readFile(table, 'utf8')
  return new Map(
    [...text.matchAll(row)].map(({ groups = {} }) => [
      groups['name'] ?? '',
      { statements: Number(groups[layout]), commits: Number(groups[`${layout}Commits`]) },
    ]),
  )
}

/** Statements that write. */
const writes = /append_events|admission\.reserve|\b(?:insert into|update|delete from)\b/
/** Rate limits are in a table that a crash empties: their commits do not wait for the disk. */
const waitsForNoDisk = /rate_limits\./
/** Sent after the answer, together with that of others. */
const afterTheAnswer = /admission\.give_up/

function costOf(asked: Asked): Cost {
  const statements = asked.statements.filter((text) => !afterTheAnswer.test(text))
  let inTransaction = false
  let commits = 0
  for (const text of statements) {
    if (text === 'begin') inTransaction = true
    else if (text === 'commit') commits += 1
    else if (!inTransaction && writes.test(text) && !waitsForNoDisk.test(text)) commits += 1
    if (text === 'commit' || text === 'rollback') inTransaction = false
  }
  return { statements: statements.length, commits }
}

/** The ten operations as a client sends them, each on its own things, which are cached already. */
function operations(guildhall: TestGuildhall, ada: TestAccount, brian: TestAccount, home: TestGuild) {
  const { request } = guildhall
  const asked = (method: string, path: string, who: TestAccount, body?: object) => async (): Promise<void> => {
    const { status, headers } = await request(method, path, { token: who.token, ...(body ? { body } : {}) })
    // On a quick machine, one account asks more in a second than it may. The request after the wait is the one that is counted.
    if (status === 429) {
      await pause(Number(headers.get('retry-after')) * 1000)
      return asked(method, path, who, body)()
    }
    expect({ path, status }).toStrictEqual({ path, status: 200 })
  }
  let names = 0
  let code = ''
  const newcomers: TestAccount[] = []
  return {
    prepare: async () => {
      code = await invite(guildhall, ada, home.channel)
      for (let count = 0; count < tries_max; count += 1) newcomers.push(await guildhall.register())
    },
    all: {
      'Get current user': asked('GET', '/v1/users/@me', brian),
      'List current user guilds': asked('GET', '/v1/users/@me/guilds', brian),
      'Get guild': asked('GET', `/v1/guilds/${home.id}`, brian),
      'List guild channels': asked('GET', `/v1/guilds/${home.id}/channels`, brian),
      'Send message': asked('POST', `/v1/channels/${home.channel}/messages`, brian, { content: 'hello' }),
      'List messages': asked('GET', `/v1/channels/${home.channel}/messages?limit=50`, brian),
      'Create channel invite': asked('POST', `/v1/channels/${home.channel}/invites`, brian, { unique: true }),
      'Get invite': async () => asked('GET', `/v1/invites/${code}`, brian)(),
      'Accept invite': async () => {
        const newcomer = newcomers.pop()
        if (newcomer) expect((await accept(guildhall, newcomer, code)).status).toBe(200)
      },
      'Modify guild': async () => asked('PATCH', `/v1/guilds/${home.id}`, ada, { name: `Home ${(names += 1)}` })(),
    } as Readonly<Record<string, () => Promise<void>>>,
  }
}

/**
 * The first try fills the caches. A busy machine only adds: a look at how far the read models are, a reading of what could not be
 * cached meanwhile. A statement that is shared with background work saves one, now and then; so the lowest cost counts that was seen twice.
 * Where nearly every try is added to, there are more of them, until one has cost twice what is written, or none of so many has.
 */
const tries = 7
const tries_max = 25
const quiet_ms = 50

/** The cheapest try whose cost another one had too. */
function usual(taken: readonly Asked[]): Asked | undefined {
  const costs = taken.map(costOf)
  const isUsual = (_: Asked, index: number): boolean =>
    costs.some((cost, other) => other !== index && isDeepStrictEqual(cost, costs[index]))
  return taken.filter(isUsual).toSorted((one, other) => costOf(one).statements - costOf(other).statements)[0]
}

/**
 * A process that has just started still has work to do. This is also how long it is watched: timers may be late, but never early.
 */
const settling_ms = 6000
const stretches = 3
const idle_s = 20

/** Resolves once what the try before has set off is over: the read models hold it, and for a moment nothing was sent on its account. */
async function settled({ readModels, store }: TestGuildhall, { beside }: { beside(): number }): Promise<void> {
  for (;;) {
    await readModels.reached(await store.events.end())
    const before = beside()
    await pause(quiet_ms)
    if (beside() === before) return
  }
}

async function measured(
  guildhall: TestGuildhall,
  expected: ReadonlyMap<string, Cost>,
): Promise<ReadonlyMap<string, Cost>> {
  const [ada, brian] = [await guildhall.register(), await guildhall.register()]
  const home = await found(guildhall, ada)
  bodyOf(await accept(guildhall, brian, await invite(guildhall, ada, home.channel)))
  const { prepare, all } = operations(guildhall, ada, brian, home)
  await prepare()
  const counting = countStatements()
  try {
    const costs = new Map<string, Cost>()
    for (const [name, send] of Object.entries(all)) {
      const taken: Asked[] = []
      let asked: Asked | undefined
      const isAsWritten = (): boolean => asked !== undefined && isDeepStrictEqual(costOf(asked), expected.get(name))
      while (taken.length < tries || (taken.length < tries_max && !isAsWritten())) {
        await settled(guildhall, counting)
        await send()
        taken.push(counting.newest())
        asked = usual(taken)
      }
      if (asked) costs.set(name, costOf(asked))
      if (asked && process.env['SHOW_STATEMENTS'])
        process.stdout.write(`${name}\n${asked.statements.map((text) => `  ${text.slice(0, 140)}\n`).join('')}`)
    }
    return costs
  } finally {
    counting.stop()
  }
}

const closings: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closings.toReversed()) await close()
})

async function start(options: TestOptions): Promise<TestGuildhall> {
  const guildhall = await startTestGuildhall({ rateLimits: true, ...options })
  closings.push(() => guildhall.close())
  return guildhall
}

describe('an idle process', () => {
  it('sends Postgres no more statements than docs/request-costs.md says', async () => {
    const most = Number(/asks at most (\d+) statements a second/.exec(await readFile(table, 'utf8'))?.[1])
    const sentTo = new Map<string | undefined, number>()
    // From before the start on: connections that hold locks keep the function with which they send. By database, because the worker may
    // have another server.
    const stopHearing = hearStatements((_, database) => sentTo.set(database, (sentTo.get(database) ?? 0) + 1))
    const guildhall = await startTestGuildhall({ rateLimits: true })
    const sent = (): number => sentTo.get(guildhall.store.database.pool.options.database) ?? 0
    await pause(settling_ms)
    /** A stretch of time into which many looks fell that are rarer than it is long says too much. */
    const inStretch = async (): Promise<number> => {
      const before = sent()
      await pause(idle_s * 1000)
      return (sent() - before) / idle_s
    }
    try {
      let least = await inStretch()
      for (let stretch = 1; stretch < stretches && least > most; stretch += 1)
        least = Math.min(least, await inStretch())
      // The beats alone are one.
      expect(least).toBeGreaterThan(1.5)
      expect(least).toBeLessThanOrEqual(most)
    } finally {
      stopHearing()
      await guildhall.close()
    }
  })
})

describe('a request costs Postgres exactly what docs/request-costs.md says', () => {
  it('in a process that does everything', async () => {
    const expected = await written('alone')
    expect(await measured(await start({}), expected)).toStrictEqual(expected)
  })
  describe.skipIf(natsIsMissing !== undefined)(natsSuite('over roles'), () => {
    let api: TestGuildhall
    beforeAll(async () => {
      const { connection, close } = await testDatabase()
      closings.push(close)
      const nats = await startNatsServer()
      closings.push(() => nats.stop())
      const shared = { connection, personalDataKey: randomBytes(32), natsServers: [nats.url] }
      const others: readonly Role[] = ['projector', 'gateway', 'worker']
      await start({ ...shared, roles: others })
      api = await start({ ...shared, roles: ['api'] })
    })
    it('in an API process', async () => {
      const expected = await written('roles')
      expect(await measured(api, expected)).toStrictEqual(expected)
    })
  })
})
