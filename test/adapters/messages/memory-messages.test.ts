import { memoryMessages } from '../../application/support/memory-messages.ts'
import { held } from '../../contract/messages-fixtures.ts'
import { messagesContract } from '../../contract/messages-contract.ts'

messagesContract('the messages in memory', async () => ({
  ...memoryMessages(held),
  pass: async () => undefined,
  close: async () => undefined,
}))
