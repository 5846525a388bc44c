import { compareSnowflakes } from '../../../domain/ids/snowflake.ts'
import type { TextPlace } from './text-places.ts'
import type { Message, MessagePage } from '../../ports/messages.ts'
import { isReadable } from './rules/readable-message.ts'

/**
 * A page of a thread's messages. If the page reaches the thread's beginning, it includes the starter message: type 21,
 * built at read time. Newest first.
 */
export function withStarter(
  found: readonly Message[],
  place: TextPlace,
  { before, after, around, limit }: Omit<MessagePage, 'from' | 'without'>,
): readonly Message[] {
  const starter = place.kind === 'guild' ? place.starter : undefined
  if (!starter || !isReadable(place, starter)) return found
  if (before !== undefined && compareSnowflakes(starter.id, before) >= 0) return found
  if (after !== undefined) return compareSnowflakes(starter.id, after) > 0 ? [...found, starter].slice(-limit) : found
  // In a page around a message, newer messages have their own share, and more if there are few older ones. The starter takes the
  // place of such extra ones.
  const older_max = around === undefined ? limit : limit - Math.floor(limit / 2)
  const older = around === undefined ? found : found.filter(({ id }) => compareSnowflakes(id, around) <= 0)
  return older.length < older_max || found.length < limit ? [...found, starter].slice(-limit) : found
}
