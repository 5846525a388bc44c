import { memoryMessages } from '../../application/support/memory-messages.js'
import { messagesContract } from '../../contract/messages-contract.js'

messagesContract('the messages in memory', async () => ({
  ...memoryMessages(),
  pass: async () => undefined,
  close: async () => undefined,
}))
