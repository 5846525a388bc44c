import { openMessages, type OpenMessages } from '../../adapters/messages/open-messages.js'
import type { Base } from './base.js'

/** Where messages are kept: opened once by a process that writes them, or tells of them. */
export async function openMessageStore({ options, closings, database, onError }: Base): Promise<OpenMessages> {
  const store = await openMessages({ database, connection: options.connection, onError })
  closings.add(() => store.close())
  return store
}
