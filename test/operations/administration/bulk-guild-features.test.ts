import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { administrator } from '../../support/administrators.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { found, type TestGuild } from '../support/answers.ts'
import { bulkJobsOn, recordedOf } from '../support/bulk-jobs.ts'
import { connections } from '../support/connected.ts'
import { applied, featuresOf, isListed } from '../support/discovery.ts'
import { openServer } from '../support/scene.ts'

const guildhall = await openServer()
const { connect, end } = connections()
afterEach(end)

let root: TestAccount
let ada: TestAccount
let home: TestGuild
let bulk: ReturnType<typeof bulkJobsOn>

beforeEach(async () => {
  ;[root, ada] = [await administrator(guildhall, '*'), await guildhall.register()]
  home = await found(guildhall, ada)
  bulk = bulkJobsOn(guildhall, root)
})

const wish = (ids: readonly string[], add: readonly string[], remove: readonly string[] = [], more: object = {}) => ({
  task: 'update_guild_features',
  guild_ids: ids,
  add_features: add,
  remove_features: remove,
  ...more,
})
const entries = () => recordedOf(guildhall, root)

describe('Queue bulk job: update_guild_features', () => {
  it('gives guilds the features that they cannot toggle, and tells their members', async () => {
    const before = await featuresOf(guildhall, home.id)
    const { client } = await connect(guildhall, ada)
    const job = await bulk.done(wish([home.id, '7'], ['VERIFIED', 'VANITY_URL', 'BANNER'], ['ANIMATED_ICON']))
    expect(job).toMatchObject({
      payload: { count: 2, add_features: 'VERIFIED,VANITY_URL,BANNER', remove_features: 'ANIMATED_ICON' },
      result: {
        changed: 1,
        failed: 1,
        items: [
          { id: home.id, outcome: 'changed', code: null },
          { id: '7', outcome: 'failed', code: 'UNKNOWN_GUILD' },
        ],
      },
    })
    const after = [...before.filter((feature) => feature !== 'ANIMATED_ICON'), 'VERIFIED', 'VANITY_URL']
    expect(await featuresOf(guildhall, home.id)).toStrictEqual(after)
    expect((await client.dispatch('GUILD_UPDATE')).d).toMatchObject({
      id: home.id,
      features: expect.arrayContaining(['VERIFIED']),
    })
    expect(await bulk.done(wish([home.id], ['VERIFIED']))).toMatchObject({ result: { changed: 0, unchanged: 1 } })
  })

  it('leaves an entry for each guild and one for the job', async () => {
    const { job_id: id } = await bulk.done(wish([home.id, '7'], ['PARTNERED'], ['BANNER']))
    const features = (await featuresOf(guildhall, home.id)).join(',')
    expect(await entries()).toMatchObject([
      { action: 'queue_bulk_job', targetId: id, metadata: { task: 'update_guild_features', entity_count: '2' } },
      {
        action: 'update_features',
        targetType: 'guild',
        targetId: home.id,
        metadata: { add_features: 'PARTNERED', remove_features: 'BANNER', new_features: features },
      },
      { action: 'bulk_update_guild_features', targetType: 'bulk_job', targetId: id },
    ])
  })

  it('does not tell the guild which administrator did it', async () => {
    await bulk.done(wish([home.id], ['VERIFIED']), { 'X-Audit-Log-Reason': 'between us' })
    const log = await guildhall.request('GET', `/v1/guilds/${home.id}/audit-logs`, { token: ada.token })
    expect(JSON.stringify(log.body)).not.toContain(root.id)
    expect(JSON.stringify(log.body)).not.toContain('between us')
  })

  it('approves the application with DISCOVERABLE, and removes it with that', async () => {
    const guild = await applied(guildhall, ada)
    const dry = await bulk.done(wish([guild.id, home.id], ['DISCOVERABLE'], [], { dry_run: true }))
    expect(await isListed(guildhall, guild.id)).toStrictEqual([false, false])
    const job = await bulk.done(wish([guild.id, home.id], ['DISCOVERABLE']))
    expect(job['result']).toStrictEqual(dry['result'])
    expect(job['result']).toMatchObject({
      items: [
        { id: guild.id, outcome: 'changed', code: null },
        { id: home.id, outcome: 'failed', code: 'DISCOVERY_APPLICATION_NOT_FOUND' },
      ],
    })
    expect(await isListed(guildhall, guild.id)).toStrictEqual([true, true])
    const removed = await bulk.done(wish([guild.id, home.id], ['DISCOVERABLE'], ['DISCOVERABLE']))
    expect(removed).toMatchObject({ result: { changed: 1, unchanged: 1, failed: 0 } })
    expect(await isListed(guildhall, guild.id)).toStrictEqual([false, false])
  })
})
