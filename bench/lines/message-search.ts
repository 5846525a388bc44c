import type pg from 'pg'
import type { MessageSearch, MessageSearchQuery } from '../../application/ports/message-search.ts'
import { channelId, guildId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { measureCores, postgresProcesses } from '../support/cpu.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, type Comparison, type Sample } from '../support/rounds.ts'
import { withMessages } from '../support/with-messages.ts'

const messages_count = 1_000_000
const channels_count = 20
const hits = 5
/** The words that are asked for, and how many messages there are to each one that has it. */
const words = { rare: 200_000, some: 1000, common: 3 } as const

const firstAt_ms = Date.UTC(2026, 0, 1) - Date.UTC(2015, 0, 1)
const channels = Array.from({ length: channels_count }, (_, index) => channelId(snowflake(String(1000 + index))))
const guild = guildId(snowflake('1'))

/** A page of 5 of 1,000,000 messages of a guild with a rare, a usual and a very common word, beside the bare statement. */
export async function messageSearchLine({ seconds, rounds }: LineSettings): Promise<readonly Comparison[]> {
  return withMessages(1, async (opened, bare) => {
    await layMessages(bare)
    const pids = await postgresProcesses(bare)
    const comparisons: Comparison[] = []
    for (const word of Object.keys(words)) {
      const baseline = (): Promise<Sample> => searched(() => bareSearch(bare, word), { seconds, pids })
      const product = (): Promise<Sample> => searched(() => searchOf(opened.messageSearch, word), { seconds, pids })
      const line = `message-search, a ${word} word`
      comparisons.push(await compare({ line, unit: 'searches/s', target: 0.3, rounds, baseline, product }))
    }
    return comparisons
  })
}

/** Messages of some 100 characters in the channels of one guild, one after another in one month. */
async function layMessages(pool: pg.Pool): Promise<void> {
  const low = BigInt(firstAt_ms) << 22n
  const high = BigInt(firstAt_ms + 31 * 24 * 3_600_000) << 22n
  await pool.query('select messages.lay_month($1, $2, $3)', ['m_2026_01', low, high])
  const every = Object.entries(words)
    .map(([word, of]) => `case when n % ${of} = 0 then ' ${word}' else '' end`)
    .join(' || ')
  await pool.query(
    `insert into messages.messages (id, channel_id, guild_id, author_id, type, flags, content, tts, mentions_everyone,
       mentions_here, mentions, mention_roles, words)
     select ($1::int8 + n * 2) << 22, 1000 + n % $2::int8, $3::int8, n % 1000, 0, 0, t.text, false, false, false, '{}', '{}',
       array_to_tsvector(string_to_array(t.text, ' ') || array['c:' || (1000 + n % $2::int8), 'g:' || $3])
     from generate_series(1, $4::int8) n,
       lateral (select 'number' || n || ' ' || md5(n::text) || ' ' || md5((n * 7)::text) || ${every} as text) t`,
    [firstAt_ms, channels_count, guild, messages_count],
  )
  await pool.query('vacuum analyze messages.messages')
}

function bareSearch(pool: pg.Pool, word: string): Promise<unknown> {
  return pool.query({
    name: 'bare',
    text: `select id, channel_id, author_id, content from messages.messages where words @@ $1::tsquery order by id desc limit ${hits}`,
    values: [`'${word}' & 'g:${guild}'`],
  })
}

const nothingExcluded: MessageSearchQuery['excluded'] = {
  authors: [],
  authorTypes: [],
  mentions: [],
  has: [],
  embedTypes: [],
  embedProviders: [],
  linkHosts: [],
  filenames: [],
  extensions: [],
}

async function searchOf(search: MessageSearch, word: string): Promise<void> {
  const found = await search.search({
    places: channels.map((id) => ({ channelId: id, from: null })),
    guildId: guild,
    sought: { ...nothingExcluded, words: [word], anyWords: [], phrases: [] },
    excluded: nothingExcluded,
    excludedChannels: [],
    withoutTypes: [],
    mentionsEveryone: null,
    pinned: null,
    after: null,
    before: null,
    sort: 'timestamp',
    oldestFirst: false,
    offset: 0,
    limit: hits,
  })
  if (found === 'indexing' || found.messages.length !== hits) throw new Error(`The word ${word} was not found`)
}

interface Searching {
  readonly seconds: number
  readonly pids: () => readonly number[]
}

/** One search after another, with the times of the fastest half and of the slowest twentieth. */
async function searched(search: () => Promise<unknown>, { seconds, pids }: Searching): Promise<Sample> {
  const cores = measureCores({ writers: () => [process.pid], postgres: pids })
  const began = performance.now()
  const times_ms: number[] = []
  while (performance.now() - began < seconds * 1000) {
    const at = performance.now()
    await search()
    times_ms.push(performance.now() - at)
  }
  const sorted = times_ms.toSorted((one, other) => one - other)
  const [p50_ms = 0, p95_ms = 0] = [0.5, 0.95].map((part) => sorted[Math.floor(sorted.length * part)])
  const elapsed_s = (performance.now() - began) / 1000
  return { rate: times_ms.length / elapsed_s, cores: cores(), details: { p50_ms, p95_ms } }
}
