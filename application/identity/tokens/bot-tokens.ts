import type { ApplicationId } from '../../../domain/ids/ids.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { openAccount, type OpenAccountNeeds } from '../../access/open-account.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import type { BotTokens } from '../../ports/credentials.ts'
import type { ApplicationQueries } from '../../ports/queries/application-queries.ts'
import { newSecret, secretHash } from '../../secrets/secret-hash.ts'

/** A new token for the bot of an application: `<application_id>.<43 base64url characters>`. */
export function newBotToken(application: ApplicationId, context: CommandContext): string {
  return `${application}.${newSecret(context)}`
}

/**
 * Resolves bot tokens. Each is read from the applications read model, so that a token replaced by any process is invalid in all
 * processes at once. They are invalid while the bot is closed, or not a bot; a ban that is over ends here.
 */
export function botTokensIn(
  needs: OpenAccountNeeds & { readonly queries: { readonly applications: Pick<ApplicationQueries, 'botByToken'> } },
): BotTokens {
  const open = openAccount(needs, 'bot')
  return {
    async resolve(token) {
      const bot = await needs.queries.applications.botByToken(secretHash(token))
      const account = await open(bot, timestamp(Date.now()))
      return account && { account }
    },
  }
}
