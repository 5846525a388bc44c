import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { NatsConnection } from '@nats-io/transport-node'
import { connectNats } from '../../../adapters/bus/nats/connect.ts'
import { natsSignals } from '../../../adapters/bus/nats/nats-signals.ts'
import type { Signals } from '../../../application/ports/signals.ts'
import { presenceDirectory, type PresenceDirectory } from '../../../application/presence/presence-directory.ts'
import { relationshipTypes } from '../../../domain/relationship/relationship-types.ts'
import { presenceExchange } from '../../../application/presence/presence-exchange.ts'
import { processClock, tick_ms, type GatewayClock } from '../../../gateway/ticker.ts'
import { natsIsMissing, natsSuite, startNatsServer, type NatsServer } from '../../support/nats-server.ts'
import type { Client } from '../support/client.ts'
import { identifyOf, joined, start } from '../support/facts.ts'
import { openStage, type Account, type Place, type Stage } from '../support/stage.ts'

/** Presence is told and forgotten four times as fast as it is otherwise. */
const pace = 4
const clock: GatewayClock = {
  ...processClock,
  every: (period_ms, task) => processClock.every(period_ms / pace, task),
}

describe.skipIf(natsIsMissing)(natsSuite('Presence of two Gateways over NATS'), () => {
  let server: NatsServer
  let connections: NatsConnection[]
  let errors: unknown[]
  let stages: Stage[]
  let directory: PresenceDirectory
  /** They are the same at both Gateways, which use the same numbers. */
  let accounts: Account[]
  let home: Place
  let isLost: (payload: Readonly<Record<string, unknown>>) => boolean

  beforeEach(async () => {
    server = await startNatsServer()
    ;[connections, errors, stages, isLost] = [[], [], [], () => false]
    stages = [await openMember(), await openMember()]
    for (const stage of stages) [accounts, home] = peopled(stage)
    directory = presenceDirectory({ signals: await signals(), clock, onError })
    await directory.ready
  })
  afterEach(async () => {
    directory.stop()
    await Promise.all(stages.map((stage) => stage.end()))
    await Promise.all(connections.map((connection) => connection.close()))
    await server.stop()
    expect(errors).toStrictEqual([])
  })

  const onError = (error: unknown): void => void errors.push(error)

  async function signals(): Promise<Signals> {
    const connection = await connectNats({ servers: [server.url], name: 'test' })
    connections.push(connection)
    const honest = natsSignals({ connection, onError })
    return {
      ...honest,
      publish: (kind, payload) => {
        if (!isLost(payload)) honest.publish(kind, payload)
      },
    }
  }

  async function openMember(): Promise<Stage> {
    const gatewayId = randomBytes(16).toString('hex')
    const shared = { clock, personalDataKey: new Uint8Array(32), onError }
    const exchange = presenceExchange({ signals: await signals(), gatewayId, ...shared })
    return openStage({ presenceExchange: exchange })
  }

  /** Three accounts and a bot in one guild. */
  function peopled(stage: Stage): [Account[], Place] {
    const [ada, grace, hedy] = [stage.account(), stage.account(), stage.account()]
    const place = stage.found(ada)
    const bot = stage.account({ bot: true })
    stage.happen(...[grace, hedy, bot].map(({ id }) => joined(place.id, id)))
    return [[ada, grace, hedy, bot], place]
  }

  const identify = (at: 0 | 1, who: number, more?: object): Promise<Client> =>
    the(stages[at]).identify(the(accounts[who]), more)

  const counts = async (): Promise<readonly (number | undefined)[]> => {
    const presences = [...stages.map(({ gateway }) => gateway.presence), directory]
    return Promise.all(presences.map(async (one) => (await one.onlineCounts([home.id])).get(home.id)))
  }

  it('counts every account of the guild once, and says so to clients of either Gateway', async () => {
    const ada = await identify(0, 0)
    await identify(0, 1)
    await identify(1, 1)
    await identify(1, 2, { presence: { status: 'invisible' } })
    await expect.poll(counts).toStrictEqual([2, 2, 2])
    const visible = await identify(1, 2)
    await expect.poll(counts).toStrictEqual([3, 3, 3])
    ada.send(15, { guild_ids: [home.id] })
    const answer = await ada.dispatch('GUILD_COUNTS_UPDATE')
    expect(answer.d).toStrictEqual({ counts: [{ guild_id: home.id, member_count: 4, online_count: 3 }] })
    const ready = visible.payloads.find(({ t }) => t === 'READY')
    expect(ready?.d['guilds']).toMatchObject([{ online_count: 3 }])
  })

  it('knows at every process who is present, as soon as a client has its READY', async () => {
    await identify(0, 0)
    const other = the(stages[1]).gateway.presence
    expect(await directory.isPresent(the(accounts[0]).id)).toBe(true)
    expect(await other.isPresent(the(accounts[0]).id)).toBe(true)
    expect(await directory.isPresent(the(accounts[1]).id)).toBe(false)
    expect(await other.isPresent(the(accounts[1]).id)).toBe(false)
  })

  it('forgets the accounts of a Gateway that died silently', async () => {
    await identify(0, 0)
    await identify(1, 0)
    await identify(1, 1)
    await expect.poll(counts).toStrictEqual([2, 2, 2])
    const killedAt = performance.now()
    await connections[1]?.close()
    const left = async (): Promise<unknown> => [(await counts())[0], (await counts())[2], directory.gateways]
    await expect.poll(left).toStrictEqual([1, 1, 1])
    expect(performance.now() - killedAt).toBeGreaterThan(4000 / pace)
  })

  it('forgets those of a draining Gateway as soon as its clients are gone', async () => {
    await identify(0, 0)
    await identify(1, 1)
    await expect.poll(counts).toStrictEqual([2, 2, 2])
    await the(stages[1]).gateway.drain()
    await expect.poll(async () => (await counts())[2]).toBe(1)
    await expect.poll(async () => (await counts())[0]).toBe(1)
    expect(directory.gateways).toBe(1)
  })

  it('notices a lost signal, and is right again within a few seconds', async () => {
    await identify(0, 0)
    await expect.poll(counts).toStrictEqual([1, 1, 1])
    let lost = 0
    isLost = ({ type }) => type === 'change' && ++lost > 0
    await identify(1, 1)
    await expect.poll(() => lost).toBeGreaterThan(0)
    isLost = () => false
    expect(await counts()).toStrictEqual([1, 2, 1])
    await expect.poll(counts).toStrictEqual([2, 2, 2])
  })

  it('is right again soon after an outage of NATS, also about what changed meanwhile', async () => {
    await identify(0, 0)
    await identify(1, 1)
    await expect.poll(counts).toStrictEqual([2, 2, 2])
    await server.kill()
    await identify(1, 2)
    await expect.poll(async () => (await counts())[1]).toBe(3)
    await server.restart()
    await expect.poll(counts).toStrictEqual([3, 3, 3])
  })

  it('tells friends, subscribers and bots at one Gateway who is at the other, all sessions together', async () => {
    const [ada, grace] = [the(accounts[0]), the(accounts[1])]
    const friend = { ownerId: ada.id, otherId: grace.id, type: relationshipTypes.friend, since: start, nickname: null }
    the(stages[0]).models.relationships.set(ada.id, [friend])
    const [follower, bot, grace1] = [await identify(0, 0), await identify(0, 3), await identify(1, 1)]
    follower.send(14, { subscriptions: { [home.id]: { members: [grace.id] } } })
    const told = ({ dispatches }: Client): readonly unknown[] => {
      the(stages[0]).clock.advance(tick_ms)
      const presences = dispatches.filter(({ t, d }) => t === 'PRESENCE_UPDATE' && idIn(d) === grace.id)
      return presences.map(({ d }) => [d['guild_id'], d['status']])
    }
    const toldOf = async (...statuses: readonly string[]): Promise<void> => {
      const all = statuses.flatMap((status) => [
        [undefined, status],
        [home.id, status],
      ])
      await expect.poll(() => told(follower)).toStrictEqual(all)
      await expect.poll(() => told(bot)).toStrictEqual(statuses.map((status) => [home.id, status]))
    }
    await toldOf('online')
    const here = await identify(0, 1, { presence: { status: 'dnd' } })
    await toldOf('online', 'dnd')
    grace1.send(3, { status: 'idle' })
    await toldOf('online', 'dnd')
    await expect.poll(() => told(here) && JSON.stringify(here.dispatches)).toContain('"idle"')
    here.send(3, { status: 'invisible' })
    await toldOf('online', 'dnd', 'idle')
    grace1.send(3, { status: 'idle', custom_status: { text: 'busy' } })
    await toldOf('online', 'dnd', 'idle', 'idle')
    expect(follower.dispatches.at(-1)?.d).toMatchObject({ status: 'idle', custom_status: { text: 'busy' } })
    grace1.send(3, { status: 'invisible' })
    await toldOf('online', 'dnd', 'idle', 'idle', 'offline')
    expect(told(grace1)).toStrictEqual([])
    const another = await identify(1, 1)
    await toldOf('online', 'dnd', 'idle', 'idle', 'offline', 'online')
    const ready = (await identify(0, 0)).payloads.find(({ t }) => t === 'READY')
    expect(ready?.d['presences']).toMatchObject([{ user: { id: grace.id }, status: 'online' }])
    expect(told(another)).toStrictEqual([])
  })

  it('leaves a session with the Gateway that keeps it: elsewhere a Resume is refused, and the client may identify', async () => {
    const client = await identify(0, 0)
    const elsewhere = await the(stages[1]).resume(the(accounts[0]), client.sessionId, client.sequence)
    expect(await elsewhere.op(9)).toStrictEqual({ op: 9, d: false })
    elsewhere.send(2, identifyOf(the(accounts[0])))
    await elsewhere.dispatch('READY')
    await expect.poll(counts).toStrictEqual([1, 1, 1])
  })
})

const idIn = ({ user }: Readonly<Record<string, unknown>>): unknown => (user as { readonly id: string }).id

function the<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw new Error('it is not there')
  return thing
}
