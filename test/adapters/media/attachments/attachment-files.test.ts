import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { attachmentFiles } from '../../../../adapters/media/attachments/attachment-files.ts'
import { spoolIn } from '../../../../adapters/media/attachments/spool.ts'
import { attachmentFile } from '../../../../adapters/media/attachments/stored-at.ts'
import { attachmentForm, type ByteStore } from '../../../../adapters/media/byte-store.ts'
import { fileStore } from '../../../../adapters/media/file-store.ts'
import { openDatabase } from '../../../../adapters/postgres/database.ts'
import { attachmentId, channelId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { migratedDatabase } from '../../../support/test-database.ts'

const { connection, close } = await migratedDatabase()
const database = openDatabase(connection, { connections_max: 2, onError: () => undefined })
const folder = await mkdtemp(path.join(tmpdir(), 'gh-attachments-'))
afterAll(async () => {
  await database.close()
  await close()
  await rm(folder, { recursive: true, force: true })
})

const store = fileStore(path.join(folder, 'media'), attachmentForm)
const decoder = { look: async () => undefined, decode: async () => 'unreadable' as const, close: async () => undefined }
const filesOver = (kept: ByteStore) =>
  attachmentFiles({ database, store: kept, decoder, spool: spoolIn(path.join(folder, 'received')) })
const nameOf = (id: string) => ({ channelId: channelId(snowflake('1')), id: attachmentId(snowflake(id)) })
const rows = async (): Promise<number> => (await database.pool.query('select id from messages.attachments')).rows.length
const letTimePass = () =>
  database.pool.query(
    `update messages.attachments set due_at = due_at - interval '31 minutes' where due_at is not null`,
  )

async function* content(): AsyncGenerator<Buffer> {
  yield Buffer.from('content')
}

async function received(files: ReturnType<typeof filesOver>) {
  const file = await files.receive(content(), 100)
  if (file === 'too large') throw new Error('It was too large')
  return file
}

it('a kept file waits half an hour for its message, and goes then with its row', async () => {
  const files = filesOver(store)
  const name = nameOf('10')
  await files.keep(name, await received(files))
  expect(await readdir(path.join(folder, 'received'))).toStrictEqual([])
  expect(await files.sweep()).toBe(0)
  expect((await store.find(attachmentFile(name)))?.size_bytes).toBe(7)
  await letTimePass()
  expect(await files.sweep()).toBe(1)
  expect(await store.find(attachmentFile(name))).toBeUndefined()
  expect(await rows()).toBe(0)
})

it('a process that dies between the row and the file leaves nothing that the sweep does not find', async () => {
  const dying = filesOver({ ...store, putFile: () => Promise.reject(new Error('died')) })
  const name = nameOf('11')
  const file = await received(dying)
  await expect(dying.keep(name, file)).rejects.toThrow('died')
  await dying.discard(file)
  expect(await rows()).toBe(1)
  await letTimePass()
  expect(await filesOver(store).sweep()).toBe(1)
  expect(await rows()).toBe(0)
})

it('a process that dies between the removal of a file and of its row removes it once more', async () => {
  const files = filesOver(store)
  const name = nameOf('12')
  await files.keep(name, await received(files))
  await letTimePass()
  await store.removeFolder('attachments/1/12/')
  expect(await files.sweep()).toBe(1)
  expect(await rows()).toBe(0)
})

it('a file that a message has stays', async () => {
  const files = filesOver(store)
  const name = nameOf('13')
  await files.keep(name, await received(files))
  await database.pool.query('update messages.attachments set message_id = 5, due_at = null where id = 13')
  await letTimePass()
  expect(await files.sweep()).toBe(0)
  expect(await store.find(attachmentFile(name))).toBeDefined()
})
