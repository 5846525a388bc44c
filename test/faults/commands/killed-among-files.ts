import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdir, utimes } from 'node:fs/promises'
import http from 'node:http'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { noteFault } from '../../support/fault-table.ts'
import { patience_ms } from '../../support/pace.ts'
import type { OnProduct } from './killable-product.ts'
import { newAuthor, type Author } from './message-stage.ts'

const files_count = 10
const file_bytes = 60_000
/** The lock that the triggers of this chapter wait for. */
const held = 20_441

const files = z.array(z.object({ id: z.string(), url: z.string(), content_hash: z.string() }))
const shown = z.array(
  z.object({
    id: z.string(),
    content: z.string(),
    attachments: files,
    message_snapshots: z.array(z.object({ attachments: files })).default([]),
  }),
)
type Shown = z.output<typeof shown>
type WithFiles = Pick<Shown[number], 'attachments'>

/** Where a statement of the product stops, in Postgres, until the process is dead. */
interface Step {
  readonly name: string
  /** The table before whose row it stops. */
  readonly table: 'attachments' | 'messages'
  /** How many rows for files of the message are written before. */
  readonly files_count: number
}

const steps: readonly Step[] = [
  { name: 'all files arrived, none is kept', table: 'attachments', files_count: 0 },
  { name: 'one file is kept', table: 'attachments', files_count: 1 },
  { name: 'five files are kept', table: 'attachments', files_count: 5 },
  { name: 'nine files are kept', table: 'attachments', files_count: 9 },
  { name: 'all files are kept, the message is about to be written', table: 'messages', files_count: files_count },
]

/** The form of a message with ten files. */
function formOf(content: string): { readonly head: string; readonly body: Buffer } {
  const boundary = `b${randomUUID()}`
  const part = (name: string, value: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name=${name}\r\n\r\n`),
      value,
      Buffer.from('\r\n'),
    ])
  const files = Array.from({ length: files_count }, (_, index) =>
    part(`"files[${index}]"; filename="${index}.bin"`, randomBytes(file_bytes)),
  )
  const payload = part('"payload_json"', Buffer.from(JSON.stringify({ content })))
  return {
    head: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([payload, ...files, Buffer.from(`--${boundary}--\r\n`)]),
  }
}

export function killedAmongFiles(on: OnProduct): void {
  describe('a message with ten files, at each step of which the process is killed', () => {
    let author: Author
    const contents: string[] = []

    beforeAll(async () => {
      const { url } = on().product
      author = await newAuthor(url, url, 'sender')
    })

    /** Forwards a message into its own channel. */
    function forwarding(id: string): { readonly answered: Promise<number | 'cut off'> } {
      const { channel, token } = author
      const answered = fetch(`${on().product.url}/v1/channels/${channel}/messages`, {
        method: 'POST',
        headers: { authorization: token, 'content-type': 'application/json' },
        body: JSON.stringify({ message_reference: { type: 1, channel_id: channel, message_id: id } }),
      }).then(
        ({ status }) => status,
        () => 'cut off' as const,
      )
      return { answered }
    }

    /** Sends the first share of a message's bytes, by default all. Resolves with the status, or `cut off`. */
    function sending(share = 1): { readonly content: string; readonly answered: Promise<number | 'cut off'> } {
      const content = `message ${randomUUID()}`
      contents.push(content)
      const { head, body } = formOf(content)
      const request = http.request(`${on().product.url}/v1/channels/${author.channel}/messages`, {
        method: 'POST',
        headers: { authorization: author.token, 'content-type': head, 'content-length': body.length },
      })
      request.on('error', () => undefined)
      const answered = once(request, 'response').then(
        ([answer]) => (answer as http.IncomingMessage).resume().statusCode ?? 0,
        () => 'cut off' as const,
      )
      if (share === 1) request.end(body)
      else request.write(body.subarray(0, Math.floor(body.length * share)))
      return { content, answered }
    }

    /** Kills the process while a statement of it waits at a step, and then lets go of what Postgres still does of it. */
    async function killAt(
      { table, files_count: before }: Step,
      begin: () => Pick<ReturnType<typeof sending>, 'answered'>,
    ) {
      const { pool } = on().test.database
      const client = await pool.connect()
      try {
        await client.query(`
          create function public.wait_for_death() returns trigger language plpgsql as $$
          begin
            if (select count(*) from messages.attachments where due_at > clock_timestamp()) >= ${before}
              then perform pg_advisory_xact_lock_shared(${held}); end if;
            return new;
          end $$;
          create trigger wait_for_death before insert on messages.${table}
            for each row execute function public.wait_for_death()`)
        await client.query(`select pg_advisory_lock(${held})`)
        const { answered } = begin()
        await expect.poll(() => waitingFor(held), { timeout: patience_ms }).toBe(1)
        await on().product.kill()
        expect(await answered).toBe('cut off')
      } finally {
        await client.query(`select pg_advisory_unlock(${held})`)
        client.release()
        await expect.poll(() => waitingFor(held), { timeout: patience_ms }).toBe(0)
        await pool.query(`drop trigger wait_for_death on messages.${table}; drop function public.wait_for_death`)
      }
      await on().restart()
      await sweep()
    }

    async function waitingFor(lock: number): Promise<number> {
      const { rows } = await on().test.database.pool.query(
        `select from pg_locks where locktype = 'advisory' and objid = ${lock} and not granted`,
      )
      return rows.length
    }

    /** Lets an hour pass for everything that waits, and gives the process the time to remove it. */
    async function sweep(): Promise<void> {
      const { pool } = on().test.database
      await pool.query(`update messages.attachments set due_at = due_at - interval '1 hour' where due_at is not null`)
      const received = path.join(on().dataDir, 'media', 'received')
      const longAgo = new Date(Date.now() - 2 * 3_600_000)
      for (const name of await readdir(received).catch(() => []))
        await utimes(path.join(received, name), longAgo, longAgo)
    }

    const messages = async (): Promise<Shown> => (await all()).filter(({ content }) => contents.includes(content))

    async function all(): Promise<Shown> {
      const answer = await fetch(`${on().product.url}/v1/channels/${author.channel}/messages?limit=100`, {
        headers: { authorization: author.token },
      })
      return shown.parse(await answer.json())
    }

    it('is there whole afterwards or does not exist, and no file stays behind', async () => {
      const { content: whole, answered } = sending()
      expect(await answered).toBe(200)
      for (const share of [0.05, 0.5, 0.95]) {
        const before = await arriving()
        sending(share)
        await expect.poll(arriving, { timeout: patience_ms }).toBeGreaterThan(before)
        await on().product.kill()
        await on().restart()
        await sweep()
      }
      for (const step of steps) await killAt(step, sending)
      for (let delay_ms = 5; delay_ms <= 160; delay_ms *= 2) {
        const several = [sending(), sending(), sending()]
        await new Promise((resolve) => setTimeout(resolve, delay_ms))
        await on().product.kill()
        const statuses = await Promise.all(several.map((each) => each.answered))
        await on().restart()
        const there = new Set((await messages()).map(({ content }) => content))
        // What was answered with success is there.
        for (const [index, status] of statuses.entries())
          if (status === 200) expect(there.has(several[index]?.content ?? '')).toBe(true)
        await sweep()
      }
      await expect.poll(waiting, { timeout: 40_000 + patience_ms, interval: 500 }).toBe(0)
      const left = await messages()
      expect(left.map(({ content }) => content)).toContain(whole)
      const torn = await tornIn(left)
      const behind = await filesBehind(left)
      noteFault('F37', {
        title: 'a message with ten files is killed at a step',
        runs: contents.length - 1,
        lost: torn,
        repeated: left.length - new Set(left.map(({ content }) => content)).size,
        reordered: 0,
        divergent: behind.length,
        stuck_s: on().stuck_s,
        note: `${left.length - 1} were whole all the same`,
      })
      expect({ torn, behind }).toStrictEqual({ torn: 0, behind: [] })
    })

    it('is forwarded whole or not at all, and no copy of a file stays behind', async () => {
      const { content, answered } = sending()
      expect(await answered).toBe(200)
      const source = (await messages()).find((message) => message.content === content)
      if (!source) throw new Error('the message is not there')
      for (const step of steps) await killAt(step, () => forwarding(source.id))
      expect(await forwarding(source.id).answered).toBe(200)
      await expect.poll(waiting, { timeout: 40_000 + patience_ms, interval: 500 }).toBe(0)
      const left = await all()
      const forwards = left.flatMap(({ message_snapshots: snapshots }) => snapshots)
      expect(forwards.length).toBeGreaterThan(0)
      const torn = await tornIn(forwards)
      const behind = await filesBehind([...left, ...forwards])
      noteFault('F37b', {
        title: 'a forward of ten files is killed at a step',
        runs: steps.length,
        lost: torn,
        repeated: 0,
        reordered: 0,
        divergent: behind.length,
        stuck_s: on().stuck_s,
        note: `${forwards.length - 1} were whole all the same`,
      })
      expect({ torn, behind }).toStrictEqual({ torn: 0, behind: [] })
      const hashesOf = ({ attachments }: WithFiles) => attachments.map(({ content_hash: hash }) => hash)
      for (const forward of forwards) expect(hashesOf(forward)).toStrictEqual(hashesOf(source))
    })

    const arriving = async (): Promise<number> =>
      (await readdir(path.join(on().dataDir, 'media', 'received')).catch(() => [])).length

    async function waiting(): Promise<number> {
      await sweep()
      const { rows } = await on().test.database.pool.query('select from messages.attachments where due_at is not null')
      return rows.length + (await arriving())
    }

    /** How many messages lack a file, or a byte of one. */
    async function tornIn(left: readonly WithFiles[]): Promise<number> {
      let torn = 0
      for (const { attachments } of left) {
        const contentsOf = await Promise.all(attachments.map(async ({ url }) => (await fetch(url)).arrayBuffer()))
        const hashes = contentsOf.map((bytes) => createHash('sha256').update(Buffer.from(bytes)).digest('hex'))
        const isWhole = attachments.every(({ content_hash }, index) => content_hash === hashes[index])
        if (attachments.length !== files_count || !isWhole) torn += 1
      }
      return torn
    }

    /** The files in the store that no message shows. */
    async function filesBehind(left: readonly WithFiles[]): Promise<readonly string[]> {
      const known = new Set(left.flatMap(({ attachments }) => attachments.map(({ id }) => id)))
      const folder = path.join(on().dataDir, 'media', 'attachments', author.channel)
      return (await readdir(folder)).filter((id) => !known.has(id))
    }
  })
}
