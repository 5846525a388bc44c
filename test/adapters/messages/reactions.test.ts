import { openMessages } from '../../../adapters/messages/open-messages.ts'
import { openNotifier } from '../../../adapters/postgres/notifier.ts'
import { expect } from 'vitest'
import { reactionsContract } from '../../contract/reactions-contract.ts'
import { heldPosition } from '../../support/held-position.ts'
import { laidDatabase } from '../../support/test-database.ts'

reactionsContract('the messages in Postgres', async () => {
  const test = await laidDatabase()
  const onError = (error: unknown): never => expect.fail(String(error))
  const notifier = openNotifier({ connection: test.connection, onError })
  const opened = openMessages({ database: test.database, heldPosition, notifier, onError })
  return {
    ...opened,
    pass: async () => undefined,
    close: async () => {
      await opened.close()
      await notifier.close()
      await test.close()
    },
  }
})
