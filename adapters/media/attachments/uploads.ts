import type { Readable } from 'node:stream'
import { z } from 'zod'
import type { Queries } from '../../../application/ports/database.ts'
import type { FoundUpload, Upload, Uploads } from '../../../application/ports/uploads.ts'
import { sql } from '../../../application/sql/sql.ts'
import { accountId, attachmentId, channelId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { partsOf } from '../../../domain/attachments/upload-plan.ts'
import type { ByteStore } from '../byte-store.ts'
import { uploadFolder, uploadPart } from './stored-at.ts'

export interface OpenUploads extends Uploads {
  /** Removes those whose time is over, with their parts. Gives how many. */
  sweep(): Promise<number>
}

/** How long an upload waits for its next piece, or for its message. A piece that has arrived is kept in less. */
const wait_minutes = 30
/** So much longer its file waits: whoever spends the upload in its last moment finds the file. */
const more_minutes = 1
const swept_max = 100

const nothing = z.object({})
const countRow = z.object({ count: z.int() })
const id = z.string().transform((text) => snowflake(text))
const whole = z.coerce.number()
const seen = z.object({
  width: z.int(),
  height: z.int(),
  animated: z.boolean(),
  placeholder: z.string().nullable(),
})
/** Seen as `file` in a row. */
const found = z.object({ size_bytes: z.int(), hash: z.string(), seen: seen.optional() })
const uploadRow = z
  .object({
    id,
    channel_id: id,
    account_id: id,
    holder: z.string(),
    filename: z.string(),
    size_bytes: whole,
    part_bytes: whole.nullable(),
    file_id: id.nullable(),
    file: found.nullable(),
  })
  .transform(({ file_id: fileId, file, ...row }): FoundUpload => ({
    id: attachmentId(row.id),
    channelId: channelId(row.channel_id),
    accountId: accountId(row.account_id),
    holder: row.holder,
    filename: row.filename,
    size_bytes: row.size_bytes,
    part_bytes: row.part_bytes,
    file: fileId && file && withSeen(attachmentId(fileId), file),
  }))
const dueRow = z.object({ id, channel_id: id, in_parts: z.boolean() })

function withSeen(file: Upload['id'], { seen: picture, ...rest }: z.output<typeof found>): FoundUpload['file'] {
  return { id: file, ...rest, ...(picture && { seen: picture }) }
}

const later = (minutes: number) => sql.fragment`clock_timestamp() + make_interval(mins => ${minutes})`

/**
 * Uploads: their rows in Postgres, their parts in the store. Each file that an upload becomes is that of an attachment with an id of
 * its own, so that a piece that is sent again never changes a file which a message has.
 */
export function uploadsIn(database: Queries, store: ByteStore): OpenUploads {
  return {
    async add(uploads) {
      for (const each of uploads)
        await database.any(sql.type(nothing)`
          insert into messages.uploads (id, channel_id, account_id, holder, filename, size_bytes, part_bytes, due_at)
          values (${each.id}, ${each.channelId}, ${each.accountId}, ${each.holder}, ${each.filename}, ${each.size_bytes},
            ${each.part_bytes}, ${later(wait_minutes)})
          on conflict (id) do nothing`)
    },
    async find(upload, by) {
      const row = await database.maybeOne(sql.type(uploadRow)`
        select id, channel_id, account_id, holder, filename, size_bytes, part_bytes, file_id, file from messages.uploads
        where id = ${upload} and due_at > clock_timestamp() and (spent_by is null or spent_by = ${by ?? null})`)
      return row ?? undefined
    },
    async keepPart(upload, part, file) {
      // From here on the sweep leaves the folder alone for longer than the store takes for a part.
      const { count } = await database.one(sql.type(countRow)`
        with held as (
          update messages.uploads set due_at = ${later(wait_minutes)}
          where id = ${upload.id} and due_at > clock_timestamp() and file_id is null returning id
        )
        select count(*)::int4 as count from held`)
      if (count === 0) return 'gone'
      await store.putFile(uploadPart(upload, part), file)
      return 'kept'
    },
    readParts: (upload) => readParts(store, upload),
    ...ends(database),
    async forget(account) {
      await database.any(sql.type(nothing)`
        with dropped as (
          update messages.uploads set due_at = clock_timestamp() where account_id = ${account} and spent_by is null
          returning file_id
        )
        update messages.attachments a set due_at = clock_timestamp() from dropped d
        where a.id = d.file_id and a.message_id is null`)
    },
    async sweep() {
      let swept_count = 0
      for (let found_count = swept_max; found_count === swept_max;) {
        const due = await database.any(sql.type(dueRow)`
          select id, channel_id, part_bytes is not null as in_parts from messages.uploads
          where due_at <= clock_timestamp() order by due_at limit ${swept_max}`)
        for (const { id: upload, channel_id: channel, in_parts: isInParts } of due) {
          const named = { id: attachmentId(upload), channelId: channelId(channel) }
          if (isInParts) await store.removeFolder(uploadFolder(named))
          await database.any(
            sql.type(nothing)`delete from messages.uploads where id = ${upload} and due_at <= clock_timestamp()`,
          )
        }
        found_count = due.length
        swept_count += found_count
      }
      return swept_count
    },
  }
}

/** What becomes of an upload. */
function ends(database: Queries): Pick<Uploads, 'finish' | 'drop' | 'spend' | 'giveBack'> {
  return {
    async finish(upload, { id: fileId, ...file }) {
      const { count } = await database.one(sql.type(countRow)`
        with before as (
          select id, file_id from messages.uploads
          where id = ${upload} and due_at > clock_timestamp() and spent_by is null for update
        ), finished as (
          update messages.uploads u set file_id = ${fileId}, file = ${JSON.stringify(file)}::jsonb, due_at = ${later(wait_minutes)}
          from before b where u.id = b.id returning u.id
        ), waiting as (
          update messages.attachments a set due_at = case
            when a.id <> ${fileId} or not exists (select from finished) then clock_timestamp()
            else ${later(wait_minutes + more_minutes)} end
          where (a.id = ${fileId} or a.id = (select b.file_id from before b)) and a.message_id is null
        )
        select count(*)::int4 as count from finished`)
      return count > 0 ? 'finished' : 'gone'
    },
    async drop(upload) {
      await database.any(sql.type(nothing)`
        update messages.uploads set due_at = clock_timestamp() where id = ${upload} and file_id is null`)
    },
    async spend(spent, { channelId: channel, accountId: account, holder }, by) {
      const { count } = await database.one(sql.type(countRow)`
        with wanted as (
          select * from json_to_recordset(${JSON.stringify(spent.map((each) => ({ id: each.id, file: each.file.id })))}::json)
            as w (id int8, file int8)
        ), spent as (
          update messages.uploads u set spent_by = ${by} from wanted w
          where u.id = w.id and u.file_id = w.file and u.due_at > clock_timestamp() and (u.spent_by is null or u.spent_by = ${by})
            and u.channel_id = ${channel} and u.account_id = ${account} and u.holder = ${holder}
          returning u.file_id
        ), held as (
          update messages.attachments a set due_at = ${later(wait_minutes + more_minutes)} from spent s
          where a.id = s.file_id and a.message_id is null
        )
        select count(*)::int4 as count from spent`)
      return count === spent.length
    },
    async giveBack(by) {
      await database.any(sql.type(nothing)`update messages.uploads set spent_by = null where spent_by = ${by}`)
    },
  }
}

async function readParts(store: ByteStore, upload: Upload): Promise<AsyncIterable<Uint8Array> | undefined> {
  const readers: (() => Promise<Readable>)[] = []
  for (const [index, size_bytes] of partsOf(upload.size_bytes, upload.part_bytes).entries()) {
    const part = await store.find(uploadPart(upload, index + 1))
    if (part?.size_bytes !== size_bytes) return undefined
    readers.push(() => part.read())
  }
  return inTurn(readers)
}

async function* inTurn(readers: readonly (() => Promise<Readable>)[]): AsyncGenerator<Uint8Array> {
  for (const open of readers) for await (const piece of await open()) yield piece as Uint8Array
}
