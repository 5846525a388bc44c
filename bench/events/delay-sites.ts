import { randomUUID } from 'node:crypto'
import { streamNameFilter } from '@eventstore/db-client'
import type pg from 'pg'
import { z } from 'zod'
import { findRunningPostgres } from '../../adapters/postgres/embedded/start.ts'
import { openDatabase, type PostgresConnection } from '../../adapters/postgres/database.ts'
import { noStream } from '../../domain/kernel/position.ts'
import { closingList, type ClosingList } from '../../process/closing-list.ts'
import { personalDataKey } from '../../cli/personal-data-key.ts'
import { openStore } from '../../process/store.ts'
import { accountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { readModels } from '../../projections/read-models.ts'
import { watchReadModels } from '../../projections/runner/watcher.ts'
import { startCluster } from '../../test/support/cluster/start-cluster.ts'
import { call, createGuild, createInvite, getGuild, register, send } from '../../test/support/load-api.ts'
import { startProduct } from '../../test/support/product-process.ts'
import { identify, openReadySession } from '../gateway/ready-session.ts'
import { portOf } from '../lines/http-site.ts'
import { openPool } from '../support/pool.ts'
import { scratch } from '../support/scratch.ts'
import { inviteCreated, type InvitePlace } from './invite-created.ts'
import { rawEventStoreDb } from './raw-eventstoredb.ts'

/** A running product, and the paths of one event through it. Each resolves when the event has arrived. */
export interface DelaySite {
  readonly name: string
  /** To the read models. */
  readonly visible: () => Promise<void>
  /** To a Gateway session. */
  readonly dispatch: () => Promise<void>
  /**
   * Create channel invite over HTTP; undefined where the server sheds the request, as it does where more come than it can answer
   * (decision 184).
   */
  readonly command: () => Promise<CommandTimes | undefined>
  /** From one bare client of the store to another. */
  readonly follow: () => Promise<void>
  close(): Promise<void>
}

/** How long after its sending a request is answered, and a Gateway session has the dispatch that follows from it. */
export interface CommandTimes {
  readonly answered_ms: number
  readonly dispatched_ms: number
}

const onError = (error: unknown): void => console.error(error)

/** Everything in one process, with the events in its embedded Postgres. */
export async function openEmbeddedSite(): Promise<DelaySite> {
  const closings = closingList()
  const place = scratch()
  closings.add(async () => place.remove())
  const product = await startProduct({ dataDir: place.folder })
  closings.add(() => product.stop())
  const connection = await findRunningPostgres(`${place.folder}/postgres`)
  if (!connection) throw new Error('The Postgres of the product is not to be found')
  const key = await personalDataKey(undefined, place.folder)
  const ways = await openWays({ api: product.url, gateway: product.url, connection, key, closings })
  const pool = openPool(connection, 4)
  closings.add(() => pool.end())
  return { name: 'one process', ...ways, follow: await notified(pool, closings), close: () => closings.close() }
}

/** Each role in a process of its own, with the events in EventStoreDB or its double. */
export async function openDistributedSite(): Promise<DelaySite> {
  const closings = closingList()
  const cluster = await startCluster({ apis: 1, gateways: 1, projectors: 1, workers: 0, eventStore: 'eventstoredb' })
  closings.add(() => cluster.close())
  const [api, gateway] = [cluster.running('api')[0]?.url, cluster.running('gateway')[0]?.url]
  const eventStoreUrl = cluster.eventStore?.url
  if (api === undefined || gateway === undefined || eventStoreUrl === undefined) throw new Error('A process is missing')
  const { connection, personalDataKey: key } = cluster
  const ways = await openWays({ api, gateway, connection, key, eventStoreUrl, closings })
  return {
    name: 'distributed',
    ...ways,
    follow: await subscribed(eventStoreUrl, closings),
    close: () => closings.close(),
  }
}

interface Surroundings {
  readonly api: string
  readonly gateway: string
  readonly connection: PostgresConnection
  readonly key: Uint8Array
  readonly eventStoreUrl?: string
  readonly closings: ClosingList
}

/** Each has space for 1000 invites. */
const guilds_count = 20
const shed_status = 503
let commands_count = 0

async function openWays(site: Surroundings): Promise<Pick<DelaySite, 'visible' | 'dispatch' | 'command'>> {
  const { api, gateway, connection, key, eventStoreUrl, closings } = site
  const store = await openStore({ connection, personalDataKey: key, eventStoreUrl, onError })
  closings.add(() => store.close())
  const database = openDatabase(connection)
  closings.add(() => database.close())
  const watcher = watchReadModels({ pool: database.pool, notifier: store.notifier, projections: readModels, onError })
  closings.add(async () => watcher.stop())
  const owner = await call(api, register('delay'))
  const { id, textChannel } = await call(api, getGuild(owner, (await call(api, createGuild(owner, 'Delay'))).id))
  const place = { guildId: snowflake(id), channelId: snowflake(textChannel), inviterId: accountId(snowflake(owner.id)) }
  // In separate guilds: appends that bypass the API have no limits, and would leave no space.
  const channels: string[] = []
  for (let count = 0; count < guilds_count; count += 1) {
    const founded = await call(api, createGuild(owner, `Delay ${count}`))
    channels.push((await call(api, getGuild(owner, founded.id))).textChannel)
  }
  const heard = await openHearing(gateway, owner.token, closings)
  const append = async (): Promise<bigint> => appendTo(place, store.events)
  return {
    visible: async () => watcher.reached(await append()),
    async dispatch() {
      const { stream, event } = inviteCreated(place)
      const arrived = heard.once(stream.slice('invite-'.length))
      await store.events.append(stream, noStream, [event])
      await arrived
    },
    async command() {
      const turn = (commands_count += 1)
      const create = createInvite(owner, channels[turn % channels.length] ?? textChannel, {
        max_uses: 10,
        max_age: 86_400,
      })
      const sent = performance.now()
      const { status, body } = await send(api, create)
      const answered_ms = performance.now() - sent
      if (status === shed_status) return undefined
      if (status !== 200) throw new Error(`Create channel invite: ${status} ${JSON.stringify(body)}`)
      return { answered_ms, dispatched_ms: (await heard.once(create.parse(body).code)) - sent }
    },
  }
}

async function appendTo(place: InvitePlace, events: Pick<Awaited<ReturnType<typeof openStore>>['events'], 'append'>) {
  const { stream, event } = inviteCreated(place)
  const result = await events.append(stream, noStream, [event])
  if (result.outcome === 'conflict') throw new Error(`${stream} was there already`)
  return result.position
}

/** Resolves once the expected value is noted, also if it was noted before, with the time at which it was. */
function expected() {
  const waiting = new Map<string, (at_ms: number) => void>()
  const early = new Map<string, number>()
  return {
    note(name: string): void {
      const resolve = waiting.get(name)
      waiting.delete(name)
      if (resolve) resolve(performance.now())
      else early.set(name, performance.now())
    },
    once(name: string): Promise<number> {
      const at_ms = early.get(name)
      early.delete(name)
      return at_ms === undefined ? new Promise((resolve) => waiting.set(name, resolve)) : Promise.resolve(at_ms)
    },
  }
}

const dispatched = z.object({ t: z.string().nullish(), d: z.unknown().optional() })
const withCode = z.object({ code: z.string() })

/** A session that notes the codes of invites from its dispatches. */
async function openHearing(gateway: string, token: string, closings: ClosingList) {
  const heard = expected()
  const { session } = await openReadySession({ port: portOf(gateway) }, identify(token), (payload) => {
    const { t, d } = dispatched.parse(JSON.parse(payload.toString()))
    if (t === 'INVITE_CREATE') heard.note(withCode.parse(d).code)
  })
  closings.add(async () => session.close())
  return heard
}

const channel = 'bench_delay'

/** A plain INSERT with a NOTIFY in one statement, until another connection has the notification. */
async function notified(pool: pg.Pool, closings: ClosingList): Promise<() => Promise<void>> {
  const heard = expected()
  await pool.query('create schema bench; create table bench.events (id uuid primary key, body jsonb not null)')
  const listener = await pool.connect()
  closings.add(async () => listener.release(true))
  listener.on('notification', ({ payload }) => heard.note(payload ?? ''))
  await listener.query(`listen ${channel}`)
  const text = `with written as (insert into bench.events values ($1, $2) returning id) select pg_notify('${channel}', id::text) from written`
  return async () => {
    const id = randomUUID()
    const arrived = heard.once(id)
    await pool.query({ name: 'delay', text, values: [id, JSON.stringify(inviteCreated().event)] })
    await arrived
  }
}

const prefix = 'bench-'

/** An append of the bare client, until another client's subscription has it. */
async function subscribed(url: string, closings: ClosingList): Promise<() => Promise<void>> {
  const [writer, reader] = [rawEventStoreDb(url), rawEventStoreDb(url)]
  const heard = expected()
  const subscription = reader.client.subscribeToAll({
    fromPosition: 'end',
    filter: streamNameFilter({ prefixes: [prefix] }),
  })
  subscription.on('data', ({ event }) => event && heard.note(event.streamId))
  await new Promise((resolve) => subscription.once('confirmation', resolve))
  closings.add(async () => {
    await subscription.unsubscribe()
    await Promise.all([writer.close(), reader.close()])
  })
  return async () => {
    const event = inviteCreated()
    const arrived = heard.once(`${prefix}${event.stream}`)
    await writer.append(event, prefix)
    await arrived
  }
}
