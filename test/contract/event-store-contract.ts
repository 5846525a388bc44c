import { afterEach, beforeEach, describe } from 'vitest'
import { appending } from './event-store/appending.ts'
import { following } from './event-store/following.ts'
import type { OpenEventStore } from './event-store/open-event-store.ts'
import { personalData } from './event-store/personal-data.ts'
import { reading } from './event-store/reading.ts'
import { repeating } from './event-store/repeating.ts'

/**
 * The behaviour of every adapter of the port EventStore. `open` returns a separate store for each test. The suite requires of
 * positions only that they grow.
 */
export function eventStoreContract(name: string, open: () => Promise<OpenEventStore>): void {
  describe(`${name}, as an event store,`, () => {
    let opened: OpenEventStore
    beforeEach(async () => {
      opened = await open()
    })
    afterEach(() => opened.close())

    for (const part of [appending, repeating, reading, following, personalData]) part(() => opened)
  })
}
