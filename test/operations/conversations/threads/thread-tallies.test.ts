import { afterEach, describe, expect, it } from 'vitest'
import type { Client } from '../../../gateway/support/client.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { addBot, newApplication } from '../../support/applications.ts'
import { connections } from '../../support/connected.ts'
import { setFeatures } from '../../support/guilds.ts'
import { placeOf, type Place } from '../../support/members.ts'
import { threadsOf } from '../../support/threads.ts'
import { openServer } from '../../support/scene.ts'

let brian: TestAccount
let home: Place
let id: string
const { connect, end } = connections()

const guildhall = await openServer()
const ada = await guildhall.register()
const threads = threadsOf(guildhall)
afterEach(end)

/** A client of a member who has joined a thread before two messages were written there. */
async function listening(): Promise<Client> {
  home = await placeOf(guildhall, ada)
  brian = await home.member()
  id = await threads.started(brian, home.channel)
  const { client } = await connect(guildhall, brian, { flags: 4 })
  await writeTwo(client)
  return client
}

async function writeTwo(client: Client): Promise<void> {
  for (let count = 0; count < 2; count += 1) {
    await threads.write(ada, id)
    await client.dispatch('MESSAGE_CREATE')
  }
}

const counted = { message_count: 2, total_message_sent: 2 }

describe('the counts of a thread', () => {
  it('are current in THREAD_CREATE when the thread becomes visible again', async () => {
    const client = await listening()
    await threads.deny(ada, home.id, home.channel, 'VIEW_CHANNEL')
    await client.dispatch('THREAD_DELETE')
    await threads.deny(ada, home.id, home.channel)
    expect((await client.dispatch('THREAD_CREATE')).d).toMatchObject({ id, ...counted })
  })

  it('are current in THREAD_CREATE for a new moderator of threads', async () => {
    home = await placeOf(guildhall, ada)
    id = await threads.started(ada, home.channel, { type: 12 })
    const bot = await newApplication(guildhall, ada)
    await addBot(guildhall, bot, home)
    const { client } = await connect(guildhall, { token: bot.botToken })
    await client.dispatch('GUILD_CREATE')
    for (let count = 0; count < 2; count += 1) await threads.write(ada, id)
    await threads.empower(ada, home.id, bot.id, 'MANAGE_THREADS')
    expect((await client.dispatch('THREAD_CREATE')).d).toMatchObject({ id, ...counted })
  })

  it('are current in the GUILD_CREATE of a guild that is available again', async () => {
    const client = await listening()
    await setFeatures(guildhall, home.id, 'UNAVAILABLE_FOR_EVERYONE')
    await client.dispatch('GUILD_DELETE')
    await setFeatures(guildhall, home.id)
    expect((await client.dispatch('GUILD_CREATE')).d).toMatchObject({ id: home.id, threads: [{ id, ...counted }] })
  })

  it('are current in GUILD_SYNC', async () => {
    const client = await listening()
    client.send(14, { subscriptions: { [home.id]: { sync: true } } })
    expect((await client.dispatch('GUILD_SYNC')).d).toMatchObject({ id: home.id, threads: [{ id, ...counted }] })
  })
})
