import type pg from 'pg'

const rowsAtOnce_max = 100_000
const channels_count = 100

/** The first instant of the laid messages, and the milliseconds from one to the next. */
const firstAt_ms = Date.UTC(2026, 0, 1) - Date.UTC(2015, 0, 1)
const between_ms = 2

/**
 * Lays this many messages of an author into 100 channels, directly into the table: of some 100 characters each, one after another
 * in one month.
 */
export async function layMessages(pool: pg.Pool, author: string, messages_count: number): Promise<void> {
  const low = BigInt(firstAt_ms) << 22n
  const high = BigInt(firstAt_ms + 31 * 24 * 3_600_000) << 22n
  await pool.query('select messages.lay_month($1, $2, $3)', ['m_2026_01', low, high])
  for (let from = 1; from <= messages_count; from += rowsAtOnce_max)
    await pool.query(
      `insert into messages.messages (id, channel_id, author_id, type, flags, content, tts, mentions_everyone,
         mentions_here, mentions, mention_roles)
       select ($1::int8 + n * $2::int8) << 22, 1000 + n % $3::int8, $4::int8, 0, 0,
         'number ' || n || ' ' || md5(n::text) || ' ' || md5((n * 7)::text), false, false, false, '{}', '{}'
       from generate_series($5::int8, $6::int8) n`,
      [firstAt_ms, between_ms, channels_count, author, from, Math.min(messages_count, from + rowsAtOnce_max - 1)],
    )
  await pool.query('vacuum analyze messages.messages')
}

/** The bare way: the same rows by the same index, as JSON in pages. */
export async function* bareRows(pool: pg.Pool, author: string): AsyncGenerator<Buffer> {
  let last: readonly [channel: string, id: string] = ['-1', '-1']
  for (;;) {
    const { rows } = await pool.query<{ readonly id: string; readonly channel_id: string }>(
      `select * from messages.messages where author_id = $1 and (channel_id, id) > ($2, $3)
       order by channel_id, id limit 500`,
      [author, ...last],
    )
    const end = rows.at(-1)
    if (!end) return
    last = [end.channel_id, end.id]
    yield Buffer.from(rows.map((row) => JSON.stringify(row)).join(',\n'))
  }
}
