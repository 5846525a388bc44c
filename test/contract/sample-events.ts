import { randomBytes, randomUUID } from 'node:crypto'
import { uuid7 } from '../../application/commands/derive-id.ts'
import type { EventMetadata, NewEvent, RecordedEvent } from '../../application/ports/event-store.ts'
import { accountId, type AccountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { streamName, type StreamName } from '../../domain/streams.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'

/** An account that no other test uses. */
export const anyAccount = (): AccountId => accountId(snowflake(randomBytes(7).readUIntBE(0, 6).toString()))

/** A stream that no other test uses. */
export const anyStream = (): StreamName => streamName('invite', randomUUID())

export const accountStream = (account: AccountId): StreamName => streamName('account', account)

/** Metadata with a new id. */
export function metadata(more: Partial<EventMetadata> = {}): EventMetadata {
  return {
    eventId: uuid7(Date.now(), randomBytes(10)),
    at: timestamp(Date.now()),
    actor: { kind: 'system', name: 'test' },
    correlationId: randomUUID(),
    causationId: randomUUID(),
    ...more,
  }
}

/** The data of `newEvent` that stores check. It names neither a guild nor an account. */
export const redeemed = {
  code: 'town',
  guildId: 'guild',
  accountId: 'account',
  inviterId: 'inviter',
  temporary: false,
  redemptionId: 'r',
  uses: 1,
} as const

/** A new event for an invite's stream, with these members in its data. */
export function newEvent(data: object = {}, more: Partial<EventMetadata> = {}): NewEvent {
  return { type: 'InviteRedeemed', data: { ...redeemed, ...data }, metadata: metadata(more) }
}

export const newEvents = (count: number): readonly NewEvent[] =>
  Array.from({ length: count }, (_, uses) => newEvent({ uses }))

/** An account's first event: e-mail, password hash and date of birth are personal. */
export function registration(account: AccountId, personal: object = {}): NewEvent {
  const data = {
    accountId: account,
    username: 'ada',
    discriminator: 1,
    globalName: null,
    email: 'ada@example.org',
    passwordHash: '$argon2id$secret',
    dateOfBirth: '1990-12-10',
    emailVerified: false,
    locale: 'en-GB',
    registeredAt: timestamp(0),
    ...personal,
  }
  return { type: 'AccountRegistered', data, metadata: metadata() }
}

/** All events of some pages. */
export async function collect(pages: AsyncIterable<readonly RecordedEvent[]>): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = []
  for await (const page of pages) events.push(...page)
  return events
}

/** The first `count` events of endless pages; then it leaves the loop. */
export async function take(
  pages: AsyncIterable<readonly RecordedEvent[]>,
  count: number,
): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = []
  if (count === 0) return events
  for await (const page of pages) {
    events.push(...page)
    if (events.length >= count) break
  }
  return events
}

export const idsOf = (events: readonly (NewEvent | RecordedEvent)[]): readonly string[] =>
  events.map(({ metadata: { eventId } }) => eventId)

export const ascending = <Value extends bigint | number>(values: readonly Value[]): boolean =>
  values.every((value, index) => index === 0 || value > (values[index - 1] ?? value))
