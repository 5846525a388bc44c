import { openMessages, type OpenMessages } from '../../adapters/messages/open-messages.js'
import type { Base } from './base.js'

/** The store of messages: opened once in a process that writes them, or sends their notices. */
export async function openMessageStore({ options, closings, database, signals, onError }: Base): Promise<OpenMessages> {
  const isAlone = signals === undefined
  const store = openMessages({ database, connection: options.connection, isAlone, onError })
  closings.add(() => store.close())
  return store
}
