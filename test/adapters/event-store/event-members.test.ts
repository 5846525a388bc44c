import { describe, expect, it } from 'vitest'
import { eventCodec } from '../../../adapters/event-store/codec.ts'
import { memoryEventStore } from '../../support/memory/memory-event-store.ts'
import { misfitIn } from '../../../adapters/event-store/misfit.ts'
import type { EventDefinition, MemberKind } from '../../../domain/kernel/event-catalog.ts'
import { memoryPersonalDataKeys } from '../../support/memory/memory-keys.ts'
import { aggregates } from '../../../domain/aggregates.ts'
import { isUnreadable } from '../../../application/failures/unreadable-event.ts'
import { UnreadableEvent } from '../../../application/failures/unreadable-event.ts'
import { streamName } from '../../../domain/streams.ts'
import { collect, metadata } from '../../contract/sample-events.ts'
import { destroyedKeys, sampleKeys } from '../../domain/released-events/sample-keys.ts'
import { samples } from '../../domain/released-events/samples.ts'

/** For each kind one value that no other kind accepts. */
const values: Readonly<Record<string, unknown>> = { text: 'a', number: 1, flag: true, list: ['a'], object: { a: 1 } }

describe('what the data of events must have', () => {
  it('is said of every type of every category', () => {
    for (const { category, events } of Object.values(aggregates)) {
      const silent = Object.entries<EventDefinition>(events).filter(([, { members }]) => members === undefined)
      expect({ category, silent }).toStrictEqual({ category, silent: [] })
    }
  })

  it.each(samples)('every event ever released has, with personal data and without: $name', async ({ stored }) => {
    for (const keys of [sampleKeys, destroyedKeys]) expect(await eventCodec(keys).decode([stored])).toHaveLength(1)
  })

  for (const [given, value] of Object.entries(values)) {
    it(`takes ${given} for nothing else`, () => {
      for (const kind of Object.keys(values)) {
        const misfit = given === kind ? undefined : `its member m is not ${kind}`
        expect(misfitIn({ m: value }, { m: kind as MemberKind })).toBe(misfit)
        expect(misfitIn({ m: value }, { m: `${kind} or null` as MemberKind })).toBe(misfit && `${misfit} or null`)
      }
    })
  }

  it('has null only where it may be, and nothing missing', () => {
    expect(misfitIn({ m: null }, { m: 'text or null' })).toBeUndefined()
    expect(misfitIn({ m: null }, { m: 'object' })).toBe('its member m is not object')
    expect(misfitIn({}, { m: 'text or null' })).toBe('its member m is not text or null')
    expect(misfitIn({ m: 'a', more: 1 }, { m: 'text' })).toBeUndefined()
  })
})

describe('an event whose data lack something', () => {
  it('can not be read, so that nothing is decided on it', async () => {
    const store = memoryEventStore({ keys: memoryPersonalDataKeys() })
    const stream = streamName('handle', 'ada')
    const data = { username: 'ada', accountId: '1' }
    await store.append(stream, -1, [{ type: 'HandleClaimed', data, metadata: metadata() }])
    await expect(collect(store.readStream(stream, -1))).rejects.toThrow(UnreadableEvent)
    const [event] = await collect(store.readAll(-1n))
    expect(event && isUnreadable(event) && event.data).toMatchObject({
      unknown: 'data',
      reason: 'its member discriminator is not number',
    })
  })
})
