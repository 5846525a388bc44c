import { newBotToken } from '../identity/tokens/bot-tokens.js'
import type { Caller } from '../caller.js'
import { Refused } from '../commands/refused.js'
import { revokeAuthorizations } from './oauth2/own-authorizations.js'
import { listedAuthorizations_max } from '../ports/queries/oauth2-queries.js'
import type { Ports } from '../ports.js'
import { secretHash } from '../secrets/secret-hash.js'

type Needs = Pick<Ports, 'aggregates' | 'queries' | 'readModels' | 'tickets'>

/**
 * Ends every session of the caller's account, including the caller's own, and everything else that acts for the account:
 * authorisations of applications with their tokens and codes; handoffs that sign in other devices; the bot tokens of its
 * applications, which get new ones by Reset bot token. Admin keys stay; they are deleted one by one. The caller's session ends
 * last, so that the caller can try again if something fails before. Decision 53.
 */
export function signOutEverywhere(ports: Needs) {
  return async (caller: Caller): Promise<void> => {
    const { account: own, context, credential } = caller
    const { account } = ports.aggregates
    const except = credential.kind === 'session' ? credential.tokenHash : null
    // Comes first, so that no other session can create anew what is revoked below.
    await account.execute(own.id, { type: 'EndOtherSessions', except }, context)
    await ports.readModels.reached(context.settled)
    await endAuthorizations(ports, caller)
    await endBotTokens(ports, caller)
    await account.execute(own.id, { type: 'EndAllSessions' }, context)
  }
}

async function endAuthorizations(ports: Needs, caller: Caller): Promise<void> {
  const { queries, readModels } = ports
  for (;;) {
    const held = await queries.oauth2.authorizationsOf(caller.account.id)
    await revokeAuthorizations(ports)(
      caller,
      held.map(({ applicationId }) => applicationId),
    )
    if (held.length < listedAuthorizations_max) return
    await readModels.reached(caller.context.settled)
  }
}

async function endBotTokens({ aggregates, queries }: Needs, { account, context }: Caller): Promise<void> {
  for (const { id } of await queries.applications.ofOwner(account.id)) {
    // Nobody learns this token.
    const botTokenHash = secretHash(newBotToken(id, context))
    try {
      await aggregates.application.execute(id, { type: 'ResetBotToken', botTokenHash }, context)
    } catch (error) {
      // The application was deleted after it was listed.
      if (!(error instanceof Refused) || error.refusal.code !== 'UNKNOWN_APPLICATION') throw error
    }
  }
}
