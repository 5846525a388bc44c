import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aggregates, eventCatalogs } from '../../../domain/aggregates.ts'
import { eventCodec } from '../../../adapters/event-store/codec.ts'
import type { DomainEvent } from '../../../domain/kernel/decider.ts'
import { categoryOf } from '../../../domain/streams.ts'
import { destroyedKeys, sampleKeys } from './sample-keys.ts'
import { samples } from './samples.ts'

const codec = eventCodec(sampleKeys)

describe('released events', () => {
  it('have a sample of every type and version, and there is none of any other', () => {
    const released = Object.values(eventCatalogs).flatMap(({ category, events }) =>
      Object.entries(events).flatMap(([type, { version }]) =>
        Array.from({ length: version }, (_, older) => `${category}/${type}.v${older + 1}`),
      ),
    )
    const sampled = samples.map(({ category, type, version }) => `${category}/${type}.v${version}`)
    expect(new Set(sampled)).toEqual(new Set(released))
  })

  it.each(samples)(
    'read as the current version of their type: $name',
    async ({ category, type, version, stored, reads }) => {
      expect(categoryOf(stored.stream)).toBe(category)
      expect(stored.metadata).toMatchObject({ schemaVersion: version })
      const [event] = await codec.decode([stored])
      expect(event).toMatchObject({ type, metadata: { eventId: stored.eventId, at: '2026-11-20T12:30:15.250Z' } })
      expect(event?.data).toStrictEqual(reads)
    },
  )

  it('have the reason, where that is sealed, for as long as there is the key', async () => {
    const sealed = samples.filter(({ stored }) => Object.hasOwn(Object(stored.metadata), 'sealedReason'))
    expect(sealed.map(({ name }) => name)).toStrictEqual([
      'email_address/EmailAddressAwaited.v1.reason',
      'membership/MemberKicked.v1.reason',
    ])
    for (const { stored } of sealed) {
      expect(await codec.decode([stored])).toMatchObject([{ metadata: { reason: 'shouted' } }])
      expect((await eventCodec(destroyedKeys).decode([stored]))[0]?.metadata).not.toHaveProperty('reason')
    }
  })

  it('name the operation that was asked for, where they were stored with it', async () => {
    const named = samples.filter(({ stored }) => Object.hasOwn(Object(stored.metadata), 'operation'))
    expect(named.map(({ name }) => name)).toStrictEqual([
      'guild/GuildDeleted.v2.with-client-request',
      'guild/GuildDeleted.v2.with-operation',
    ])
    for (const { stored } of named)
      expect(await codec.decode([stored])).toMatchObject([{ metadata: { operation: 'Delete guild' } }])
  })

  it('name the id that the client gave its request, where they were stored with it', async () => {
    const named = samples.filter(({ stored }) => Object.hasOwn(Object(stored.metadata), 'clientRequestId'))
    expect(named.map(({ name }) => name)).toStrictEqual(['guild/GuildDeleted.v2.with-client-request'])
    for (const { stored } of named)
      expect(await codec.decode([stored])).toMatchObject([{ metadata: { clientRequestId: 'client-request-1' } }])
  })

  it.each(samples)('hold personal data sealed alone: $name', ({ category, type, stored, reads, inTheClear }) => {
    const personal = eventCatalogs[category].events[type]?.personal ?? []
    for (const member of personal.filter((name) => !inTheClear.includes(name))) {
      const [kept, read] = [Object(stored.data)[member], Object(reads)[member]]
      // Members that were added later, and members of only some events.
      if (kept === undefined && read === undefined) continue
      expect(kept).toEqual(read === null ? null : { $sealed: expect.stringMatching(/^v1\./) })
    }
  })
})

/** The parts of an aggregate that the test of `evolve` needs, whatever its events are. */
interface Evolver {
  readonly category: string
  readonly initial: unknown
  readonly evolve: (state: never, event: never) => unknown
}

const evolvers: readonly Evolver[] = Object.values(aggregates)

describe.each(evolvers)('evolve of $category', ({ category, initial, evolve }) => {
  const stored = samples.filter((sample) => sample.category === category).map((sample) => sample.stored)
  const evolved = (state: unknown, event: DomainEvent): unknown => evolve(state as never, event as never)

  it('takes every event ever released in any order, with personal data and without', async () => {
    const events = [...(await codec.decode(stored)), ...(await eventCodec(destroyedKeys).decode(stored))]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events), { maxLength: 12 }), (history) => {
        const state = history.reduce(evolved, initial)
        expect(state).toMatchObject({ status: expect.any(String) })
        // Plain JSON, so that it can be snapshotted.
        expect(JSON.parse(JSON.stringify(state))).toStrictEqual(state)
      }),
    )
  })
})
