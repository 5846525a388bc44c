import type { AddressGate } from '../../adapters/http/brakes/address-gate.js'
import { cachedSessionTokens, sessionTokensIn } from '../../application/identity/tokens/session-tokens.js'
import { tokensShowing } from '../../application/identity/accounts/shown-accounts.js'
import type { SessionTokens } from '../../application/ports/session-tokens.js'
import type { Base } from './base.js'
import type { CommandSide } from './open-command-side.js'
import { openGate } from './open-gate.js'

/** The checks that clients pass, for the API and the Gateway alike. */
export interface Entry {
  readonly sessionTokens: SessionTokens
  readonly gate: AddressGate
}

/** `commands`: given if this process also serves requests, whose failures are counted. */
export async function openEntry(base: Base, commands: CommandSide | undefined): Promise<Entry> {
  const sessionTokens = base.signals ? sessionTokensIn(base.queries.accounts) : await withinProcess(base)
  return { sessionTokens, gate: await openGate(base, commands) }
}

/** A single process sees the end of every session, and may keep the existing sessions in memory. */
async function withinProcess({ carrier, readModels, accounts, show }: Base): Promise<SessionTokens> {
  const sessionTokens = cachedSessionTokens(accounts)
  const events = await carrier.listen(readModels)
  events.subscribe((batch) => {
    for (const event of batch) sessionTokens.forget(event)
  })
  return tokensShowing(show, sessionTokens)
}
