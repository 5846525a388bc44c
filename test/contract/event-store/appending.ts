import { describe, expect, it } from 'vitest'
import type { NewEvent } from '../../../application/ports/event-store.ts'
import { noStream } from '../../../domain/kernel/position.ts'
import { idBytes } from '../../../adapters/event-store/codec.ts'
import { appendBytes_max } from '../../../application/failures/append-too-large.ts'
import { AppendTooLarge } from '../../../application/failures/append-too-large.ts'
import { encodeMetadata } from '../../../adapters/event-store/stored-metadata.ts'
import type { StreamName } from '../../../domain/streams.ts'
import type { OpenEventStore } from './open-event-store.ts'
import {
  accountStream,
  anyAccount,
  anyStream,
  collect,
  idsOf,
  newEvent,
  newEvents,
  registration,
} from '../sample-events.ts'

const unstorable: readonly (readonly [string, unknown])[] = [
  ['NUL', 'a\0b'],
  ['a high surrogate alone', 'a\ud83d'],
  ['a low surrogate alone', '\udc4d b'],
  ['NUL after a backslash', '\\\0'],
  ['NUL deep inside', { list: [{ of: 'a\0' }] }],
]

export function appending(opened: () => OpenEventStore): void {
  describe('appending', () => {
    it('counts revisions from 0, and positions grow', async () => {
      const { store, before } = opened()
      const stream = anyStream()
      const first = await store.append(stream, noStream, newEvents(2))
      const second = await store.append(stream, 1, newEvents(1))
      expect(first).toMatchObject({ outcome: 'appended', revision: 1 })
      expect(second).toMatchObject({ outcome: 'appended', revision: 2 })
      if (first.outcome === 'conflict' || second.outcome === 'conflict') throw new Error('unreachable')
      expect(first.position).toBeGreaterThan(before)
      expect(second.position).toBeGreaterThan(first.position)
    })

    it.each([noStream, 0, 2])(
      'at an expected revision of %i, when the stream is at 1, is a conflict and writes nothing',
      async (expected) => {
        const { store, before } = opened()
        const stream = anyStream()
        const events = newEvents(2)
        await store.append(stream, noStream, events)
        expect(await store.append(stream, expected, newEvents(3))).toEqual({ outcome: 'conflict', revision: 1 })
        expect(idsOf(await collect(store.readAll(before)))).toEqual(idsOf(events))
      },
    )

    it('to a stream that does not exist, at an expected revision of 0, is a conflict', async () => {
      expect(await opened().store.append(anyStream(), 0, newEvents(1))).toEqual({
        outcome: 'conflict',
        revision: noStream,
      })
    })

    it('lets one of many writers win that expect the same revision', async () => {
      const { store } = opened()
      const stream = anyStream()
      const tries = Array.from({ length: 20 }, () => newEvents(2))
      const results = await Promise.all(tries.map((events) => store.append(stream, noStream, events)))
      const winner = results.findIndex(({ outcome }) => outcome === 'appended')
      expect(results.filter(({ outcome }) => outcome === 'appended')).toHaveLength(1)
      expect(results.filter(({ outcome }) => outcome === 'conflict')).toHaveLength(19)
      expect(idsOf(await collect(store.readStream(stream, noStream)))).toEqual(idsOf(tries[winner] ?? []))
    })

    it('writes many events to one stream in the order they were sent, each at its expected revision', async () => {
      const { store } = opened()
      const stream = anyStream()
      const events = newEvents(100)
      const results = await Promise.all(events.map((event, index) => store.append(stream, index - 1, [event])))
      expect(results.map(({ revision }) => revision)).toEqual(events.map((_, index) => index))
      expect(idsOf(await collect(store.readStream(stream, noStream)))).toEqual(idsOf(events))
    })

    it('accepts 1000 events at once, and refuses none and 1001', async () => {
      const { store } = opened()
      const stream = anyStream()
      await expect(store.append(stream, noStream, [])).rejects.toThrow(/1-1000 events, not 0/)
      await expect(store.append(stream, noStream, newEvents(1001))).rejects.toThrow(/1-1000 events, not 1001/)
      const events = newEvents(1000)
      expect(await store.append(stream, noStream, events)).toMatchObject({ outcome: 'appended', revision: 999 })
      expect(idsOf(await collect(store.readStream(stream, noStream)))).toEqual(idsOf(events))
    })
  })

  describe('the bytes of an append', () => {
    /** Two events of this many bytes together, of letters of two bytes each. */
    const eventsOf = (bytes: number): readonly NewEvent[] => {
      const [first, second] = [newEvent({ text: 'ü'.repeat(1000) }), newEvent({ text: '' })]
      const rest = bytes - bytesOf(first) - bytesOf(second)
      return [first, { ...second, data: { ...second.data, text: `${'x'.repeat(rest % 2)}${'ü'.repeat(rest / 2)}` } }]
    }
    const bytesOf = ({ type, data, metadata }: NewEvent): number =>
      Buffer.byteLength(JSON.stringify(data) + encodeMetadata(metadata, 1)) + 2 * type.length + idBytes

    it('are at most 1 MiB: that many are accepted, and are read as they were sent', async () => {
      const { store } = opened()
      const stream = anyStream()
      const events = eventsOf(appendBytes_max)
      expect(await store.append(stream, noStream, events)).toMatchObject({ outcome: 'appended', revision: 1 })
      const read = await collect(store.readStream(stream, noStream))
      expect(read.map(({ data }) => data)).toEqual(events.map(({ data }) => data))
    })

    it('are refused beyond that, with nothing written, while appends beside it are accepted', async () => {
      const { store, before } = opened()
      const stream = anyStream()
      const [tooLarge, small] = await Promise.allSettled([
        store.append(stream, noStream, eventsOf(appendBytes_max + 1)),
        store.append(anyStream(), noStream, newEvents(1)),
      ])
      expect(tooLarge).toMatchObject({ status: 'rejected', reason: expect.any(AppendTooLarge) })
      expect(small).toMatchObject({ status: 'fulfilled' })
      expect((await collect(store.readAll(before))).filter((event) => event.stream === stream)).toEqual([])
      expect(await store.append(stream, noStream, newEvents(1))).toMatchObject({ outcome: 'appended', revision: 0 })
    })
  })

  describe('an append that cannot be stored', () => {
    const refusedAlone = async (stream: StreamName, event: NewEvent, reason: RegExp): Promise<void> => {
      const { store, before } = opened()
      const neighbours = Array.from({ length: 10 }, anyStream)
      const [refused, ...taken] = await Promise.allSettled([
        store.append(stream, noStream, [newEvent(), event]),
        ...neighbours.map((neighbour) => store.append(neighbour, noStream, newEvents(1))),
      ])
      expect(refused).toMatchObject({ status: 'rejected', reason: { message: expect.stringMatching(reason) } })
      expect(refused).toMatchObject({
        reason: { message: expect.stringContaining(JSON.stringify(stream).slice(0, 20)) },
      })
      expect(taken.map(({ status }) => status)).toEqual(neighbours.map(() => 'fulfilled'))
      const stored = await collect(store.readAll(before))
      expect(stored.filter((one) => one.stream === stream)).toEqual([])
    }

    it.each(unstorable)('for %s is refused with the name of its stream, and its neighbours are accepted', (_, text) =>
      refusedAlone(anyStream(), newEvent({ text }), /NUL or half of a surrogate pair/),
    )

    it('for NUL in a member name, or in the reason, is refused too', async () => {
      await refusedAlone(anyStream(), newEvent({ 'a\0': 1 }), /NUL or half/)
      await refusedAlone(anyStream(), newEvent({}, { reason: 'because\0' }), /NUL or half/)
    })

    it('for NUL in personal data is refused too', async () => {
      const account = anyAccount()
      const append = opened().store.append(accountStream(account), noStream, [
        registration(account, { email: 'a\0@b' }),
      ])
      await expect(append).rejects.toThrow(/NUL or half/)
    })

    it('for a stream whose name contains NUL, or has no category, is refused', async () => {
      await refusedAlone('invite-a\0' as StreamName, newEvent(), /its name/)
      await refusedAlone('poll-1' as StreamName, newEvent(), /no event catalog/)
      await refusedAlone('invite' as StreamName, newEvent(), /no event catalog/)
    })

    it.each(['InviteVanished', 'GuildCreated', 'toString'])(
      'for the type %s, which is not in its catalog, is refused',
      (type) => refusedAlone(anyStream(), { ...newEvent(), type }, new RegExp(`no event type "${type}"`)),
    )
  })
}
