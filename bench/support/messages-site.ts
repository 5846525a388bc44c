import path from 'node:path'
import { openMessages, type OpenMessages } from '../../adapters/messages/open-messages.js'
import { openDatabase, type PostgresDatabase } from '../../adapters/postgres/database.js'
import { startEmbeddedPostgres } from '../../adapters/postgres/embedded/start.js'
import { openStore } from '../../cli/store.js'
import { accountId, channelId, guildId, type ChannelId } from '../../domain/ids/ids.js'
import { composeSnowflake, snowflake } from '../../domain/ids/snowflake.js'
import { scratch } from './scratch.js'

/** A Postgres with the messages of many authors, without the rest of a server. */
export interface MessagesSite {
  readonly database: PostgresDatabase
  readonly opened: OpenMessages
  /** Writes messages of the author, with as many of others between them, over channels and months. */
  write(count: number): Promise<void>
}

export const author = accountId(snowflake('71'))
export const home = guildId(snowflake('91'))
const channels_count = 200
export const channels: readonly ChannelId[] = Array.from({ length: channels_count }, (_, index) =>
  channelId(snowflake(`${1000 + index}`)),
)

const months = [0, 1, 2].map((month) => ({
  name: `m_2026_0${month + 1}`,
  low: composeSnowflake(Date.UTC(2026, month), 0),
  high: composeSnowflake(Date.UTC(2026, month + 1), 0),
}))

/** Runs a line beside such a Postgres, and removes it afterwards. */
export async function withMessagesSite<Result>(measure: (site: MessagesSite) => Promise<Result>): Promise<Result> {
  const place = scratch()
  const postgres = await startEmbeddedPostgres({ folder: path.join(place.folder, 'postgres') })
  const onError = (error: unknown): void => console.error(error)
  try {
    const { connection } = postgres
    const store = await openStore({ connection, personalDataKey: new Uint8Array(32).fill(7), onError })
    const database = openDatabase(connection, { connections_max: 4 })
    const opened = openMessages({ database, connection, isAlone: true, onError })
    try {
      for (const { name, low, high } of months)
        await database.pool.query('select messages.lay_month($1, $2, $3)', [name, low, high])
      return await measure({ database, opened, write: (count) => write(database, count) })
    } finally {
      await opened.close()
      await database.close()
      await store.close()
    }
  } finally {
    await postgres.stop()
    place.remove()
  }
}

async function write({ pool }: PostgresDatabase, count: number): Promise<void> {
  const { low } = months[0] ?? { low: '0' }
  const { high } = months.at(-1) ?? { high: '0' }
  const step = (BigInt(high) - BigInt(low)) / BigInt(count)
  await pool.query(
    `insert into messages.messages
    select $1::int8 + n * $2::int8 + who, $3::int8 + (n * 7919) % $4, 91, $5::int8 + who, 0, 0, 'A message of an ordinary length',
      null, false, false, false, '{}', '{}', null, null
    from generate_series(0, $6::int8 - 1) n, generate_series(0, 1) who`,
    [low, step, channels[0], channels_count, author, count],
  )
  await pool.query('vacuum analyze messages.messages')
}
