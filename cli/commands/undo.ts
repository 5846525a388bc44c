import { entryId } from '../../domain/ids/ids.ts'
import { parseSnowflake } from '../../domain/ids/snowflake.ts'
import { undo, type ActOptions, type Print } from '../operator/act-on.ts'
import type { MailOptions } from './user.ts'

/** Takes back an act on an account, named by its entry in the admin audit log. */
export async function undoEntry(text: string, options: ActOptions & MailOptions, print: Print): Promise<void> {
  const parsed = parseSnowflake(text)
  if (!parsed.ok) throw new Error(`${text} is not the id of an entry of the admin audit log`)
  await undo(entryId(parsed.id), options, print)
}
