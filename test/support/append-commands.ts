import { randomBytes } from 'node:crypto'
import { uuid7 } from '../../application/commands/derive-id.ts'
import type { EventStore, NewEvent } from '../../application/ports/event-store.ts'
import { account } from '../../domain/account/account.ts'
import type { AccountCommand } from '../../domain/account/commands.ts'
import type { AccountEvent } from '../../domain/account/events.ts'
import { fold } from '../../domain/kernel/decider.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import { streamName } from '../../domain/streams.ts'

const eventsPerAppend_max = 100

/** Carries out commands of an account that is there, as another process of the product would, one after another. */
export async function appendCommands(
  events: EventStore,
  { id }: { readonly id: string },
  commands: readonly AccountCommand[],
): Promise<void> {
  const stream = streamName('account', id)
  let revision = -1
  let state = account.initial
  for await (const page of events.readStream(stream, -1))
    for (const event of page) {
      // The stream has events of accounts only.
      state = fold(account, [event as unknown as AccountEvent], state)
      revision = event.revision
    }
  const decided: NewEvent[] = []
  for (const command of commands) {
    const decision = account.decide(state, command)
    if (decision.outcome === 'refused') throw new Error(`Refused with ${decision.refusal.code}`)
    state = fold(account, decision.events, state)
    decided.push(...decision.events.map(withMetadata))
  }
  for (let from = 0; from < decided.length; from += eventsPerAppend_max) {
    const appended = await events.append(stream, revision, decided.slice(from, from + eventsPerAppend_max))
    if (appended.outcome !== 'appended') throw new Error(`The append was answered with ${appended.outcome}`)
    revision = appended.revision
  }
}

function withMetadata(event: AccountEvent): NewEvent {
  const eventId = uuid7(Date.now(), randomBytes(10))
  const actor = { kind: 'system', name: 'test' } as const
  return {
    ...event,
    metadata: { eventId, at: timestamp(Date.now()), actor, correlationId: eventId, causationId: eventId },
  }
}
