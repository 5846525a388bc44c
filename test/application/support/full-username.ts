import { noStream } from '../../../domain/kernel/position.ts'
import { discriminatorMax } from '../../../domain/handle/state.ts'
import { streamName } from '../../../domain/streams.ts'
import { metadata } from '../../contract/sample-events.ts'
import type { World } from './world.ts'

const page_events = 1000

/** Uses up all discriminators of a username. It appends the events of as many accounts, which saves thousands of commands. */
export async function takeAllDiscriminators(on: World, username: string): Promise<void> {
  const stream = streamName('handle', username)
  const { context } = on.requester()
  const claims = Array.from({ length: discriminatorMax }, (_, index) => ({
    type: 'HandleClaimed',
    data: { username, discriminator: index + 1, accountId: context.newId() },
    metadata: metadata(),
  }))
  for (let first = 0; first < claims.length; first += page_events) {
    const revision = first === 0 ? noStream : first - 1
    await on.store.append(stream, revision, claims.slice(first, first + page_events))
  }
}
