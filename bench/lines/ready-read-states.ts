import type pg from 'pg'
import type { OpenMessages } from '../../adapters/messages/open-messages.ts'
import { statesOf } from '../../adapters/messages/read-states.ts'
import type { Message } from '../../application/ports/messages.ts'
import type { Stay } from '../../application/ports/read-states.ts'
import { accountId, channelId, guildId, messageId, roleId } from '../../domain/ids/ids.ts'
import { composeSnowflake, snowflake } from '../../domain/ids/snowflake.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { messageTypes } from '../../domain/messages/message-types.ts'
import { noParts } from '../../domain/messages/parts.ts'
import { measureCores, postgresProcesses } from '../support/cpu.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, type Comparison, type Sample } from '../support/rounds.ts'
import { withMessages } from '../support/with-messages.ts'

const guilds_count = 100
const posting_count = 32
const reader = accountId(snowflake('7'))
const place = { channelId: channelId(snowflake('8')), channelType: 0, guildId: null, parentId: null, recipients: null }

/** Ids of the rows below. */
const stays = Array.from({ length: guilds_count }, (_, index): Stay => ({
  guildId: guildId(snowflake(String(1000 + index))),
  joinedAt: timestamp(0),
  roles: [1, 2, 3].map((role) => roleId(snowflake(String(role * 10_000 + index)))),
}))

/**
 * 20 channels a guild, which the account has read. In five of them everyone was mentioned 200 times, a role 20 times, and the account
 * 10 times; it has not read the last five messages of each of these channels.
 */
const laid = `
  insert into messages.mentions (channel_id, message_id, target_id, guild_id, is_private, author_id, arrived_at)
  select 100000 + g * 20 + c, 10 * n + kind, case kind when 0 then 1000 + g when 1 then 10000 + g else 7 end, 1000 + g, false, 9,
    now() - interval '1 day' + n * interval '1 second'
  from generate_series(0, 99) g, generate_series(0, 4) c, generate_series(1, 200) n, generate_series(0, 2) kind
  where kind = 0 or kind = 1 and n % 10 = 0 or n % 20 = 0;
  insert into messages.read_states (account_id, channel_id, last_message_id, counted_from)
  select 7, 100000 + g * 20 + c, 1950, now() - interval '1 day' + interval '195 seconds'
  from generate_series(0, 99) g, generate_series(0, 19) c;
  analyze messages.mentions; analyze messages.read_states;`

/**
 * The read states in READY of an account in 100 guilds, beside the bare statement; and sending a message that moves its author's read
 * state, beside one that moves none.
 */
export async function readyReadStatesLine({ seconds, rounds }: LineSettings): Promise<readonly Comparison[]> {
  return withMessages(1, async (opened, bare) => {
    await bare.query(laid)
    const pids = await postgresProcesses(bare)
    const measured =
      (act: () => Promise<unknown>, writers: number): (() => Promise<Sample>) =>
      () =>
        repeated(act, { writers, seconds, pids })
    return [
      await compare({
        line: 'ready-read-states, 100 guilds',
        unit: 'READYs/s',
        target: 0.7,
        rounds,
        baseline: measured(bareStatement(bare), 1),
        product: measured(() => opened.readStates.of(reader, stays), 1),
      }),
      await compare({
        line: `ready-read-states, sending, ${posting_count} in flight`,
        unit: 'messages/s',
        target: 0.8,
        rounds,
        baseline: measured(posting(opened, false), posting_count),
        product: measured(posting(opened, true), posting_count),
      }),
      await compare({
        line: 'ready-read-states, sending alone',
        unit: 'messages/s',
        target: 0.8,
        rounds,
        baseline: measured(posting(opened, false), 1),
        product: measured(posting(opened, true), 1),
      }),
    ]
  })
}

function bareStatement(pool: pg.Pool): () => Promise<unknown> {
  const { sql: text, values } = statesOf(reader, stays)
  const query = { name: 'bare', text: text.replaceAll(/\$slonik_(\d+)/g, '$$$1'), values: [...values] }
  return () => pool.query(query)
}

let posted = 0

function posting({ messages }: OpenMessages, isReadByAuthor: boolean): () => Promise<unknown> {
  return () => {
    posted += 1
    const message: Message = {
      id: messageId(composeSnowflake(Date.now(), posted % 4096)),
      channelId: place.channelId,
      guildId: null,
      authorId: accountId(snowflake(String(20 + (posted % posting_count)))),
      type: messageTypes.default,
      flags: 0,
      content: 'hello',
      editedAt: null,
      tts: false,
      mentionsEveryone: false,
      mentionsHere: false,
      mentions: [],
      mentionRoles: [],
      reference: null,
      ...noParts,
    }
    return messages.post({ message, isReadByAuthor, audience: place })
  }
}

interface Repeated {
  readonly writers: number
  readonly seconds: number
  readonly pids: () => readonly number[]
}

async function repeated(act: () => Promise<unknown>, { writers, seconds, pids }: Repeated): Promise<Sample> {
  const cores = measureCores({ writers: () => [process.pid], postgres: pids })
  const began = performance.now()
  let count = 0
  async function run(): Promise<void> {
    while (performance.now() - began < seconds * 1000) {
      await act()
      count += 1
    }
  }
  await Promise.all(Array.from({ length: writers }, run))
  const elapsed_s = (performance.now() - began) / 1000
  return { rate: count / elapsed_s, cores: cores(), details: { count } }
}
