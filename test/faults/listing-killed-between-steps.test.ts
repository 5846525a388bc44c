import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { streamName } from '../../domain/streams.js'
import {
  applyForDiscovery,
  call,
  createGuild,
  register,
  send,
  withdrawDiscovery,
  type Person,
} from '../support/load-api.js'
import { loadSite, type LoadSite } from '../support/load-site.js'
import { appendFeatures } from './append-features.js'
import { killAfterFirstAppend } from './kill-after-first-append.js'
import { divergentRows, finishedSteps, wholeHistory, withStore } from './store-checks.js'

const finished_ms_max = 20_000

let site: LoadSite

beforeAll(async () => {
  site = loadSite()
  await site.start()
})
afterAll(() => site.remove(), 30_000)

/** A guild that needs no review. */
async function verifiedGuild(): Promise<{ readonly owner: Person; readonly id: string }> {
  const { url } = site.product
  const owner = await call(url, register(`owner${randomUUID().slice(0, 8)}`))
  const { id } = await call(url, createGuild(owner, 'Listed'))
  await withStore(site.dataDir, ({ events }) => appendFeatures(events, id, ['VERIFIED']))
  return { owner, id }
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
      begin: () => send(site.product.url, applyForDiscovery(owner, id), randomUUID()),
      first: 'DiscoveryApplied',
      second: 'GuildFeaturesChanged',
    })
    await site.start()
    expect(await featuresOf(id)).toStrictEqual(['VERIFIED', 'DISCOVERABLE'])
    await killAfterFirstAppend(site, {
      begin: () => send(site.product.url, withdrawDiscovery(owner, id)),
      first: 'DiscoveryApplicationWithdrawn',
      second: 'GuildFeaturesChanged',
    })
    await site.start()
    expect(await featuresOf(id)).toStrictEqual(['VERIFIED'])
  }, 150_000)
})
