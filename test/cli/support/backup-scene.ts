import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import type { PostgresConnection } from '../../../adapters/postgres/database.ts'
import { deletionIsDue, erase } from '../../operations/support/erasure.ts'
import { accept, bodyOf, found, invite, type TestGuild } from '../../operations/support/answers.ts'
import { messagesPath, sent } from '../../operations/support/messages.ts'
import { movingImage, stillImage } from '../../operations/support/pictures.ts'
import { startEventStoreDouble } from '../../support/eventstoredb-double/double.ts'
import { threadsHeader, threadsOf } from '../../operations/support/threads.ts'
import {
  startTestGuildhall,
  type TestAccount,
  type TestAnswer,
  type TestGuildhall,
} from '../../support/test-guildhall.ts'
import { laidDatabase, testDatabase } from '../../support/test-database.ts'
import type { Ended } from './command-process.ts'
import { runHere } from './command-here.ts'
import { environmentOf } from './instance.ts'

/** Where an instance may be: an empty database, a folder, and perhaps stores of others. */
export interface Place {
  readonly connection: PostgresConnection
  readonly dataDir: string
  readonly rows: (statement: string) => Promise<readonly Record<string, unknown>[]>
  guildhall(...words: readonly string[]): Promise<Ended>
  /** The settings of its commands. */
  readonly environment: Readonly<Record<string, string>>
  serve(): Promise<TestGuildhall>
  close(): Promise<void>
}

export interface PlaceOptions {
  readonly personalDataKey?: Uint8Array
  readonly eventStoreUrl?: string
  readonly mediaUrl?: string
  /** Has every table already, as a source of backups: its first server needs not make them. */
  readonly isLaid?: boolean
}

export const placeKey = randomBytes(32)

/** Makes an empty place. */
export async function emptyPlace(options: PlaceOptions = {}): Promise<Place> {
  const { personalDataKey = placeKey, eventStoreUrl, mediaUrl, isLaid = false } = options
  const { connection, database, close } = await (isLaid ? laidDatabase() : testDatabase())
  const dataDir = await mkdtemp(path.join(tmpdir(), 'gh-place-'))
  const environment = {
    ...environmentOf(connection, personalDataKey, eventStoreUrl),
    DATA_DIR: dataDir,
    MEDIA_URL: mediaUrl ?? '',
  }
  const stores = { ...(eventStoreUrl !== undefined && { eventStoreUrl }), ...(mediaUrl !== undefined && { mediaUrl }) }
  const servers: TestGuildhall[] = []
  return {
    connection,
    dataDir,
    environment,
    rows: async (statement) => (await database.pool.query(statement)).rows,
    guildhall: (...words) => runHere(words, environment),
    async serve() {
      const server = await startTestGuildhall({ connection, dataDir, personalDataKey, ...stores })
      servers.push(server)
      return server
    },
    async close() {
      for (const server of servers) await server.close()
      await close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The same, until the end of the test. */
export async function placeOfTest(options?: PlaceOptions): Promise<Place> {
  const place = await emptyPlace(options)
  onTestFinished(() => place.close())
  return place
}

/** The option of a place with an EventStoreDB of its own, until the end of the test. */
export async function eventStoreOfTest(): Promise<PlaceOptions> {
  const double = await startEventStoreDouble()
  onTestFinished(() => double.close())
  return { eventStoreUrl: double.url }
}

/** A guild with people, messages, images and an invite, and the traces of an erased account. */
export interface BackupScene {
  readonly ada: TestAccount
  readonly brian: TestAccount
  readonly erased: TestAccount
  readonly guild: TestGuild
  readonly code: string
  readonly thread: string
}

export async function playScene(server: TestGuildhall): Promise<BackupScene> {
  const [ada, brian, erased] = await Promise.all([server.register(), server.register(), server.register()])
  const guild = await found(server, ada)
  const code = await invite(server, ada, guild.channel)
  for (const each of [brian, erased]) bodyOf(await accept(server, each, code))
  for (const each of [ada, erased])
    bodyOf(await server.request('PATCH', '/v1/users/@me', { token: each.token, body: { avatar: await stillImage() } }))
  const icon = { icon: await movingImage() }
  bodyOf(await server.request('PATCH', `/v1/guilds/${guild.id}`, { token: ada.token, body: icon }))
  const first = await sent(server, ada, guild.channel, 'Grüße, with a "quote", a \\ and a\nsecond line 🎈')
  const gone = await sent(server, ada, guild.channel, 'Deleted before the backup')
  for (let index = 0; index < 5; index += 1) await sent(server, brian, guild.channel, `Number ${index}`)
  await sent(server, erased, guild.channel, 'From somebody who left for good')
  await server.request('DELETE', messagesPath(guild.channel, gone), { token: ada.token })
  const threads = threadsOf(server)
  const thread = String(bodyOf(await threads.startFrom(brian, guild.channel, first))['id'])
  bodyOf(await threads.write(ada, thread, 'In the thread'))
  await deletionIsDue(server, erased)
  await erase(server, erased)
  return { ada, brian, erased, guild, code, thread }
}

/** What people see of the scene over HTTP: the same before a backup and after its restore. */
export async function seenBy(server: TestGuildhall, scene: BackupScene): Promise<Readonly<Record<string, unknown>>> {
  const { ada, brian, erased, guild, code, thread } = scene
  const get = async (token: string, what: string): Promise<unknown> => {
    const { status, body } = await server.request('GET', what, { token, headers: threadsHeader })
    return { status, body }
  }
  const image = async (what: string): Promise<unknown> => {
    const response = await fetch(`${server.url}/media/${what}`)
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()).toString('base64') }
  }
  const me = await server.request('GET', '/v1/users/@me', { token: ada.token })
  const home = await server.request('GET', `/v1/guilds/${guild.id}`, { token: ada.token })
  return {
    me: me.body,
    home: home.body,
    messages: await get(brian.token, messagesPath(guild.channel)),
    inThread: await get(brian.token, messagesPath(thread)),
    threadItself: await get(brian.token, `/v1/channels/${thread}`),
    invite: await get(brian.token, `/v1/invites/${code}`),
    auditLog: auditLogIn(
      await server.request('GET', `/v1/guilds/${guild.id}/audit-logs`, { token: ada.token }),
      server,
    ),
    members: await get(brian.token, `/v1/guilds/${guild.id}/members`),
    erased: await get(brian.token, `/v1/users/${erased.id}`),
    erasedSession: await get(erased.token, '/v1/users/@me'),
    avatar: await image(`avatars/${ada.id}/${String(bodyOf(me)['avatar'])}`),
    icon: await image(`icons/${guild.id}/${String(bodyOf(home)['icon'])}`),
  }
}

/** The audit log, with its users in an order. Ids of entries follow from positions, which an EventStoreDB assigns itself. */
function auditLogIn(answer: TestAnswer, { store }: TestGuildhall): unknown {
  const { users, audit_log_entries: entries, ...others } = auditLog.parse(bodyOf(answer))
  const shown = store.stored.keepsPositions ? entries : entries.map((entry) => ({ ...entry, id: '' }))
  return { ...others, entries: shown, users: users.toSorted((one, other) => (one.id < other.id ? -1 : 1)) }
}

const auditLog = z.looseObject({
  users: z.array(z.looseObject({ id: z.string() })),
  audit_log_entries: z.array(z.looseObject({ id: z.string() })).min(3),
})

/** Signs in anew, with the password. */
export async function signsIn(server: TestGuildhall, { email, password }: TestAccount): Promise<number> {
  return (await server.request('POST', '/v1/auth/login', { body: { email, password } })).status
}
