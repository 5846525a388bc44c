import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Refused } from '../../../application/commands/refused.ts'
import type { Aggregates } from '../../../application/ports.ts'
import { openAggregates } from '../../../process/aggregates.ts'
import { openStore, type Store } from '../../../process/store.ts'
import { account as accountAggregate } from '../../../domain/account/account.ts'
import type { AccountCommand } from '../../../domain/account/commands.ts'
import type { AccountEvent } from '../../../domain/account/events.ts'
import type { AccountState } from '../../../domain/account/state.ts'
import { secondsAfter, timestamp } from '../../../domain/kernel/timestamp.ts'
import { streamName } from '../../../domain/streams.ts'
import { happens } from '../../cli/support/happenings.ts'
import { account, registered } from '../../projections/support/people.ts'
import { noteFault } from '../../support/fault-table.ts'
import { testContext } from '../../support/test-context.ts'
import { laidDatabase, type TestDatabase } from '../../support/test-database.ts'

const processes_count = 4
const target = account(1)
const stream = streamName('account', target)
const now = timestamp(Date.now())
/** Those that the life cycle neither sets nor clears. */
const bits = Array.from({ length: 16 }, (_, index) => 2n ** BigInt(40 + (index > 10 ? index + 5 : index)))
const dueAt = secondsAfter(now, 60 * 86_400)
const scheduling = {
  type: 'ScheduleDeletion',
  reasonCode: 1,
  delay_days: 60,
  publicReason: null,
  auditLogReason: null,
  scheduledBy: account(2),
  replaces: null,
  now,
} as const

/** What each of the 64 writers sends, one after another. */
const writers: readonly (readonly AccountCommand[])[] = [
  ...bits.map((bit) => [{ type: 'UpdateFlags', add: [String(bit)], remove: [] } as const]),
  ...many(12, () => [{ type: 'BanAccount', duration_hours: 2, now }, { type: 'LiftAccountBan' }]),
  ...many(12, () => [scheduling, { type: 'CancelDeletion', dueAt }]),
  ...many(24, (index) => [
    { type: 'StartSession', tokenHash: `session ${index}`, ip: null, userAgent: null, now },
    { type: 'StartSession', tokenHash: `later session ${index}`, ip: null, userAgent: null, now },
  ]),
]

function many(count: number, of: (index: number) => readonly AccountCommand[]): readonly (readonly AccountCommand[])[] {
  return Array.from({ length: count }, (_, index) => of(index))
}

interface Sent {
  readonly type: string
  readonly changed: boolean
  readonly refused: string | null
  readonly took_ms: number
}

describe('64 writers of one account in several processes', () => {
  let test: TestDatabase
  let stores: readonly Store[] = []

  beforeEach(async () => {
    test = await laidDatabase()
    const personalDataKey = randomBytes(32)
    const open = () => openStore({ connection: test.connection, personalDataKey, onError: () => undefined })
    stores = await Promise.all(Array.from({ length: processes_count }, open))
  })
  afterEach(async () => {
    for (const store of stores) await store.close()
    await test.close()
  })

  it('F19c: ban, lift, schedule, cancel, flag and sign in, and each act is whole, or refused and not done', async () => {
    const [store] = stores
    if (!store) throw new Error('There is no store')
    await happens(store.events, stream, registered(1))
    const accounts = stores.map((each) => openAggregates({ store: each.events, snapshots: each.snapshots }).account)
    const sent = (await Promise.all(writers.map((commands, index) => write(accounts, index, commands)))).flat()
    const { states, types } = await historyIn(store)

    const done = (type: string): number => sent.filter((each) => each.type === type && each.changed).length
    const events = (type: string): number => types.filter((each) => each === type).length
    const pairs = [
      ['UpdateFlags', 'FlagsChanged'],
      ['BanAccount', 'AccountBanned'],
      ['LiftAccountBan', 'AccountBanLifted'],
      ['ScheduleDeletion', 'AccountDeletionScheduled'],
      ['CancelDeletion', 'AccountDeletionCancelled'],
      ['StartSession', 'SessionStarted'],
    ] as const
    const differences = pairs.map(([command, event]) => events(event) - done(command))
    const closed = states.filter(
      (state) => isClosed(state) && state.status === 'registered' && state.sessions.length > 0,
    )
    noteFault('F19c', {
      title: `${writers.length} writers of one account in ${processes_count} processes`,
      runs: sent.length,
      lost: differences.reduce((sum, each) => sum + Math.max(0, -each), 0),
      repeated: differences.reduce((sum, each) => sum + Math.max(0, each), 0),
      reordered: 0,
      divergent: closed.length,
      stuck_s: Math.max(...sent.map(({ took_ms }) => took_ms)) / 1000,
      note: `${sent.filter(({ refused }) => refused === 'CONFLICT').length} of ${sent.length} refused with CONFLICT`,
    })
    expect(differences).toStrictEqual(pairs.map(() => 0))
    expect(closed).toStrictEqual([])
    const allowed = [
      null,
      'CONFLICT',
      'NO_PENDING_DELETION',
      'ACCOUNT_SUSPENDED_TEMPORARILY',
      'ACCOUNT_SUSPENDED_PERMANENTLY',
    ]
    expect(sent.filter(({ refused }) => !allowed.includes(refused))).toStrictEqual([])
    // At most one deletion is pending at a time: a schedule and a cancellation follow on each other.
    const pending = types.filter((type) => type.startsWith('AccountDeletion'))
    expect(pending.filter((type, index) => type === pending[index - 1])).toStrictEqual([])
    const last = states.at(-1)
    const flags = BigInt(last?.status === 'registered' ? last.flags : 0)
    const flagged = sent.filter(({ type, changed }) => type === 'UpdateFlags' && changed).length
    expect(bits.filter((bit) => (flags & bit) === bit)).toHaveLength(flagged)
  })
})

/** A writer of one of the processes. */
async function write(
  accounts: readonly Aggregates['account'][],
  index: number,
  commands: readonly AccountCommand[],
): Promise<readonly Sent[]> {
  const sent: Sent[] = []
  const process = accounts[index % accounts.length]
  if (!process) throw new Error('There is no process')
  for (const command of commands) {
    const began = performance.now()
    const result = await process.execute(target, command, testContext()).then(
      ({ changed }) => ({ changed, refused: null }),
      (error: unknown) => {
        if (!(error instanceof Refused)) throw error
        return { changed: false, refused: error.refusal.code }
      },
    )
    sent.push({ type: command.type, ...result, took_ms: performance.now() - began })
  }
  return sent
}

/** The account after each append, and the types of its events. */
async function historyIn({ events }: Store): Promise<{
  readonly states: readonly AccountState[]
  readonly types: readonly string[]
}> {
  let state: AccountState = accountAggregate.initial
  const [states, types]: [Map<string, AccountState>, string[]] = [new Map(), []]
  for await (const page of events.readStream(stream, -1))
    for (const event of page) {
      // The stream has events of accounts only.
      state = accountAggregate.evolve(state, event as unknown as AccountEvent)
      // The events of one append have one cause; only the last of its states was ever decided on.
      states.set(event.metadata.causationId, state)
      types.push(event.type)
    }
  return { states: [...states.values()], types }
}

const isClosed = (state: AccountState): boolean =>
  state.status === 'registered' && (state.bannedUntil !== null || state.deletion !== null)
