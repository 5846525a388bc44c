import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { whatUndoes } from '../../../application/administration/undo/what-undoes.ts'
import type { RecordedEvent } from '../../../application/ports/event-store.ts'
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

  it('is nothing for entries without an event that can be undone', () => {
    expect(whatUndoes(historyOf(lifted), entry(1))).toStrictEqual({ outcome: 'nothing_to_undo' })
    expect(whatUndoes(historyOf(), entry(9))).toStrictEqual({ outcome: 'nothing_to_undo' })
  })
})
