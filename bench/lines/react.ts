import type { OpenMessages } from '../../adapters/messages/open-messages.ts'
import type { Message } from '../../application/ports/messages.ts'
import type { ReactionChange, Reactions } from '../../application/ports/reactions.ts'
import { accountId, channelId, messageId } from '../../domain/ids/ids.ts'
import { messageTypes } from '../../domain/messages/message-types.ts'
import { composeSnowflake } from '../../domain/ids/snowflake.ts'
import { measureCores, postgresProcesses } from '../support/cpu.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, type Comparison, type Sample } from '../support/rounds.ts'
import { withMessages } from '../support/with-messages.ts'

/** One of them alone, and as many as react to one message in a busy second. */
const inFlight = [1, 32] as const
const place = { channelId: channelId(composeSnowflake(Date.now(), 1)), channelType: 0, guildId: null, parentId: null }
const audience = { ...place, recipients: null }
const bareTable = `
  create schema bench;
  create table bench.reactions (channel_id bigint, message_id bigint, emoji text, account_id bigint,
    primary key (channel_id, message_id, emoji, account_id))`
const bareUpsert = `insert into bench.reactions values ($1, $2, $3, $4) on conflict do nothing`

/** Accounts that join those who reacted to one message, with notice and count, beside a bare upsert of the same rows. */
export async function reactLine({ seconds, rounds }: LineSettings): Promise<readonly Comparison[]> {
  return withMessages(Math.max(...inFlight), async (opened, bare) => {
    await bare.query(bareTable)
    const message = await postedMessage(opened)
    const pids = await postgresProcesses(bare)
    const upsert = (account: string): Promise<unknown> =>
      bare.query({ name: 'bare', text: bareUpsert, values: [place.channelId, message, '👍', account] })
    const comparisons: Comparison[] = []
    for (const writers of inFlight) {
      const measured = (react: (account: string) => Promise<unknown>) => () =>
        reacted(react, { writers, seconds, pids })
      const [baseline, product] = [measured(upsert), measured(reactTo(opened.reactions, message))]
      comparisons.push(
        await compare({
          line: `react, ${writers} in flight`,
          unit: 'reactions/s',
          target: 0.5,
          rounds,
          baseline,
          product,
        }),
      )
    }
    return comparisons
  })
}

async function postedMessage({ messages, reactions }: OpenMessages) {
  const id = messageId(composeSnowflake(Date.now(), 2))
  const message: Message = {
    id,
    channelId: place.channelId,
    guildId: null,
    authorId: accountId(id),
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
    embeds: [],
    attachments: [],
    stickers: [],
    snapshots: [],
    pinnedAt: null,
  }
  await messages.post({ message, audience })
  await reactTo(reactions, id)('1')
  return id
}

function reactTo(reactions: Reactions, id: ReactionChange['messageId']): (account: string) => Promise<unknown> {
  return async (account) => {
    const outcome = await reactions.change({
      kind: 'add',
      messageId: id,
      audience,
      without: [],
      sessionId: null,
      mayBeFirst: true,
      emoji: { id: null, name: '👍', animated: false },
      users_max: 100_000_000,
      emojis_max: 30,
      accountId: account as ReturnType<typeof accountId>,
    })
    if (outcome !== 'added') throw new Error(`The reaction is ${outcome}`)
  }
}

let accounts = 1

interface Reacting {
  readonly writers: number
  readonly seconds: number
  readonly pids: () => readonly number[]
}

/** Each writer reacts as one new account after another. */
async function reacted(
  react: (account: string) => Promise<unknown>,
  { writers, seconds, pids }: Reacting,
): Promise<Sample> {
  const cores = measureCores({ writers: () => [process.pid], postgres: pids })
  const began = performance.now()
  let count = 0
  async function run(): Promise<void> {
    while (performance.now() - began < seconds * 1000) {
      accounts += 1
      await react(String(accounts))
      count += 1
    }
  }
  await Promise.all(Array.from({ length: writers }, run))
  const elapsed_s = (performance.now() - began) / 1000
  return { rate: count / elapsed_s, cores: cores(), details: { count } }
}
