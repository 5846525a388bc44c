import { expect } from 'vitest'
import { blindIndex } from '../../../adapters/personal-data/blind-index.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { streamName } from '../../../domain/streams.ts'
import { account, registered, start } from '../../projections/support/people.ts'
import { happens } from './happenings.ts'
import type { Instance } from './instance.ts'

export interface NewAccount {
  readonly id: AccountId
  readonly number: number
  readonly tag: string
  readonly email: string
}

/** `guildhall user` and `guildhall undo` on one instance, and accounts to try it on. */
export interface UserCommands {
  /** A new account with an address and two live sessions. */
  newAccount(): Promise<NewAccount>
  /** Runs a command that succeeds; gives its output. */
  succeeds(...words: readonly string[]): Promise<string>
  /** Runs a command that is refused and changes nothing; gives what it says. */
  refused(...words: readonly string[]): Promise<string>
  /** Runs a command dry, then really, and compares what the first printed with what the second did. */
  foretells(...words: readonly string[]): Promise<{ readonly dry: string; readonly output: string }>
  /** The types of the events of an account. */
  eventsOf(id: AccountId): Promise<readonly string[]>
  /** The data of the newest entry of the admin audit log. */
  newestEntry(): Promise<object>
}

/** Projecting takes the longest part of an account. */
const together_count = 10

export function userCommands(site: () => Instance): UserCommands {
  let number = 0
  const waiting: NewAccount[] = []

  async function run(words: readonly string[], code: number) {
    const ended = await site().guildhall(words[0] === 'undo' ? words : ['user', ...words])
    expect(ended).toMatchObject(code === 0 ? { code, said: '' } : { code, output: '' })
    return ended
  }

  async function newAccount(): Promise<NewAccount> {
    if (waiting.length === 0) {
      for (let count = 0; count < together_count; count += 1) waiting.push(await appendAccount())
      await site().project()
    }
    const account = waiting.shift()
    if (!account) throw new Error('No account is left')
    return account
  }

  async function appendAccount(): Promise<NewAccount> {
    number += 1
    const { store } = site()
    const id = account(number)
    const email = `user${number}@example.org`
    const sessions = ['one', 'two'].map((name) => ({
      type: 'SessionStarted' as const,
      data: { accountId: id, tokenHash: `${name}-${number}`, startedAt: start, ip: null, userAgent: null },
    }))
    await happens(store.events, streamName('account', id), registered(number), ...sessions)
    const addressHash = blindIndex(store.personalDataKey)(email)
    const claimed = { type: 'EmailAddressClaimed' as const, data: { addressHash, accountId: id } }
    await happens(store.events, streamName('email_address', addressHash), claimed)
    return { id, number, email, tag: `User${number}#${String(number).padStart(4, '0')}` }
  }

  async function mails(): Promise<number> {
    const { output } = await site().guildhall(['mail', '--last', '1000'])
    return (output.match(/^Subject: /gm) ?? []).length
  }

  async function succeeds(...words: readonly string[]): Promise<string> {
    return (await run(words, 0)).output
  }

  return {
    newAccount,
    succeeds,
    async refused(...words) {
      const before = (await site().events()).length
      const { said } = await run(words, 1)
      expect(await site().events()).toHaveLength(before)
      return said
    },
    async foretells(...words) {
      const [before, mailsBefore] = [(await site().events()).length, await mails()]
      const dry = await succeeds(...words, '--dry-run')
      expect(dry).toContain('This was a dry run: nothing was written or sent.\n')
      expect([(await site().events()).length, await mails()]).toStrictEqual([before, mailsBefore])
      const output = await succeeds(...words)
      const written = (await site().events()).slice(before)
      expect(eventsIn(dry)).toStrictEqual(
        written.map(({ stream, type, data }) => [stream, type, Object.keys(data).toSorted(), masked(data)]),
      )
      expect((dry.match(/^mail {2}/gm) ?? []).length).toBe((await mails()) - mailsBefore)
      return { dry, output }
    },
    eventsOf: async (id) =>
      (await site().events()).filter(({ stream }) => stream === streamName('account', id)).map(({ type }) => type),
    newestEntry: async () => (await site().events()).findLast(({ type }) => type === 'AdminActionRecorded')?.data ?? {},
  }
}

/** The events that a dry run printed. */
function eventsIn(output: string): readonly unknown[] {
  return output.split('\n').flatMap((line) => {
    const {
      stream,
      type,
      json = '{}',
    } = /^event {2}(?<stream>\S+) {2}(?<type>\S+) {2}(?<json>.*)/.exec(line)?.groups ?? {}
    if (stream === undefined) return []
    const data = JSON.parse(json) as object
    return [[stream, type, Object.keys(data).toSorted(), masked(data)]]
  })
}

/** Without what differs from run to run: times, new ids, hashes and sealed values. */
function masked(data: object): object {
  const text = JSON.stringify(
    Object.fromEntries(Object.entries(data).toSorted(([one], [other]) => (one < other ? -1 : 1))),
  )
  const steady = text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/"\d{17,19}"/g, '"ID"')
    .replaceAll(/"[A-Za-z0-9+/=_-]{40,}"/g, '"HASH"')
  return JSON.parse(steady) as object
}

/** The entry that a command says it left. */
export function entryIn(output: string): string {
  return /^Audit log entry: (\d+)$/m.exec(output)?.[1] ?? ''
}
