import { memoryMessages } from '../../application/support/memory-messages.js'
import { held } from '../../contract/messages-fixtures.js'
import { messagesContract } from '../../contract/messages-contract.js'

messagesContract('the messages in memory', async () => ({
  ...memoryMessages(held),
  pass: async () => undefined,
  close: async () => undefined,
}))
