import { openMessages, type OpenMessages } from '../../adapters/messages/open-messages.ts'
import { heldPosition } from '../../projections/read-models.ts'
import type { Base } from './base.ts'

/** The ports of use cases that the store of messages has. */
export function messagePortsOf(opened: OpenMessages) {
  const { messages, authorMessages, messageSearch, reactions } = opened
  const { readStates, accountNotes, recentMentions, savedMessages, copies } = opened
  const ofAccounts = { readStates, accountNotes, recentMentions, savedMessages }
  return { messages, authorMessages, messageSearch, reactions, copies, ...ofAccounts }
}

/** The store of messages: opened once in a process that writes them, or sends their notices. */
export async function openMessageStore({ closings, store, database, signals, onError }: Base): Promise<OpenMessages> {
  const isAlone = signals === undefined
  const messages = openMessages({ database, heldPosition, notifier: store.notifier, isAlone, onError })
  closings.add(() => messages.close())
  return messages
}
