import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readModels } from '../../../projections/read-models.ts'
import { rebuildAll } from '../../../projections/runner/rebuild.ts'
import { startEventStoreServer, type EventStoreServer } from '../../support/event-store-server.ts'
import { noteFault } from '../../support/fault-table.ts'
import { call, createGuild, createInvite, getGuild, type FoundedGuild } from '../../support/load-api.ts'
import { natsIsMissing, natsSuite, startNatsServer, type NatsServer } from '../../support/nats-server.ts'
import { laidDatabase, type TestDatabase } from '../../support/test-database.ts'
import { startTestGuildhall, type TestAccount, type TestGuildhall } from '../../support/test-guildhall.ts'
import { watchAs } from '../network/watching-session.ts'
import { divergentRows } from '../store-checks.ts'
import { appendForeign } from './append-stored.ts'
import { paced } from '../../support/pace.ts'

const visible_s_max = 5
const inviteCreated = z.object({ code: z.string() })

/** The code of the new invite that a dispatch announces. */
const inviteIn = (t: string, d: unknown): string | undefined =>
  t === 'INVITE_CREATE' ? inviteCreated.parse(d).code : undefined

/** A server that can be restarted on its data, and two new guilds with one owner for each test. */
interface Scene {
  readonly database: TestDatabase
  readonly eventStore: EventStoreServer | undefined
  readonly nats: NatsServer | undefined
  readonly key: Uint8Array
  /** The distinct messages of the errors that were logged since the guilds were created. */
  readonly alarms: string[]
  server: TestGuildhall
  readonly owner: TestAccount
  guilds: Guilds
}

interface Guilds {
  readonly poisoned: FoundedGuild
  readonly healthy: FoundedGuild
  /** The end of the history just after the guilds were created. */
  readonly madeAt: bigint
}

const kinds = [
  { row: 'F20a', kind: 'Postgres' },
  { row: 'F20b', kind: 'EventStoreDB' },
  { row: 'F20c', kind: 'EventStoreDB, over NATS' },
] as const

for (const { row, kind } of kinds) {
  const needsNats = kind === 'EventStoreDB, over NATS'
  const name = `a poison event in ${kind}`
  describe.skipIf(needsNats && natsIsMissing !== undefined)(needsNats ? natsSuite(name) : name, () => {
    let the: Scene

    beforeAll(async () => {
      the = await scene(kind)
    })

    beforeEach(async () => {
      the.guilds = await newGuilds(the)
      the.alarms.length = 0
    })

    afterAll(async () => {
      await the.server.close()
      await the.nats?.stop()
      await the.eventStore?.stop()
      await the.database.close()
    })

    it('is parked with its stream; all other streams go on, an alarm is raised, and live rows equal rebuilt ones', async () => {
      const session = watchAs(the.owner, {
        gatewayUrl: () => `${the.server.url.replace('http', 'ws')}/gateway`,
        factIn: inviteIn,
      })
      await session.ready
      const began = performance.now()
      await poison(the)
      // Every caller reads its own writes. So an answer means that the projector has passed the events before it.
      const { url } = the.server
      const { code } = await call(
        url,
        createInvite(the.owner, the.guilds.healthy.textChannel, { max_uses: 0, max_age: 60 }),
      )
      await expect.poll(() => session.lives.flatMap(({ facts }) => facts)).toStrictEqual([code])
      const stuck_s = (performance.now() - began) / 1000
      session.close()
      const other = await the.server.register()
      await call(url, createGuild(other, 'Untouched'))
      const divergent = await divergentRows(the.server.store)
      const parked = await parkedPositions(the)
      const found = { lost: 0, repeated: 0, reordered: 0, divergent: divergent.length }
      const note = `${parked.length} parked, ${the.alarms.length} alarms`
      noteFault(row, { title: `Poison events in ${kind}`, runs: 2, ...found, stuck_s, note })
      expect(divergent).toStrictEqual([])
      expect(parked).toHaveLength(2)
      expect(the.alarms).toStrictEqual([
        expect.stringContaining(`nothing of guild-${the.guilds.poisoned.id} is projected from position`),
        expect.stringContaining(
          `nothing of membership-${the.guilds.poisoned.id}-${the.owner.id} is projected from position`,
        ),
      ])
      expect(stuck_s).toBeLessThan(paced(visible_s_max))
    })

    it('makes commands on its stream fail, but not those on others; what was visible stays visible', async () => {
      await poison(the)
      expect(await deleteGuild(the, the.guilds.poisoned.id)).toMatchObject({
        status: 500,
        body: { code: 'INTERNAL_SERVER_ERROR' },
      })
      expect(await call(the.server.url, getGuild(the.owner, the.guilds.poisoned.id))).toMatchObject({
        id: the.guilds.poisoned.id,
      })
      expect(await deleteGuild(the, the.guilds.healthy.id)).toMatchObject({ status: 204 })
    })

    it('prevents no server from starting', async () => {
      await poison(the)
      await restart(the)
      expect(await call(the.server.url, getGuild(the.owner, the.guilds.healthy.id))).toMatchObject({
        id: the.guilds.healthy.id,
      })
      expect(await deleteGuild(the, the.guilds.poisoned.id)).toMatchObject({ status: 500 })
      expect(await divergentRows(the.server.store)).toStrictEqual([])
    })
  })
}

describe('a poison event that is repaired', () => {
  let the: Scene

  beforeEach(async () => {
    the = await scene('Postgres')
    await poison(the)
    const { url } = the.server
    await call(url, createInvite(the.owner, the.guilds.healthy.textChannel, { max_uses: 0, max_age: 60 }))
    const { pool } = the.database.database
    const features = JSON.stringify({ guildId: the.guilds.poisoned.id, features: ['BANNER'] })
    await pool.query(
      `update event_store.events set type = 'GuildFeaturesChanged', data = $1 where type = 'GuildBlessed'`,
      [features],
    )
    const joining = { guildId: the.guilds.poisoned.id, accountId: the.owner.id, roles: [] }
    await pool.query(`update event_store.events set data = $1 where type = 'MemberRolesChanged'`, [
      JSON.stringify(joining),
    ])
  })

  afterEach(async () => {
    await the.server.close()
    await the.database.close()
  })

  it('is projected after a restart if it could not be read before, and after a replay in any case', async () => {
    await restart(the)
    await expect.poll(() => parkedPositions(the, 'unreadable')).toStrictEqual([])
    const { store } = the.server
    const { pool } = store.database
    await rebuildAll({ pool, store: store.events, projections: readModels, signal: new AbortController().signal })
    expect(await parkedPositions(the)).toStrictEqual([])
    expect(await divergentRows(store)).toStrictEqual([])
    expect(await deleteGuild(the, the.guilds.poisoned.id)).toMatchObject({ status: 204 })
    expect(await divergentRows(store)).toStrictEqual([])
  })
})

async function scene(kind: (typeof kinds)[number]['kind']): Promise<Scene> {
  const database = await laidDatabase()
  const eventStore = kind === 'Postgres' ? undefined : await startEventStoreServer()
  const nats = kind === 'EventStoreDB, over NATS' ? await startNatsServer() : undefined
  const key = randomBytes(32)
  const alarms: string[] = []
  const server = await start({ database, eventStore, nats, key, alarms })
  const owner = await server.register()
  const guilds = await newGuilds({ server, owner })
  return { database, eventStore, nats, key, alarms, server, owner, guilds }
}

async function newGuilds({ server, owner }: Pick<Scene, 'server' | 'owner'>): Promise<Guilds> {
  const made = async (name: string): Promise<FoundedGuild> => {
    const { id } = await call(server.url, createGuild(owner, name))
    return call(server.url, getGuild(owner, id))
  }
  const [poisoned, healthy] = [await made('Poisoned'), await made('Healthy')]
  return { poisoned, healthy, madeAt: await server.store.events.end() }
}

type Around = Pick<Scene, 'database' | 'eventStore' | 'nats' | 'key'>

function start({ database, eventStore, nats, key, alarms }: Around & { readonly alarms: string[] }) {
  const write = (line: string): void => {
    const { level, err } = JSON.parse(line) as { readonly level: number; readonly err?: { readonly message: string } }
    if (level >= 50 && err?.message.includes('is projected from')) alarms.push(err.message)
  }
  return startTestGuildhall({
    connection: database.connection,
    personalDataKey: key,
    logger: pino({ level: 'error' }, { write }),
    ...(eventStore ? { eventStoreUrl: eventStore.url } : {}),
    ...(nats ? { natsServers: [nats.url] } : {}),
  })
}

async function restart(the: Scene): Promise<void> {
  await the.server.close()
  the.server = await start({ ...the, alarms: [] })
}

/** Appends an event of an unknown type to the stream of a guild, and one without its members to the stream of a membership. */
async function poison({ server, guilds: { poisoned }, owner }: Scene): Promise<void> {
  const { stored } = server.store
  await appendForeign(stored, {
    stream: `guild-${poisoned.id}`,
    type: 'GuildBlessed',
    data: { guildId: poisoned.id },
  })
  await appendForeign(stored, {
    stream: `membership-${poisoned.id}-${owner.id}`,
    type: 'MemberRolesChanged',
    data: { guildId: poisoned.id, roles: 'all' },
  })
}

function deleteGuild({ server, owner }: Scene, id: string) {
  const { token, password } = owner
  return server.request('POST', `/v1/guilds/${id}/delete`, { token, body: { password } })
}

/** Parked positions that lie after the creation of the guilds. */
async function parkedPositions({ database, guilds }: Scene, cause = '%'): Promise<readonly string[]> {
  const { rows } = await database.database.pool.query<{ position: string }>(
    `select distinct position from read_models.parked
     where cause like $1 and position > $2 and schema in (select name from read_models.checkpoints) order by position`,
    [cause, guilds.madeAt],
  )
  return rows.map(({ position }) => position)
}
