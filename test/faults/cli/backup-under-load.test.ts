import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { withResolvers } from '../../adapters/reservations/counted.ts'
import { bodyOf, found, listOf, type TestGuild } from '../../operations/support/answers.ts'
import { deletionIsDue, erase } from '../../operations/support/erasure.ts'
import { sent } from '../../operations/support/messages.ts'
import type { TestAccount, TestGuildhall } from '../../support/test-guildhall.ts'
import { eventStoreOfTest, placeOfTest, type Place } from '../../cli/support/backup-scene.ts'
import { isLong } from '../../support/fault-table.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const pause_ms = 20
/** How many backups are made while the instance writes, one after another. */
const backups_count = isLong ? 2 : 1
let folder: string
beforeEach(async () => {
  folder = await temporaryFolder('backup')
})

/**
 * Writes, with short pauses, until it is stopped: messages, channels that come and go with theirs, and accounts that are erased.
 * `erasedOne` is settled once the first account is erased.
 */
function load(server: TestGuildhall, ada: TestAccount, { id, channel }: TestGuild) {
  let isStopped = false
  const firstErasure = withResolvers()
  const again = async (act: () => Promise<unknown>): Promise<void> => {
    while (!isStopped) {
      await act()
      await sleep(pause_ms)
    }
  }
  const { token } = ada
  const message = (): Promise<unknown> => sent(server, ada, channel, 'A message')
  const passingChannel = async (): Promise<void> => {
    const body = { name: 'passing', type: 0 }
    const made = String(bodyOf(await server.request('POST', `/v1/guilds/${id}/channels`, { token, body }))['id'])
    await sent(server, ada, made, 'In a channel that goes')
    await server.request('DELETE', `/v1/channels/${made}`, { token })
  }
  const passingAccount = async (): Promise<void> => {
    const passing = await server.register()
    const own = await found(server, passing)
    await sent(server, passing, own.channel, 'From somebody who leaves')
    await server.request('POST', `/v1/guilds/${own.id}/delete`, {
      token: passing.token,
      body: { password: passing.password },
    })
    await deletionIsDue(server, passing)
    await erase(server, passing)
    firstErasure.resolve()
  }
  const done = Promise.all([message, passingChannel, passingAccount].map(again))
  return {
    erasedOne: () => Promise.race([firstErasure.promise, done]),
    stop: async (): Promise<void> => {
      isStopped = true
      await done
    },
  }
}

describe.each([
  ['Postgres', async () => ({})],
  ['EventStoreDB', eventStoreOfTest],
] as const)('a backup of an instance on %s that writes meanwhile', (_, optionsOf) => {
  it('is one instant of both stores: what it lacks or has too much of is what a crash leaves, and is finished', async () => {
    const source = await placeOfTest({ ...(await optionsOf()), isLaid: true })
    const server = await source.serve()
    const ada = await server.register()
    const guild = await found(server, ada)
    const { erasedOne, stop } = load(server, ada, guild)
    const backups = Array.from({ length: backups_count }, (_none, index) => path.join(folder, `backup-${index}`))
    try {
      await erasedOne()
      for (const backup of backups) expect(await source.guildhall('backup', backup)).toMatchObject({ code: 0 })
    } finally {
      await stop()
    }
    for (const backup of backups) {
      const target = await placeOfTest(await optionsOf())
      expect(await target.guildhall('restore', backup)).toMatchObject({ code: 0 })
      const restored = await target.serve()
      await expectErasuresWhole(target, restored)
      // Messages of removed channels go, as after a crash.
      const living = async (): Promise<ReadonlySet<string>> => {
        const channels = await restored.request('GET', `/v1/guilds/${guild.id}/channels`, { token: ada.token })
        return new Set(listOf(channels).map((each) => String(each['id'])))
      }
      const known = await living()
      const ofChannels = `select distinct channel_id::text as id from messages.messages
        where guild_id = ${guild.id} and author_id = ${ada.id}`
      await expect
        .poll(async () => (await target.rows(ofChannels)).filter(({ id }) => !known.has(String(id))))
        .toStrictEqual([])
      expect(await target.guildhall('verify')).toMatchObject({ code: 0 })
    }
  })
})

/** An account is erased in history if nothing of it is left, and only one whose erasure has begun lacks its key. */
async function expectErasuresWhole(target: Place, { store }: TestGuildhall): Promise<void> {
  const [begun, erased] = [new Set<string>(), new Set<string>()]
  for await (const page of store.events.readAll(-1n)) {
    for (const { type, stream } of page) {
      const id = stream.slice('account-'.length)
      if (type === 'AccountErasureStarted') begun.add(id)
      if (type === 'AccountErased') erased.add(id)
    }
  }
  const ids = async (query: string): Promise<readonly string[]> =>
    (await target.rows(query)).map(({ id }) => String(id))
  const withKeys = await ids('select account_id as id from personal_data.keys where wrapped_key is not null')
  const withoutKeys = await ids('select account_id as id from personal_data.keys where wrapped_key is null')
  const authors = await ids('select distinct author_id as id from messages.messages')
  expect(begun.size).toBeGreaterThan(0)
  expect(withKeys.filter((id) => erased.has(id))).toStrictEqual([])
  expect(authors.filter((id) => erased.has(id))).toStrictEqual([])
  expect(withoutKeys.filter((id) => !begun.has(id))).toStrictEqual([])
}
