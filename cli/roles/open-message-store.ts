import { openMessages, type OpenMessages } from '../../adapters/messages/open-messages.js'
import type { Base } from './base.js'

/** Where messages are kept: opened once by a process that writes them, or tells of them. */
export async function openMessageStore({ options, closings, database, signals, onError }: Base): Promise<OpenMessages> {
  const isAlone = signals === undefined
  const store = openMessages({ database, connection: options.connection, isAlone, onError })
  closings.add(() => store.close())
  return store
}
