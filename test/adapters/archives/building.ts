import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'
import { packZip } from '../../../adapters/archives/pack-zip.ts'
import { postgresArchives } from '../../../adapters/archives/postgres-archives.ts'
import { postgresArchiveWork } from '../../../adapters/archives/postgres-archive-work.ts'
import { archiveFilesIn, archiveForm } from '../../../adapters/media/archive-files.ts'
import { fileStore } from '../../../adapters/media/file-store.ts'
import { openDatabase } from '../../../adapters/postgres/database.ts'
import type { ArchiveBuilding } from '../../../application/identity/archives/build-archive.ts'
import type { AuthoredMessages, NewArchive } from '../../../application/ports/archives.ts'
import type { Message } from '../../../application/ports/messages.ts'
import { messageTypes } from '../../../domain/messages/message-types.ts'
import { accountId, archiveId, channelId, messageId, type AccountId, type ArchiveId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { migratedDatabase } from '../../support/test-database.ts'
import type { TestGuildhall } from '../../support/test-guildhall.ts'
import { noParts } from '../../../domain/messages/parts.ts'

const channels = ['10', '20', '30']
const messages_count = 600

/** Texts that hardly shrink: the archive has more than one part. */
const texts = Array.from({ length: messages_count }, () => randomBytes(3000).toString('base64'))

/** The messages of an author: as many in each channel. */
export const writtenTexts: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  channels.map((channel, index) => [channel, texts.filter((_, number) => number % channels.length === index)]),
)

const authored: AuthoredMessages = {
  channelsOf: async (_, after) =>
    after === undefined ? channels.map((id) => ({ channelId: channelId(snowflake(id)), guildId: null })) : [],
  page: async (author, channel, { after }, limit) => {
    const from = after === undefined ? 0 : Number(after) + 1
    return (writtenTexts[channel] ?? []).slice(from, from + limit).map((content, index): Message => ({
      id: messageId(snowflake(String(from + index))),
      channelId: channel,
      guildId: null,
      authorId: author,
      type: messageTypes.default,
      flags: 0,
      content,
      editedAt: null,
      tts: false,
      mentionsEveryone: false,
      mentionsHere: false,
      mentions: [],
      mentionRoles: [],
      reference: null,
      ...noParts,
    }))
  },
}

let ids = 1000

/** Archives in a database of their own, which no worker of a server looks at, and files in a folder of their own. */
export async function openBuilding({ ports, store }: TestGuildhall) {
  const { connection, close } = await migratedDatabase()
  const database = openDatabase(connection, { connections_max: 2, onError: () => undefined })
  const folder = await mkdtemp(path.join(tmpdir(), 'guildhall-archives-'))
  afterAll(async () => {
    await database.close()
    await close()
    await rm(folder, { recursive: true, force: true })
  })
  const files = archiveFilesIn(fileStore(folder, archiveForm), store.keys, randomBytes(32))
  const archives = postgresArchives(database, files)
  const work = postgresArchiveWork(database, files)
  const building: ArchiveBuilding = {
    ports: { ...ports, archives },
    work,
    files,
    authored,
    readImage: async () => undefined,
    readFile: async () => undefined,
    pack: packZip,
    now: () => timestamp(Date.now()),
  }
  return {
    archives,
    files,
    work,
    building,
    database,
    async ask({ id }: { readonly id: string }, wishes: Partial<NewArchive> = {}): Promise<ArchiveId> {
      const account: AccountId = accountId(snowflake(id))
      const asked = archiveId(snowflake(String(++ids)))
      await archives.add({
        archiveId: asked,
        subject: { type: 'user', id: account },
        origin: 'holder',
        requestedBy: account,
        includesAttachments: true,
        filter: null,
        requestedAt: timestamp(Date.now()),
        expiresAt: null,
        ...wishes,
      })
      return asked
    },
    /** Changes rows of archives, as time does. */
    change: (text: string) => database.pool.query(`update archives.archives set ${text}`),
    /** The files of all archives, by path. */
    async stored(): Promise<readonly string[]> {
      const found = await readdir(folder, { recursive: true, withFileTypes: true })
      return found.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
    },
  }
}

/** All bytes of an archive. */
export async function bytesOf(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const piece of bytes) pieces.push(piece)
  return Buffer.concat(pieces)
}
