import { addBot, asBot, newApplication } from '../operations/support/applications.ts'
import type { TestGuildhall } from '../support/test-guildhall.ts'
import type { Arena } from './round.ts'

/** The server of this process, with a bot in every round. */
export function arenaOn(guildhall: TestGuildhall): Arena {
  return {
    request: guildhall.request,
    gatewayUrl: () => guildhall.url.replace('http', 'ws'),
    register: () => guildhall.register(),
    async bot(owner, guilds) {
      const application = await newApplication(guildhall, owner)
      for (const guild of guilds) await addBot(guildhall, application, guild)
      return { id: application.id, token: asBot(application) }
    },
  }
}
