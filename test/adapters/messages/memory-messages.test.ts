import { memoryMessages } from '../../application/support/memory-messages.ts'
import { held } from '../../contract/messages-fixtures.ts'
import { messagesContract } from '../../contract/messages-contract.ts'
import { reactionsContract } from '../../contract/reactions-contract.ts'

const open = async () => ({
  ...memoryMessages(held),
  pass: async () => undefined,
  close: async () => undefined,
})

messagesContract('the messages in memory', open)
reactionsContract('the messages in memory', open)
