import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { spoolIn } from '../../../../adapters/media/attachments/spool.ts'
import { uploadsIn } from '../../../../adapters/media/attachments/uploads.ts'
import { attachmentForm, type ByteStore } from '../../../../adapters/media/byte-store.ts'
import { fileStore } from '../../../../adapters/media/file-store.ts'
import { s3Store } from '../../../../adapters/media/s3-store.ts'
import { openDatabase } from '../../../../adapters/postgres/database.ts'
import type { Upload } from '../../../../application/ports/uploads.ts'
import { accountId, attachmentId, channelId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { migratedDatabase } from '../../../support/test-database.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { startObjectStorage } from '../support/object-storage.ts'

const { connection, close } = await migratedDatabase()
const database = openDatabase(connection, { connections_max: 2, onError: () => undefined })
afterAll(async () => {
  await database.close()
  await close()
})
beforeEach(() => database.pool.query('truncate messages.uploads, messages.attachments'))

const holder = { channelId: channelId(snowflake('1')), accountId: accountId(snowflake('2')), holder: 'bot' }
const uploadOf = (id: string, size_bytes: number, part_bytes: number | null): Upload => ({
  ...holder,
  id: attachmentId(snowflake(id)),
  filename: 'a.bin',
  size_bytes,
  part_bytes,
})
const fileId = (id: string) => attachmentId(snowflake(id))
const whole = (id: string) => ({ id: fileId(id), size_bytes: 3, hash: '00' })
const keptRow = (id: string) =>
  database.pool.query(
    `insert into messages.attachments (id, channel_id, due_at) values ($1, 1, clock_timestamp() + interval '30 minutes')`,
    [id],
  )
const dueFiles = async (): Promise<readonly string[]> => {
  const { rows } = await database.pool.query<{ id: string }>(
    'select id from messages.attachments where due_at <= clock_timestamp() order by id',
  )
  return rows.map(({ id }) => id)
}
const letTimePass = () => database.pool.query(`update messages.uploads set due_at = due_at - interval '31 minutes'`)

async function s3(): Promise<ByteStore> {
  const { url } = await startObjectStorage()
  const store = s3Store(url, attachmentForm)
  onTestFinished(() => store.close())
  return store
}

describe.each([
  ['files', async () => fileStore(await temporaryFolder('uploads'), attachmentForm)],
  ['S3-compatible storage', s3],
] as const)('parts of uploads kept in %s', (_, open) => {
  it('are read one after another, whichever came first or again, and are gone with their upload', async () => {
    const store = await open()
    const uploads = uploadsIn(database, store)
    const spool = spoolIn(path.join(await temporaryFolder('spool'), 'received'))
    const received = async (bytes: Buffer) => {
      const file = await spool.receiveAsIs(Readable.from([bytes]), bytes.length)
      if (file === 'too large') throw new Error('It was too large')
      return file
    }
    const upload = uploadOf('10', 2500, 1000)
    const bytes = randomBytes(2500)
    await uploads.add([upload])
    expect(await uploads.keepPart(upload, 3, await received(bytes.subarray(2000)))).toBe('kept')
    expect(await uploads.keepPart(upload, 1, await received(randomBytes(1000)))).toBe('kept')
    expect(await uploads.keepPart(upload, 1, await received(bytes.subarray(0, 1000)))).toBe('kept')
    expect(await uploads.readParts(upload)).toBeUndefined()
    expect(await uploads.keepPart(upload, 2, await received(bytes.subarray(1000, 2000)))).toBe('kept')
    const parts = (await uploads.readParts(upload)) ?? []
    expect((await buffer(Readable.from(parts))).equals(bytes)).toBe(true)
    await letTimePass()
    expect(await uploads.keepPart(upload, 1, await received(bytes.subarray(0, 1000)))).toBe('gone')
    expect(await uploads.sweep()).toBe(1)
    for await (const page of store.list('uploads/')) expect(page).toStrictEqual([])
  })
})

describe('an upload', () => {
  const uploads = uploadsIn(database, fileStore('/nowhere', attachmentForm))
  const upload = uploadOf('20', 3, null)

  it('is what it became last, and the file before that goes', async () => {
    await uploads.add([upload])
    await uploads.add([upload])
    expect(await uploads.find(upload.id)).toMatchObject({ filename: 'a.bin', size_bytes: 3, file: null })
    await keptRow('21')
    await keptRow('22')
    expect(await uploads.finish(upload.id, whole('21'))).toBe('finished')
    expect(await uploads.finish(upload.id, whole('22'))).toBe('finished')
    expect((await uploads.find(upload.id))?.file).toStrictEqual(whole('22'))
    expect(await dueFiles()).toStrictEqual(['21'])
    expect(await uploads.spend([{ id: upload.id, file: { id: fileId('21') } }], holder, 'one')).toBe(false)
  })

  it('is spent by one command, however often, until that gives it back', async () => {
    const spent = [{ id: upload.id, file: { id: fileId('22') } }]
    await uploads.add([upload])
    await keptRow('22')
    await uploads.finish(upload.id, whole('22'))
    for (const other of [{ holder: 'session x' }, { accountId: accountId(snowflake('3')) }])
      expect(await uploads.spend(spent, { ...holder, ...other }, 'one')).toBe(false)
    expect(await uploads.spend(spent, holder, 'one')).toBe(true)
    expect(await uploads.spend(spent, holder, 'one')).toBe(true)
    expect(await uploads.spend(spent, holder, 'two')).toBe(false)
    expect(await uploads.find(upload.id)).toBeUndefined()
    expect((await uploads.find(upload.id, 'one'))?.file?.id).toBe('22')
    await keptRow('23')
    expect(await uploads.finish(upload.id, whole('23'))).toBe('gone')
    expect(await dueFiles()).toStrictEqual(['23'])
    await uploads.giveBack('one')
    expect(await uploads.spend(spent, holder, 'two')).toBe(true)
  })

  it('goes with its account, with the file that it became, unless a message has it', async () => {
    const taken = uploadOf('30', 3, null)
    await uploads.add([upload, taken])
    for (const [id, file] of [
      [upload.id, '22'],
      [taken.id, '32'],
    ] as const) {
      await keptRow(file)
      await uploads.finish(id, whole(file))
    }
    expect(await uploads.spend([{ id: taken.id, file: { id: fileId('32') } }], holder, 'one')).toBe(true)
    await uploads.forget(holder.accountId)
    expect(await uploads.find(upload.id)).toBeUndefined()
    expect(await dueFiles()).toStrictEqual(['22'])
  })
})
