import { afterEach, beforeEach, describe } from 'vitest'
import { appending } from './event-store/appending.js'
import { following } from './event-store/following.js'
import type { OpenEventStore } from './event-store/open-event-store.js'
import { personalData } from './event-store/personal-data.js'
import { reading } from './event-store/reading.js'
import { repeating } from './event-store/repeating.js'

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
