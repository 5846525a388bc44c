import { lacking } from '../../../../domain/permissions/authority.ts'
import type { MessageId } from '../../../../domain/ids/ids.ts'
import { historyOf, type TextPlace } from '../text-places.ts'
import { reject } from '../../../commands/refused.ts'
import type { Message } from '../../../ports/messages.ts'
import { sentAt } from '../../../../domain/messages/sent-at.ts'
import type { Ports } from '../../../ports.ts'

type Needs = Pick<Ports, 'messages'>

/** Whether the caller may read a message of the place. Without READ_MESSAGE_HISTORY, only messages from the guild's cutoff on. */
export function isReadable(place: TextPlace, message: Pick<Message, 'id'>): boolean {
  const history = historyOf(place)
  return history === 'all' || (history !== 'nothing' && sentAt(message) >= history)
}

/** 403 MISSING_PERMISSIONS if the caller can read no history of the place. */
export function requireAnyHistory(place: TextPlace): void {
  if (historyOf(place) === 'nothing') reject(lacking('READ_MESSAGE_HISTORY'))
}

/** The same as `requireReadable`, for a message that may not exist. */
export function requireReadableId(place: TextPlace, id: MessageId): void {
  requireAnyHistory(place)
  if (!isReadable(place, { id })) reject('UNKNOWN_MESSAGE')
}

/** A message of the place, or 404 UNKNOWN_MESSAGE. Does not check whether the caller may read it. */
export async function requireMessage(
  { messages }: Needs,
  place: Pick<TextPlace, 'channelId'>,
  id: MessageId,
): Promise<Message> {
  return (await messages.find(place.channelId, id)) ?? reject('UNKNOWN_MESSAGE')
}

/**
 * A message of the place that the caller may read. Refuses with 403 MISSING_PERMISSIONS if the caller can read no
 * history, and with 404 UNKNOWN_MESSAGE for a message before the cutoff, as for one that does not exist
 * (rules/messages#read).
 */
export async function requireReadable(ports: Needs, place: TextPlace, id: MessageId): Promise<Message> {
  requireAnyHistory(place)
  const starter = place.kind === 'guild' && place.starter?.id === id ? place.starter : undefined
  const message = starter ?? (await requireMessage(ports, place, id))
  return isReadable(place, message) ? message : reject('UNKNOWN_MESSAGE')
}
