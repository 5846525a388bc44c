import { accountId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import type { HandleEvent } from '../../../domain/handle/events.ts'
import { add, projection, put, remove, type Projection } from '../../../projections/runner/projection.ts'

/** A read model that reveals lost events and events counted twice. `by` is what a version counts each event as. */
export function tallies(name = 'tallies', version = 1, by = 1): Projection {
  return projection<HandleEvent>({
    name,
    answers: 'How often each handle was claimed.',
    version,
    tables: new URL('./tallies.sql', import.meta.url),
    keys: { claims: ['username', 'discriminator'], totals: ['username'] },
    on: {
      HandleClaimed: ({ data: { username, discriminator, accountId: account } }) => [
        put('claims', { username, discriminator, account_id: account }),
        add('totals', { username }, { total: by, events: 1 }),
      ],
      HandleReleased: ({ data: { username, discriminator } }) => [
        remove('claims', { username, discriminator }),
        add('totals', { username }, { total: -by, events: 1 }),
      ],
    },
  })
}

const holder = accountId(snowflake('1'))

export const claimed = (username: string, discriminator: number): HandleEvent => ({
  type: 'HandleClaimed',
  data: { username, discriminator, accountId: holder },
})

export const released = (username: string, discriminator: number): HandleEvent => ({
  type: 'HandleReleased',
  data: { username, discriminator, accountId: holder },
})

/** `count` claims of usernames, with a few claims for each username. */
export function claims(count: number, first = 1): readonly HandleEvent[] {
  return Array.from({ length: count }, (_, index) => claimed(`user${(first + index) % 7}`, first + index))
}
