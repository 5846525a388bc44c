import { parseSnowflake } from '../../domain/ids/snowflake.ts'
import { undo, type ActOptions, type Print } from '../operator/act-on.ts'
import type { MailOptions } from './user.ts'

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** Takes back an act, named by its entry in the admin audit log or, where it leaves none, by one of its events. */
export async function undoEntry(text: string, options: ActOptions & MailOptions, print: Print): Promise<void> {
  if (!parseSnowflake(text).ok && !uuid.test(text))
    throw new Error(`${text} is not the id of an entry of the admin audit log, nor of an event`)
  await undo(text, options, print)
}
