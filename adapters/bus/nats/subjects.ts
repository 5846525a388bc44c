import type { RecordedEvent } from '../../../application/ports/event-store.ts'
import { categoryOf, idOf } from '../../../domain/streams.ts'

export const streamName = 'guildhall_events'

/** Every subject of the stream. Signals use other subjects. */
export const allEvents = 'guildhall.>'

export const guildSubject = (guildId: string): string => `guildhall.guild.${guildId}`
export const accountSubject = (accountId: string): string => `guildhall.account.${accountId}`
export const otherSubject = 'guildhall.other'

/** The subject and headers that an event is published under. */
export interface EventAddress {
  readonly subject: string
  /** The account that the event concerns, whatever its subject is. */
  readonly account: string | undefined
}

/**
 * An event of a guild and an account (a member joins) goes to the guild's subject, because the guild's members hear of it; a
 * header names the account. Each event has only one subject: with two, a reader of everything would get it twice.
 */
export function addressOf({ stream, data }: RecordedEvent): EventAddress {
  const guild = idIn(data, 'guildId') ?? ownerOf(stream, 'guild')
  const account = idIn(data, 'accountId') ?? ownerOf(stream, 'account')
  if (guild !== undefined) return { subject: guildSubject(guild), account }
  return { subject: account === undefined ? otherSubject : accountSubject(account), account }
}

/** An id in the data. Digits only, because it becomes part of a subject. */
function idIn(data: object, member: string): string | undefined {
  const id: unknown = Object.entries(data).find(([name]) => name === member)?.[1]
  return typeof id === 'string' && isId(id) ? id : undefined
}

function ownerOf(stream: string, category: 'guild' | 'account'): string | undefined {
  const id = idOf(stream)
  return categoryOf(stream) === category && isId(id) ? id : undefined
}

const isId = (text: string): boolean => /^\d{1,20}$/.test(text)
