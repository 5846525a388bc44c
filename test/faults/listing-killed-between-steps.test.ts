import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuid7 } from '../../application/commands/derive-id.js'
import type { GuildEvent } from '../../domain/guild/events.js'
import type { GuildFeature } from '../../domain/guild/features.js'
import { guildId } from '../../domain/ids/ids.js'
import { snowflake } from '../../domain/ids/snowflake.js'
import { timestamp } from '../../domain/kernel/timestamp.js'
import { streamName } from '../../domain/streams.js'
import type { Store } from '../../cli/store.js'
import { call, createGuild, register, send, type ApiRequest, type Person } from '../support/load-api.js'
import { loadSite, type LoadSite } from '../support/load-site.js'
import { killAfterFirstAppend } from './kill-after-first-append.js'
import { divergentRows, finishedSteps, wholeHistory, withStore } from './store-checks.js'

const finished_ms_max = 20_000

let site: LoadSite

beforeAll(async () => {
  site = loadSite()
  await site.start()
})
afterAll(() => site.remove(), 30_000)

const directory = (method: 'POST' | 'DELETE', { token }: Person, id: string): ApiRequest => ({
  method,
  path: `/v1/guilds/${id}/discovery`,
  token,
  ...(method === 'POST' ? { body: { description: 'A place for chess', category_type: 0 } } : {}),
  parse: () => undefined,
})

/** A guild that needs no review. */
async function verifiedGuild(): Promise<{ readonly owner: Person; readonly id: string }> {
  const { url } = site.product
  const owner = await call(url, register(`owner${randomUUID().slice(0, 8)}`))
  const { id } = await call(url, createGuild(owner, 'Listed'))
  await withStore(site.dataDir, (store) => appendFeatures(store, id, ['VERIFIED']))
  return { owner, id }
}

/** Changes the guild's features, as another process of the product would. */
async function appendFeatures({ events }: Store, id: string, features: readonly GuildFeature[]): Promise<void> {
  const stream = streamName('guild', id)
  let revision = -1
  for await (const page of events.readStream(stream, -1)) revision = page.at(-1)?.revision ?? revision
  const changed: GuildEvent = {
    type: 'GuildFeaturesChanged',
    data: { guildId: guildId(snowflake(id)), features },
  }
  const eventId = uuid7(Date.now(), randomBytes(10))
  const actor = { kind: 'system', name: 'test' } as const
  const metadata = { eventId, at: timestamp(Date.now()), actor, correlationId: eventId, causationId: eventId }
  expect((await events.append(stream, revision, [{ ...changed, metadata }])).outcome).toBe('appended')
}

/** The features of the guild after everything that was begun is finished. */
async function featuresOf(id: string): Promise<readonly string[]> {
  return withStore(site.dataDir, async (store) => {
    expect(await finishedSteps(store, finished_ms_max)).toMatchObject({ left: 0 })
    expect(await divergentRows(store)).toEqual([])
    const changes = (await wholeHistory(store)).filter(
      ({ type, stream }) => type === 'GuildFeaturesChanged' && stream === streamName('guild', id),
    )
    const last: object | undefined = changes.at(-1)?.data
    return last && 'features' in last ? (last.features as readonly string[]) : []
  })
}

describe('a process that is killed between a decision about the directory and the guild', () => {
  it('lists the guild after its restart, and takes it out after the next one', async () => {
    const { owner, id } = await verifiedGuild()
    await killAfterFirstAppend(site, {
      begin: () => send(site.product.url, directory('POST', owner, id), randomUUID()),
      first: 'DiscoveryApplied',
      second: 'GuildFeaturesChanged',
    })
    await site.start()
    expect(await featuresOf(id)).toStrictEqual(['VERIFIED', 'DISCOVERABLE'])
    await killAfterFirstAppend(site, {
      begin: () => send(site.product.url, directory('DELETE', owner, id)),
      first: 'DiscoveryApplicationWithdrawn',
      second: 'GuildFeaturesChanged',
    })
    await site.start()
    expect(await featuresOf(id)).toStrictEqual(['VERIFIED'])
  }, 150_000)
})
