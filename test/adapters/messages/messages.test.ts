import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openMessages, type OpenMessages } from '../../../adapters/messages/open-messages.ts'
import { openDatabase } from '../../../adapters/postgres/database.ts'
import { openNotifier } from '../../../adapters/postgres/notifier.ts'
import { sql } from '../../../application/sql/sql.ts'
import type { MessageNotice } from '../../../application/ports/messages.ts'
import { NoticesLost } from '../../../application/failures/notices-lost.ts'
import { messagesContract } from '../../contract/messages-contract.ts'
import { ada, at, general, message, nextNotices, posted, audience } from '../../contract/messages-fixtures.ts'
import { heldPosition } from '../../support/held-position.ts'
import { laidDatabase, type TestDatabase } from '../../support/test-database.ts'

interface Opened extends OpenMessages {
  readonly test: TestDatabase
  /** The same messages, as another process has them. */
  another(): Promise<OpenMessages>
}

async function start(isAlone = false): Promise<Opened> {
  const test = await laidDatabase()
  const { database, connection } = test
  const errors: unknown[] = []
  const onError = (error: unknown): void => void errors.push(error)
  const closings: (() => Promise<void>)[] = []
  const open = () => {
    const notifier = openNotifier({ connection, onError })
    const messages = openMessages({ database, heldPosition, notifier, isAlone, onError })
    closings.push(() => messages.close().then(() => notifier.close()))
    return messages
  }
  const first = open()
  return {
    ...first,
    test,
    another: async () => open(),
    close: async () => {
      for (const close of closings) await close()
      await test.close()
      expect(errors).toStrictEqual([])
    },
  }
}

async function startWithClock(isAlone = false) {
  const opened = await start(isAlone)
  const pass = async (seconds: number): Promise<void> => {
    for (const paces of ['paces', 'thread_paces'])
      await opened.test.database.pool.query(
        `update messages.${paces} set taken_at = taken_at - make_interval(secs => $1)`,
        [seconds],
      )
  }
  return { ...opened, pass }
}

messagesContract('the messages in Postgres', () => startWithClock())
messagesContract('the messages of a process that is alone', () => startWithClock(true))

/** How many statements wait for a lock. */
async function waitingCount({ database }: TestDatabase): Promise<number> {
  const { count } = await database.one(sql.type(z.object({ count: z.coerce.number() }))`
    select count(*) as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  return count
}

describe('the messages in Postgres', () => {
  it('are all gone that an author wrote, though somebody else deletes one of them meanwhile', async () => {
    const opened = await start()
    const { messages, test } = opened
    await posted(
      messages,
      Array.from({ length: 150 }, (_, second) => at(second)),
    )
    const removal = await test.database.transaction(async (queries) => {
      await queries.any(sql.type(z.object({}))`delete from messages.messages where id = ${at(0)}`)
      const removing = messages.removeOfAuthor(ada, [audience()])
      await expect.poll(() => waitingCount(test)).toBe(1)
      return { removing }
    })
    expect(await removal.removing).toStrictEqual({ deleted_count: 149 })
    expect(await messages.page(general, { limit: 100 })).toStrictEqual([])
    await opened.close()
  })

  it('are gone from a removed channel for good, those too that were on their way when it was removed', async () => {
    const opened = await start()
    const { messages, test } = opened
    const left = async () => (await messages.page(general, { limit: 10 })).map(({ id }) => id)
    await posted(messages, [at(0)])
    await messages.removeChannels([general])
    const late = audience({ channelType: 11, parentId: general })
    await messages.post({ message: message(at(1)), audience: late })
    // A transaction may still be in progress.
    await opened.trim()
    expect(await left()).toStrictEqual([at(1)])
    const change = async (statement: ReturnType<typeof sql.fragment>) =>
      test.database.any(sql.type(z.object({}))`${statement}`)
    await change(sql.fragment`update messages.removed_channels set removed_at = removed_at - interval '2 minutes'`)
    await opened.trim()
    expect(await left()).toStrictEqual([])
    expect(await messages.talliesOf([general])).toStrictEqual(new Map())
    expect(await change(sql.fragment`select from messages.removed_channels`)).toStrictEqual([])
    await opened.close()
  })

  it('stay in a removed channel that has come back', async () => {
    const opened = await start()
    const { messages, test } = opened
    await posted(messages, [at(0)])
    await messages.removeChannels([general])
    await messages.keepChannels([general])
    await posted(messages, [at(1)])
    await test.database.any(sql.type(z.object({}))`
      update messages.removed_channels set removed_at = removed_at - interval '2 minutes'`)
    await opened.trim()
    expect((await messages.page(general, { limit: 10 })).map(({ id }) => id)).toStrictEqual([at(1)])
    await opened.close()
  })

  it('are made ready by many processes at once, a month at a time', async () => {
    const opened = await start()
    const others = await Promise.all([opened.another(), opened.another(), opened.another()])
    await Promise.all(others.map(({ messages }, index) => posted(messages, [at(0, index)])))
    expect(await opened.messages.page(general, { limit: 10 })).toHaveLength(3)
    await opened.close()
  })

  it('are looked up by their places without reading the others, before Postgres has counted any', async () => {
    const { test, messages, close } = await start()
    try {
      const ids = Array.from({ length: 600 }, (_, index) => at(0, index))
      await posted(messages, ids)
      const places = ids.slice(0, 3).map((messageId) => ({ channelId: general, messageId }))
      // Postgres adds up what a connection has read when it is idle or ends.
      const alone = openDatabase(test.connection, { connections_max: 1 })
      const asking = openMessages({ database: alone, heldPosition, notifier: test.notifier, onError: () => undefined })
      for (let times = 0; times < 20; times += 1)
        expect(await asking.messages.findMany(places)).toHaveLength(places.length)
      await alone.pool.query('select pg_stat_force_next_flush()')
      const { rows } = await alone.pool.query(
        `select sum(seq_tup_read)::int4 as read from pg_stat_user_tables where schemaname = 'messages' and relname like 'm\\_%'`,
      )
      await asking.close()
      await alone.close()
      expect(rows).toStrictEqual([{ read: 0 }])
    } finally {
      await close()
    }
  })
  it('take what many write at the beginning of each of many months', async () => {
    const opened = await start()
    const others = await Promise.all([opened.another(), opened.another(), opened.another()])
    const month_s = 31 * 86_400
    for (let month = 0; month < 40; month += 1)
      await Promise.all(
        others.flatMap(({ messages }, index) =>
          [0, 1].map((later) => posted(messages, [at((month + later) * month_s, index + 3 * later)])),
        ),
      )
    expect(await opened.messages.page(general, { limit: 100 })).toHaveLength(100)
    await opened.close()
  })

  it('make the part of a month again for one who finds that it is gone', async () => {
    const opened = await start()
    const { messages, test } = opened
    await posted(messages, [at(0)])
    const [part] = await test.database.any(sql.type(z.object({ name: z.string() }))`
      select inhrelid::regclass::text as name from pg_inherits where inhparent = 'messages.messages'::regclass`)
    await test.database.pool.query(`drop table ${part?.name ?? ''}`)
    await messages.post({ message: message(at(1)), audience: audience() })
    await messages.post({ message: message(at(2)), nonce: 'once', audience: audience() })
    expect((await messages.page(general, { limit: 10 })).map(({ id }) => id)).toStrictEqual([at(2), at(1)])
    await opened.close()
  })

  it('leave nothing in any column of any table of what was written, once it is deleted or edited', async () => {
    const opened = await start()
    const { messages, test } = opened
    await messages.post({
      message: message(at(0), { content: 'canary one' }),
      nonce: 'canary two',
      audience: audience(),
    })
    await messages.post({ message: message(at(1), { content: 'canary three' }), audience: audience() })
    await messages.edit(at(1), { content: 'harmless' }, audience())
    expect(await rowsWith(test, 'canary')).toHaveLength(1)
    await messages.remove([at(0)], { ...audience(), bulk: false })
    expect(await rowsWith(test, 'canary')).toStrictEqual([])
    await opened.close()
  })
})

describe('the notices in Postgres', () => {
  it('come to every follower once, in one order and without gaps, while many write, edit and fail to', async () => {
    const opened = await start()
    const others = await Promise.all([opened.another(), opened.another()])
    const writers = [opened, ...others]
    const from = await opened.notices.beginning()
    const rounds = 40
    const following = writers.map(({ notices }) => nextNotices(notices, from, writers.length * rounds))
    await Promise.all(
      writers.map(async ({ messages }, writer) => {
        for (let round = 0; round < rounds; round += 1) {
          const post = { message: message(at(round, writer)), nonce: `${writer} ${round}`, audience: audience() }
          await Promise.all([messages.post(post), abortedNumber(opened.test)])
        }
      }),
    )
    const [first = [], ...rest] = await Promise.all(following)
    expect(new Set(first.map(idOf)).size).toBe(writers.length * rounds)
    expect(first.map(({ number }) => number)).toStrictEqual(first.map(({ number }) => number).toSorted(byValue))
    for (const heard of rest) expect(heard).toStrictEqual(first)
    await opened.close()
  })

  it('wait for a number that was drawn before and is written later, and not for one that was given up', async () => {
    const opened = await start()
    const from = await opened.notices.beginning()
    const slow = await opened.test.database.pool.connect()
    await slow.query('begin')
    await slow.query(
      `insert into messages.notices (kind, channel_id, channel_type, after, message_ids) values ('updated', 1, 0, 0, '{1}')`,
    )
    await abortedNumber(opened.test)
    await posted(opened.messages, [at(0)])
    const heard: MessageNotice[] = []
    const stop = new AbortController()
    const following = (async () => {
      for await (const batch of opened.notices.follow(from, stop.signal)) {
        heard.push(...batch)
        if (heard.length >= 2) stop.abort()
      }
    })()
    // A follower that skipped the gap would have done so by the time another has heard of the next one.
    await posted(opened.messages, [at(1)])
    await opened.test.database.pool.query('select pg_sleep(0.2)')
    expect(heard).toStrictEqual([])
    await slow.query('commit')
    slow.release()
    await following
    expect(heard.slice(0, 2).map(({ kind }) => kind)).toStrictEqual(['updated', 'created'])
    await opened.close()
  })

  it('are trimmed after some minutes, and who then comes too late is told so', async () => {
    const opened = await start()
    const from = await opened.notices.beginning()
    await posted(opened.messages, [at(0), at(1)])
    await opened.test.database.pool.query(`update messages.notices set written_at = now() - interval '6 minutes'`)
    await opened.trim()
    await expect(nextNotices(opened.notices, from, 1)).rejects.toThrow(NoticesLost)
    const now = await opened.notices.beginning()
    await posted(opened.messages, [at(2)])
    expect(await nextNotices(opened.notices, now, 1)).toMatchObject([{ messageId: at(2), kind: 'created' }])
    expect(await opened.messages.find(general, at(0))).toMatchObject({ authorId: ada })
    await opened.close()
  })

  it('are trimmed all at once, however many were written', async () => {
    const opened = await start()
    const { pool } = opened.test.database
    await pool.query(`
      insert into messages.notices (written_at, kind, channel_id, channel_type, after, message_ids, author_id)
      select now() - interval '6 minutes', 'created', 1, 0, 0, '{1}', 1 from generate_series(1, 20001)`)
    await opened.trim()
    expect((await pool.query('select 1 from messages.notices')).rows).toHaveLength(0)
    await opened.close()
  })
})

const idOf = (notice: MessageNotice): string => ('messageId' in notice ? notice.messageId : '')
const byValue = (one: bigint, other: bigint): number => (one < other ? -1 : 1)

/** Takes a number like a transaction that is then rolled back. */
async function abortedNumber({ database }: TestDatabase): Promise<void> {
  const client = await database.pool.connect()
  await client.query('begin')
  await client.query('select messages.next_number()')
  await client.query('rollback')
  client.release()
}

/** Every row of every table, as text, that contains a word. */
async function rowsWith({ database }: TestDatabase, word: string): Promise<readonly string[]> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await database.pool.query<{ row: string }>(
      `select t::text as row from ${name} t where t::text like $1`,
      [`%${word}%`],
    )
    found.push(...rows.map(({ row }) => row))
  }
  return found
}
