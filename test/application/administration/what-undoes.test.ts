import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { undoOnAccount } from '../../../application/administration/undo/of-accounts.ts'
import type { AccountUndoing, CannotUndo, UndoNeeds } from '../../../application/administration/undo/undo-rule.ts'
import { whatUndoes } from '../../../application/administration/undo/what-undoes.ts'
import type { RecordedEvent } from '../../../application/ports/event-store.ts'
import { account as aggregate } from '../../../domain/account/account.ts'
import type { AccountCommand } from '../../../domain/account/commands.ts'
import type { AccountEvent } from '../../../domain/account/events.ts'
import type { AccountState } from '../../../domain/account/state.ts'
import { changedFlags } from '../../../domain/account/flags.ts'
import { entryId, type EntryId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { streamName } from '../../../domain/streams.ts'
import { account, registered, start } from '../../projections/support/people.ts'
import type { AnyEvent } from '../../projections/support/world.ts'

const id = account(1)
const entry = (number: number): EntryId => entryId(snowflake(String(1000 + number)))

/** The history of an account, in which each event names an entry: that of its place. */
function historyOf(...events: readonly AnyEvent[]): readonly RecordedEvent[] {
  return [registered(1), ...events].map((event, revision) => ({
    ...event,
    stream: streamName('account', id),
    revision,
    position: BigInt(revision),
    metadata: {
      eventId: String(revision),
      at: start,
      actor: { kind: 'system', name: 'test' },
      correlationId: '',
      causationId: '',
      adminAction: {
        entryId: entry(revision),
        commandId: '',
        adminId: id,
        credential: 'session',
        action: 'act',
        target: { type: 'user', id },
      },
    },
  }))
}

const act = {
  name: 'update_flags',
  entryId: entry(1),
  adminId: id,
  at: start,
  target: { type: 'user', id },
  streams: [],
  isOwn: () => false,
}

const flagsChanged = (flags: string): AnyEvent => ({ type: 'FlagsChanged', data: { accountId: id, flags } })
const banned = (until: string): AnyEvent => ({
  type: 'AccountBanned',
  data: { accountId: id, until: until as typeof start, bannedAt: start },
})
const lifted: AnyEvent = { type: 'AccountBanLifted', data: { accountId: id } }

describe('what undoes an entry', () => {
  it('gives back exactly the bits that it changed, or names a later change of one of them', () => {
    const word = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
    const few = fc.nat(7).map((bits) => BigInt(bits) << 61n)
    fc.assert(
      fc.property(fc.array(fc.oneof(word, few), { minLength: 1, maxLength: 6 }), fc.nat(), (words, pick) => {
        const place = pick % words.length
        const history = historyOf(...words.map((each) => flagsChanged(String(each))))
        const [before, after, last] = [words[place - 1] ?? 0n, words[place] ?? 0n, words.at(-1) ?? 0n]
        const bits = before ^ after
        const touched = words
          .slice(place + 1)
          .findIndex((each, index) => ((each ^ (words[place + index] ?? 0n)) & bits) !== 0n)
        const undoing = whatUndoes(history, entry(place + 1))
        if (touched >= 0) {
          expect(undoing).toMatchObject({ outcome: 'changed_since', by: { revision: place + touched + 2 } })
          return
        }
        expect(undoing).toMatchObject({ outcome: 'change_flags', isPremium: false })
        if (undoing.outcome !== 'change_flags') return
        const undone = BigInt(changedFlags(String(last), [undoing.add], [undoing.remove]))
        expect(undone & bits).toBe(before & bits)
        expect(undone & ~bits).toBe(last & ~bits)
      }),
    )
  })

  it('is the lifting of a ban, until another ban or its end', () => {
    const ban = banned('2030-01-01T00:00:00.000Z')
    expect(whatUndoes(historyOf(ban), entry(1))).toStrictEqual({ outcome: 'lift_ban', replacedUntil: null })
    expect(whatUndoes(historyOf(ban, lifted), entry(1))).toMatchObject({
      outcome: 'changed_since',
      by: { revision: 2 },
    })
    // The same end as before, but another act.
    expect(whatUndoes(historyOf(ban, lifted, ban), entry(1))).toMatchObject({ by: { revision: 2 } })
    expect(whatUndoes(historyOf(ban, ban), entry(2))).toMatchObject({ replacedUntil: '2030-01-01T00:00:00.000Z' })
  })

  it('is the same to a repeat of the command that undid it, and a later change to every other', async () => {
    const history = historyOf(flagsChanged('6'), flagsChanged('0')).map((event, revision) => {
      const { adminAction } = event.metadata
      if (revision !== 2 || !adminAction) return event
      return { ...event, metadata: { ...event.metadata, adminAction: { ...adminAction, commandId: 'own' } } }
    })
    const events = {
      async *readStream() {
        yield history
      },
    }
    const found = async (isUndone: (recorded: RecordedEvent) => boolean) =>
      undoOnAccount({ events } as unknown as UndoNeeds, { ...act, isUndone }, { by: id, now: start })
    expect(await found(({ metadata: { adminAction } }) => adminAction?.commandId === 'own')).toMatchObject({
      steps: [{ undoing: { outcome: 'change_flags', add: '0', remove: '6' } }],
      asOf: [{ revision: 2 }],
    })
    expect(await found(() => false)).toMatchObject({ outcome: 'changed_since' })
  })

  it('is nothing for entries without an event that can be undone', () => {
    expect(whatUndoes(historyOf(lifted), entry(1))).toMatchObject({ outcome: 'nothing_to_undo' })
    expect(whatUndoes(historyOf(), entry(9))).toMatchObject({ outcome: 'nothing_to_undo' })
  })
})

/** Acts of administrators whose order and values are drawn. */
const drawnAct: fc.Arbitrary<AccountCommand> = fc.oneof(
  fc.record({
    type: fc.constant('UpdateFlags' as const),
    add: fc.array(fc.constantFrom('1', '2', '8'), { maxLength: 2 }),
    remove: fc.array(fc.constantFrom('1', '2', '8'), { maxLength: 2 }),
  }),
  fc.record({
    type: fc.constant('UpdatePremiumFlags' as const),
    add: fc.array(fc.constantFrom(1, 2, 32), { maxLength: 2 }),
    remove: fc.array(fc.constantFrom(1, 2, 32), { maxLength: 2 }),
  }),
  fc.record({ type: fc.constant('SetTraits' as const), traits: fc.subarray(['beta', 'staff', 'tester']) }),
  fc.record({ type: fc.constant('SetAcls' as const), acls: fc.subarray(['admin:authenticate', 'user:lookup']) }),
  fc.record({ type: fc.constant('SetBotStatus' as const), bot: fc.boolean() }),
  fc.record({ type: fc.constant('SetSystemStatus' as const), system: fc.boolean() }),
  fc.record({
    type: fc.constant('ChangeDateOfBirth' as const),
    dateOfBirth: fc.constantFrom('1980-01-31', '1990-12-10'),
  }),
  fc.record({
    type: fc.constant('BanAccount' as const),
    duration_hours: fc.constantFrom(0, 5),
    now: fc.constant(start),
  }),
  fc.constant({ type: 'LiftAccountBan' as const }),
)

/** The command that does what an undoing says. */
function commandOf(undoing: AccountUndoing | CannotUndo): AccountCommand | undefined {
  switch (undoing.outcome) {
    case 'lift_ban':
      return { type: 'LiftAccountBan' }
    case 'cancel_deletion':
      return { type: 'CancelDeletion', dueAt: undoing.dueAt }
    case 'change_flags':
      return undoing.isPremium
        ? { type: 'UpdatePremiumFlags', add: [Number(undoing.add)], remove: [Number(undoing.remove)] }
        : { type: 'UpdateFlags', add: [undoing.add], remove: [undoing.remove] }
    case 'set_traits':
      return { type: 'SetTraits', traits: undoing.traits }
    case 'set_acls':
      return { type: 'SetAcls', acls: undoing.acls }
    case 'set_bot_status':
      return { type: 'SetBotStatus', bot: undoing.bot }
    case 'set_system_status':
      return { type: 'SetSystemStatus', system: undoing.system }
    case 'change_date_of_birth':
      return { type: 'ChangeDateOfBirth', dateOfBirth: undoing.dateOfBirth }
    default:
      return undefined
  }
}

/** Carries out commands as long as they are accepted; gives the state and the events. */
function carriedOut(state: AccountState, commands: readonly AccountCommand[]) {
  const events: AccountEvent[] = []
  let now = state
  for (const command of commands) {
    const decision = aggregate.decide(now, command)
    if (decision.outcome !== 'accepted') continue
    events.push(...decision.events)
    now = decision.events.reduce((held, event) => aggregate.evolve(held, event), now)
  }
  return { state: now, events }
}

describe('the newest act on an account', () => {
  it('is undone by a command after which the account is as it was before, or is named as what nothing undoes', () => {
    const first = aggregate.evolve(aggregate.initial, registered(1) as AccountEvent)
    fc.assert(
      fc.property(fc.array(drawnAct, { maxLength: 8 }), drawnAct, (earlier, act) => {
        const before = carriedOut(first, earlier)
        const acted = carriedOut(before.state, [act])
        if (acted.events.length !== 1) return
        const history = historyOf(...(before.events as AnyEvent[]), ...(acted.events as AnyEvent[]))
        const undoing = whatUndoes(history, entry(history.length - 1))
        const command = commandOf(undoing)
        // A ban that was replaced does not come back, which the undoing says.
        if (command === undefined || ('replacedUntil' in undoing && undoing.replacedUntil !== null)) return
        expect(factsOf(carriedOut(acted.state, [command]).state)).toEqual(factsOf(before.state))
      }),
    )
  })
})

/** What acts change, without the number of changes and what replaced acts left. */
function factsOf(state: AccountState) {
  if (state.status !== 'registered') throw new Error('the account is gone')
  const { flags, premiumFlags, traits, acls, bot, system, dateOfBirth, deletion } = state
  return { flags, premiumFlags, traits, acls: acls.toSorted(), bot, system, dateOfBirth, deletion }
}
