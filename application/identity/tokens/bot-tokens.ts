import type { ApplicationId } from '../../../domain/ids/ids.js'
import type { CommandContext } from '../../commands/command-context.js'
import type { BotTokens } from '../../ports/credentials.js'
import type { ApplicationQueries } from '../../ports/queries/application-queries.js'
import { newSecret, secretHash } from '../../secrets/secret-hash.js'

/** A new token for the bot of an application: `<application_id>.<43 base64url characters>` (supplement, Names). */
export function newBotToken(application: ApplicationId, context: CommandContext): string {
  return `${application}.${newSecret(context)}`
}

/**
 * Resolves bot tokens. Each is read from the applications read model, so that a token replaced by any process is invalid in all
 * processes at once.
 */
export function botTokensIn(applications: Pick<ApplicationQueries, 'botByToken'>): BotTokens {
  return {
    async resolve(token) {
      const account = await applications.botByToken(secretHash(token))
      return account && !account.isErased ? { account } : undefined
    },
  }
}
