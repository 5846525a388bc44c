import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { noteFault } from '../../support/fault-table.ts'
import { call, createGuild, getGuild, type ApiRequest, type Person } from '../../support/load-api.ts'
import { patience_ms } from '../../support/pace.ts'
import type { OnProduct } from './killable-product.ts'
import { newAuthor, sendMessage, type Author } from './message-stage.ts'

const followers_count = 4
/** The lock that the triggers of this chapter wait for. */
const held = 20_442

const withId = z.object({ id: z.string() })
const contents = z.array(z.object({ content: z.string(), type: z.int() }))

/** Where a statement of the product stops, in Postgres, until the process is dead. */
interface Step {
  readonly name: string
  readonly before: 'insert on messages.messages' | 'insert on messages.copies' | 'delete on messages.publications'
  /** How many copies are noted before. */
  readonly copies_count: number
}

const steps: readonly Step[] = [
  { name: 'the first copy is about to be written', before: 'insert on messages.messages', copies_count: 0 },
  { name: 'the first copy is written and not noted', before: 'insert on messages.copies', copies_count: 0 },
  { name: 'half of the copies are there', before: 'insert on messages.messages', copies_count: 2 },
  { name: 'the last copy is written and not noted', before: 'insert on messages.copies', copies_count: 3 },
  { name: 'all copies are there', before: 'delete on messages.publications', copies_count: followers_count },
]

const post = (
  { token }: Person,
  path: string,
  body?: Readonly<Record<string, unknown>>,
): ApiRequest<{ readonly id?: string | undefined }> => ({
  method: 'POST',
  path: `/v1${path}`,
  token,
  ...(body && { body }),
  parse: (answer) => withId.partial().parse(answer),
})

export function killedAmongCopies(on: OnProduct): void {
  describe('a published message, at each step of whose delivery the process is killed', () => {
    let author: Author
    let news: string
    const targets: string[] = []

    beforeAll(async () => {
      const { url } = on().product
      author = await newAuthor(url, url, 'publisher')
      const { id: guild } = await call(url, createGuild(author, 'News'))
      news = String((await call(url, post(author, `/guilds/${guild}/channels`, { type: 5, name: 'news' }))).id)
      for (let index = 0; index < followers_count; index += 1) {
        const { id } = await call(url, createGuild(author, `Follower ${index}`))
        const { textChannel } = await call(url, getGuild(author, id))
        await call(url, post(author, `/channels/${news}/followers`, { webhook_channel_id: textChannel }))
        targets.push(textChannel)
      }
    })

    const rowsOf = async (query: string): Promise<number> => (await on().test.database.pool.query(query)).rows.length

    /** Publishes a message, and kills the process while a statement of its delivery waits at a step. Gives what the message says. */
    async function killAt({ before, copies_count }: Step): Promise<string> {
      const { pool } = on().test.database
      const content = `news ${randomUUID()}`
      const { id } = await call(on().product.url, sendMessage(author, news, content))
      const [verb = ''] = before.split(' ')
      const isCopy = before.endsWith('messages.messages') ? '(new.flags & 2) <> 0' : 'true'
      const client = await pool.connect()
      try {
        await client.query(`
          create function public.wait_for_death() returns trigger language plpgsql as $$
          begin
            if ${isCopy} and (select count(*) from messages.copies where source_id = ${id}) >= ${copies_count}
              then perform pg_advisory_xact_lock_shared(${held}); end if;
            return ${verb === 'delete' ? 'old' : 'new'};
          end $$;
          create trigger wait_for_death before ${before} for each row execute function public.wait_for_death()`)
        await client.query(`select pg_advisory_lock(${held})`)
        await call(on().product.url, post(author, `/channels/${news}/messages/${id}/crosspost`))
        await expect.poll(waiting, { timeout: patience_ms }).toBeGreaterThan(0)
        await on().product.kill()
      } finally {
        await client.query(`select pg_advisory_unlock(${held})`)
        client.release()
        await expect.poll(waiting, { timeout: patience_ms }).toBe(0)
        const table = before.split(' ').at(-1) ?? ''
        await pool.query(`drop trigger wait_for_death on ${table}; drop function public.wait_for_death`)
      }
      await on().restart()
      return content
    }

    const waiting = () => rowsOf(`select from pg_locks where locktype = 'advisory' and objid = ${held} and not granted`)

    /** What the copies in a channel say. */
    async function copiesIn(channel: string): Promise<readonly string[]> {
      const answer = await fetch(`${on().product.url}/v1/channels/${channel}/messages?limit=100`, {
        headers: { authorization: author.token },
      })
      return contents.parse(await answer.json()).flatMap(({ content, type }) => (type === 0 ? [content] : []))
    }

    it('is in each channel that follows afterwards, once', async () => {
      const said: string[] = []
      for (const step of steps) said.push(await killAt(step))
      await expect
        .poll(() => rowsOf('select from messages.publications'), { timeout: 60_000 + patience_ms, interval: 500 })
        .toBe(0)
      let [lost, repeated] = [0, 0]
      for (const channel of targets) {
        const there = await copiesIn(channel)
        lost += said.filter((content) => !there.includes(content)).length
        repeated += there.length - new Set(there).size
      }
      noteFault('F44', {
        title: 'a process is killed at a step of the delivery of a published message',
        runs: steps.length,
        lost,
        repeated,
        reordered: 0,
        divergent: 0,
        stuck_s: on().stuck_s,
        note: `${followers_count} channels follow`,
      })
      expect({ lost, repeated }).toStrictEqual({ lost: 0, repeated: 0 })
    })
  })
}
