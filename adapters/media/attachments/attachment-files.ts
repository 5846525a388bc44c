import { z } from 'zod'
import { Refused } from '../../../application/commands/refused.ts'
import { Unavailable } from '../../../application/failures/unavailable.ts'
import type { AttachmentFiles, AttachmentName } from '../../../application/ports/attachments.ts'
import type { Queries } from '../../../application/ports/database.ts'
import { sql } from '../../../application/sql/sql.ts'
import { attachmentId, channelId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import type { ByteStore } from '../byte-store.ts'
import type { Decoder } from '../decoding/decoder.ts'
import { attachmentFile, attachmentFolder } from './stored-at.ts'
import type { Spool } from './spool.ts'

export interface AttachmentParts {
  readonly database: Queries
  readonly store: ByteStore
  readonly spool: Spool
  readonly decoder: Decoder
  /** If absent, no file is scanned. */
  readonly scanner?: Pick<AttachmentFiles, 'scan'> | undefined
}

export interface OpenAttachmentFiles extends AttachmentFiles {
  /** Removes the files that no message has, and those that processes received and left. Gives how many were removed of the store. */
  sweep(): Promise<number>
}

/** How long a kept file waits for its message: longer than any request lives. */
const wait_minutes = 30
const swept_max = 100

const nothing = z.object({})
const presentRow = z.object({ id: z.string().transform((id) => attachmentId(snowflake(id))) })
const dueRow = z.object({ id: z.string(), channel_id: z.string() }).transform(({ id, channel_id: channel }) => ({
  id: attachmentId(snowflake(id)),
  channelId: channelId(snowflake(channel)),
}))

/**
 * The files of messages: in the spool until they are whole, then in the store. The row of a file is written before it is stored, and
 * deleted after it is removed, so that whatever process dies, the sweep finds it.
 */
export function attachmentFiles({ database, store, spool, decoder, scanner }: AttachmentParts): OpenAttachmentFiles {
  /** The row of a file that is about to be stored. */
  const noteExpected = ({ id, channelId: channel }: Pick<AttachmentName, 'channelId' | 'id'>) =>
    database.any(sql.type(nothing)`
      insert into messages.attachments (id, channel_id, due_at)
      values (${id}, ${channel}, clock_timestamp() + make_interval(mins => ${wait_minutes}))
      on conflict (id) do nothing`)
  return {
    receive: (bytes, bytes_max) => spool.receive(bytes, bytes_max),
    receivePart: (bytes, bytes_max) => spool.receiveAsIs(bytes, bytes_max),
    discard: (file) => spool.discard(file),
    async look(file, asker) {
      try {
        return await decoder.look(file.path, asker)
      } catch (error) {
        // A picture whose size nobody had the time to find is a picture all the same.
        if (error instanceof Unavailable || error instanceof Refused) return undefined
        throw error
      }
    },
    scan: async (file) => (scanner ? scanner.scan(file) : 'clean'),
    async keep(name, file) {
      await noteExpected(name)
      await store.putFile(attachmentFile(name), file)
    },
    async copy(from, to) {
      await noteExpected(to)
      return store.copy(attachmentFile(from), attachmentFile(to))
    },
    async present(channel, ids) {
      if (ids.length === 0) return new Set()
      const rows = await database.any(sql.type(presentRow)`
        select id from messages.attachments
        where channel_id = ${channel} and id = any(${sql.array([...ids], 'int8')}) and due_at is null`)
      return new Set(rows.map(({ id }) => id))
    },
    async sweep() {
      await spool.sweep()
      let swept_count = 0
      for (let found_count = swept_max; found_count === swept_max;) {
        const due = await database.any(sql.type(dueRow)`
          select id, channel_id from messages.attachments where due_at <= clock_timestamp()
          order by due_at limit ${swept_max}`)
        for (const name of due) {
          await store.removeFolder(attachmentFolder(name))
          await database.any(
            sql.type(nothing)`delete from messages.attachments where id = ${name.id} and due_at <= clock_timestamp()`,
          )
        }
        found_count = due.length
        swept_count += found_count
      }
      return swept_count
    },
  }
}
